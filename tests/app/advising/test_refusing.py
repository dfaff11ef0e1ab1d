"""What no release can reach, or any would, is told before anything is tried."""

from __future__ import annotations

import pytest

import microveil as mv
from microveil.app.advising.refusing import refuse_ceilings
from microveil.errors import InputError
from tests.app.advising.cases import LINKED, PEOPLE, situation


def test_a_ceiling_below_an_empty_table_is_told_with_what_it_has() -> None:
    risk = {"measure": "class_sizes", "part": "average_risk"}
    with pytest.raises(InputError, match=f"{1 / PEOPLE.height:.4g}"):
        refuse_ceilings(situation(require=[risk | {"at_most": 1e-6}]), 1)
    refuse_ceilings(situation(require=[risk | {"at_most": 1 / PEOPLE.height}]), 1)


def test_other_ceilings_pass() -> None:
    refuse_ceilings(situation(require=[LINKED]), 1)
    refuse_ceilings(situation(), 1)


def test_a_table_without_keys_is_not_called_safe_unasked() -> None:
    plain = {"a": [1.5, 2.5, 3.5], "b": [2.0, 3.0, 4.0]}
    with pytest.raises(InputError, match="name the keys"):
        mv.advise(plain, mv.Roles(insensitive=["a", "b"]), "public", seconds=5, seed=1)
