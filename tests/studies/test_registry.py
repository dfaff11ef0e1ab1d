from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.studies import find_study


def test_an_unknown_study_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="choose"):
        find_study("zaragossa")
