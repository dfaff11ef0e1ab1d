"""The owner's commands, as they are typed."""

from __future__ import annotations

import pytest

from tests.cli.serve.conftest import Shell


def test_a_missing_extra_is_told(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microveil.cli.serve.options._NEEDED", ("no_such_package",))
    assert "pip install 'microveil[service]'" in shell("keys", code=2)
