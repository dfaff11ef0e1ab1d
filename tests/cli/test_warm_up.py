from __future__ import annotations

import json

import pytest

from microveil.progress import Progress
from tests.cli.conftest import Cli


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two parts that take no time: compiling everything takes a minute."""

    def warmed(progress: Progress) -> dict[str, float]:
        progress(1, 1, "kernels")
        return {"kernels": 1.25, "measures": 0.5}

    monkeypatch.setattr("microveil.app.warming.warm_up", warmed)


def test_the_parts_and_their_time_are_told(cli: Cli) -> None:
    assert cli("warm-up").out == "Ready: 2 parts warmed up in 2 s.\n"
    assert json.loads(cli("warm-up", "--json").out) == {
        "seconds": {"kernels": 1.25, "measures": 0.5}
    }
