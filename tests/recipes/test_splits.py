"""A table is split once."""

from __future__ import annotations

import pytest

import microveil as mv
from microveil.recipes.splits import check_splits

STEP = mv.Decompose(groups={"one": ["x"], "other": ["y"]})


def test_a_second_split_is_refused_by_its_place() -> None:
    check_splits(mv.Recipe(steps=[STEP]))
    with pytest.raises(mv.InputError, match=r"steps\.1\.decompose: a table is split once"):
        check_splits(mv.Recipe(steps=[STEP, STEP]))
