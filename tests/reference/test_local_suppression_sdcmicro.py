"""sdcMicro 5.8.1's ``kAnon`` on its own data sets: never more suppressed cells than it needs.

``testdata_keys.csv`` holds the distinct keys of testdata with their records,
``testdata_kv5_kanon5_keys.csv`` those of its release for k = 5, ``testdata2_keys_kanon2.csv`` the
keys of testdata2 with an age group, and its release for k = 2 beside them.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.kernels.blanking.wildcard_matches import wildcard_matches
from microveil.methods.local_suppression.rows import coded_keys, distinct_rows
from microveil.methods.local_suppression.step import LocalSuppression
from microveil.tables import Classes, Roles, Table

DATA = Path(__file__).parents[1] / "data" / "sdcmicro"
FIVE = ["urbrur", "roof", "walls", "water", "sex"]
SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]

THEIRS = {"importance": 25, "testdata2": 97, "strata": 109, "francdat": 4, "subsets": 18}
"""Cells that it suppresses in the cases that occur once."""

FRANCDAT = pl.DataFrame(
    {
        "Key1": [1, 1, 1, 3, 4, 4, 6, 1],
        "Key2": [2, 2, 2, 3, 3, 3, 2, 2],
        "Key3": [5, 1, 1, 1, 1, 1, 1, 5],
        "Key4": [1, 1, 1, 5, 4, 1, 5, 1],
    }
)


def people() -> pl.DataFrame:
    counted = pl.read_csv(DATA / "testdata_keys.csv")
    return counted.select(pl.col(SEVEN).repeat_by("n").explode(empty_as_null=False))


def few_people() -> pl.DataFrame:
    return pl.read_csv(DATA / "testdata2_keys_kanon2.csv")


def n_matches(frame: pl.DataFrame, *, strict: bool) -> list[int]:
    """Matches of each distinct row by plain counting; strictly as sdcMicro's ``freqCalc``."""
    counted = list(frame.group_by(frame.columns).len().iter_rows())
    rows = [(row[:-1], row[-1]) for row in counted]
    found = []
    for row, _ in rows:
        skip = strict and None not in row
        found.append(
            sum(
                n
                for other, n in rows
                if not (skip and set(other) == {None})
                and all(a is None or b is None or a == b for a, b in zip(row, other, strict=True))
            )
        )
    return found


def released(frame: pl.DataFrame, keys: list[str], **fields: Any) -> tuple[pl.DataFrame, int]:
    step = LocalSuppression(columns=keys, missing="wildcard", **fields)
    outcome = step.apply(Table(frame), np.random.default_rng(0))
    return outcome.table.frame.select(keys), outcome.facts["n_suppressed_cells"]


@pytest.mark.parametrize(
    ("keys", "k", "theirs", "ours"),
    [
        (FIVE, 2, 12, 8),
        (FIVE, 3, 24, 16),
        (FIVE, 5, 79, 40),
        (SEVEN, 2, 157, 94),
        (SEVEN, 3, 293, 159),
        (SEVEN, 5, 500, 280),
    ],
)
def test_testdata_needs_far_fewer_cells_than_theirs(
    keys: list[str], k: int, theirs: int, ours: int
) -> None:
    after, n_cells = released(people(), keys, k=k)
    assert after.null_count().sum_horizontal().item() == n_cells
    assert n_cells <= ours < theirs
    assert min(n_matches(after, strict=True)) >= k
    assert min(n_matches(after, strict=False)) >= k
    assert Classes.of(Table(after), keys, missing="wildcard").k >= k


def test_their_importance_is_ours_turned_round() -> None:
    theirs = dict(zip(FIVE, (5, 4, 3, 2, 1), strict=True))
    ours = {name: 6 - first for name, first in theirs.items()}
    after, n_cells = released(people(), FIVE, k=3, importance=ours)
    assert n_cells <= 20 < THEIRS["importance"]
    assert min(n_matches(after, strict=True)) >= 3
    # They blank urbrur 8, roof 16, walls 1 times, water and sex never.
    blanks = after.null_count().row(0, named=True)
    assert blanks["sex"] == 0
    assert blanks["urbrur"] + blanks["roof"] > 9 * blanks["water"]


def test_testdata2_needs_fewer_cells_than_theirs() -> None:
    after, n_cells = released(few_people(), SEVEN, k=2)
    assert n_cells <= 53 < THEIRS["testdata2"]
    assert min(n_matches(after, strict=True)) >= 2


def test_age_groups_as_strata_need_fewer_cells_than_theirs() -> None:
    roles = Roles(quasi_identifiers=SEVEN, strata=["ageG"])
    step = LocalSuppression(k=2, missing="wildcard")
    outcome = step.apply(Table(few_people(), roles), np.random.default_rng(0))
    assert outcome.facts["n_suppressed_cells"] <= 76 < THEIRS["strata"]
    for _, stratum in outcome.table.frame.group_by("ageG"):
        assert min(n_matches(stratum.select(SEVEN), strict=True)) >= 2


def test_francdat_needs_no_more_cells_than_theirs() -> None:
    after, n_cells = released(FRANCDAT, FRANCDAT.columns, k=2)
    assert n_cells <= THEIRS["francdat"]
    assert min(n_matches(after, strict=True)) >= 2


def test_all_subsets_of_three_and_two_keys_need_fewer_cells_than_theirs() -> None:
    after, n_cells = released(people(), FIVE, subsets={3: 3, 2: 3})
    assert n_cells <= 11 < THEIRS["subsets"]
    for size in (3, 2):
        for subset in combinations(FIVE, size):
            assert min(n_matches(after.select(subset), strict=True)) >= 3


def test_missing_keys_are_read_as_they_read_them() -> None:
    theirs = pl.read_csv(DATA / "testdata_kv5_kanon5_keys.csv")
    rows = distinct_rows(coded_keys(theirs.select(FIVE)))
    everyone = np.arange(theirs.height)
    matches = wildcard_matches(rows.codes, theirs["n"].to_numpy()[np.argsort(rows.row)], everyone)
    assert matches.min() >= 5
    assert theirs["n"].sum() == people().height
    their_release = few_people().select(pl.col(f"{name}_kanon2").alias(name) for name in SEVEN)
    _, n_cells = released(their_release, SEVEN, k=2)
    assert n_cells == 0
