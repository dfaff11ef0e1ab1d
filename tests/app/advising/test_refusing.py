"""A ceiling that even an empty table exceeds is told before anything is tried."""

from __future__ import annotations

import pytest

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
