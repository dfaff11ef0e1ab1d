"""A household survey with dirt, recounted by code that shares nothing with the check."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv

KEYS = ["region", "ethnicity", "hhsize", "age", "sex", "educ"]
ROLES = {
    "quasi_identifiers": KEYS,
    "household": "hhid",
    "sensitive": ["income"],
    "insensitive": ["educyrs"],
}
TOP = {"method": "top_bottom_code", "columns": ["hhsize"], "top": 4}
SUPPRESS = {"method": "local_suppression", "k": 3}


def _survey(seed: int) -> pl.DataFrame:
    """Ethnicity and region by household but for a dirty cell; years that tell education."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4, 5, 9], 500, p=[0.25, 0.3, 0.2, 0.16, 0.07, 0.02])
    home = np.repeat(np.arange(500), sizes)
    n = len(home)
    ethnicity = rng.choice(list("abcd"), 500, p=[0.75, 0.18, 0.05, 0.02])[home]
    ethnicity[rng.integers(n)] = "d"
    educ = rng.integers(0, 4, n)
    years = np.array([0, 6, 9, 16])[educ] + (rng.random(n) < 0.02)
    return pl.DataFrame(
        {
            "hhid": 1_000 + home,
            "region": rng.choice(["n", "s", "e", "w"], 500)[home],
            "ethnicity": ethnicity,
            "hhsize": sizes[home],
            "age": rng.integers(0, 9, n) * 10,
            "sex": rng.choice(["f", "m"], n),
            "educ": np.array(["none", "primary", "lower", "higher"])[educ],
            "educyrs": years,
            "income": rng.lognormal(9, 0.5, n).round(-2),
        }
    )


def _most_common(by: list[Any], values: list[Any]) -> list[Any]:
    """Missing values filled with what others of the same id or code have."""
    seen: dict[Any, Counter[Any]] = {}
    for one, value in zip(by, values, strict=True):
        if value is not None:
            seen.setdefault(one, Counter())[value] += 1
    return [
        value if value is not None or one not in seen else seen[one].most_common(1)[0][0]
        for one, value in zip(by, values, strict=True)
    ]


def _least_class(released: pl.DataFrame) -> int:
    """Smallest class once everything that the release gives back is filled in."""
    cells = {name: released[name].to_list() for name in released.columns}
    if "hhid" in cells:
        for name in ("region", "ethnicity"):
            cells[name] = _most_common(cells["hhid"], cells[name])
        members = Counter(cells["hhid"])
        cells["hhsize"] = [members[one] for one in cells["hhid"]]
    if "educyrs" in cells:
        cells["educ"] = _most_common(cells["educyrs"], cells["educ"])
    rows = zip(*(cells[name] for name in KEYS if name in cells), strict=True)
    return min(Counter(rows).values())


def _release(frame: pl.DataFrame, dropped: list[str]) -> mv.Release:
    steps = [*([{"method": "drop", "columns": dropped}] if dropped else []), TOP, SUPPRESS]
    recipe = {
        "roles": ROLES,
        "steps": steps,
        "require": [{"model": "k_anonymity", "k": 3}],
        "keep": [] if "hhid" in dropped else ["hhid"],
    }
    return mv.run(mv.Recipe.parse(recipe), frame, seed=1)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("dropped", [[], ["educyrs"], ["hhid"], ["hhid", "educyrs"]], ids=str)
def test_the_verdict_is_that_of_the_recount(dropped: list[str], seed: int) -> None:
    release = _release(_survey(seed), dropped)
    assert release.holds == (_least_class(release.table.frame) >= 3)


def test_one_caution_names_every_cause_and_its_remedy() -> None:
    told = [str(one.sentence) for one in _release(_survey(3), []).cautions]
    (derived,) = [one for one in told if "worked out" in one]
    assert "by counting the rows that share 'hhid'" in derived
    assert "of 'educ' from 'educyrs'" in derived
    assert "Drop 'hhid'" in derived
    assert "Drop 'educyrs'" in derived


def test_the_proposal_gives_nothing_back() -> None:
    release = mv.protect(_survey(4), mv.Roles.parse(ROLES), k=3, seed=1)
    assert release.holds
    assert _least_class(release.table.frame) >= 3
