from __future__ import annotations

import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.recipes.frameworks import FRAMEWORKS


def test_a_preset_that_is_not_there_is_refused() -> None:
    assert set(mv.presets()) == {"clinical_publication", *FRAMEWORKS}
    with pytest.raises(InputError, match="Did you mean 'hipaa_safe_harbor'"):
        mv.preset("hipaa_safe_harbour", {"a": [1]})
