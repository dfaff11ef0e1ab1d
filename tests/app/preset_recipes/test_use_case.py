from __future__ import annotations

import pytest

import microveil as mv
from microveil.errors import InputError


def test_a_preset_that_is_not_there_is_refused() -> None:
    assert set(mv.presets()) == {"hipaa_safe_harbor", "clinical_publication"}
    with pytest.raises(InputError, match="Did you mean 'hipaa_safe_harbor'"):
        mv.preset("hipaa_safe_harbour", {"a": [1]})
