"""Distinction and separation beside ARX 3.9.2 on Adult, and by themselves."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import InputError, SpecError
from microveil.risk.key_separation import KeySeparation
from microveil.tables import Roles

DATA = Path(__file__).parents[1] / "data"
ARX = json.loads((DATA / "arx" / "adult_separation.json").read_text(encoding="utf-8"))["input"]


@pytest.mark.parametrize("case", ARX, ids=lambda case: f"{len(case['columns'])} columns")
def test_every_set_of_adult_is_as_arx_has_it(case: dict[str, Any]) -> None:
    adult = pl.read_parquet(DATA / "adult" / "adult.parquet")
    score = KeySeparation().measure(adult, roles=Roles(quasi_identifiers=case["columns"]))
    sets = score.frames["sets"].select("columns", "distinction", "separation").rows()
    ours = {frozenset(names): (distinction, separation) for names, distinction, separation in sets}
    theirs = {frozenset(names): (one, other) for names, one, other in case["sets"]}
    assert set(ours) == set(theirs)
    for names, numbers in theirs.items():
        assert ours[names] == pytest.approx(numbers, rel=1e-12)
    assert score.value == ours[frozenset(case["columns"])][1]


rows_of_cells = st.lists(st.tuples(*[st.sampled_from([None, 1, 2])] * 3), min_size=2, max_size=15)


@settings(max_examples=60, deadline=None)
@given(rows_of_cells, st.sampled_from([0.3, 0.7, 1.0]))
def test_shares_are_those_of_comparing_all_pairs(
    rows: list[tuple[int | None, ...]], enough: float
) -> None:
    frame = pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64, "c": pl.Int64}, orient="row")
    score = KeySeparation(columns=["a", "b", "c"], identifying_share=enough).measure(frame)
    identifying: list[list[str]] = []
    for names, size, n_classes, distinction, separation, unique_share in (
        score.frames["sets"].sort("size").iter_rows()
    ):
        cells = [tuple(row["abc".index(name)] for name in names) for row in rows]
        pairs = list(combinations(cells, 2))
        unique = sum(cells.count(one) == 1 for one in cells) / len(cells)
        assert size == len(names)
        assert n_classes == len(set(cells))
        assert distinction == pytest.approx(len(set(cells)) / len(cells))
        assert separation == pytest.approx(sum(x != y for x, y in pairs) / len(pairs))
        assert unique_share == pytest.approx(unique)
        parts_do = any(set(part) < set(names) for part in identifying)
        if unique >= enough - 1e-9 and not parts_do:
            identifying.append(names)
    found = score.frames["identifying_sets"]["columns"].to_list()
    assert sorted(found) == sorted(identifying)
    assert score.parts["n_identifying_sets"] == len(identifying)


def test_the_best_separating_set_comes_first_and_of_equals_the_smallest() -> None:
    data = {"sex": [*"ffmm"], "id": [1, 2, 3, 4], "flat": [0] * 4}
    sets = KeySeparation(columns=list(data)).measure(data).frames["sets"]
    assert sets["columns"][0].to_list() == ["id"]
    assert sets["separation"].is_sorted(descending=True)
    assert sets["columns"][-1].to_list() == ["flat"]


def test_an_identifier_is_found_and_so_are_two_columns_that_make_one() -> None:
    data = {"sex": [*"ffmm"], "id": [1, 2, 3, 4], "town": [*"ABAB"]}
    found = KeySeparation(columns=list(data)).measure(data).frames["identifying_sets"]
    assert found["columns"].to_list() == [["id"], ["sex", "town"]]


def test_a_limit_counts_fewer_sets_and_leaves_the_value() -> None:
    data = {"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "c": [1, 1, 1, 2]}
    whole = KeySeparation(columns=[*"abc"]).measure(data)
    pairs = KeySeparation(columns=[*"abc"], max_size=2).measure(data)
    assert whole.value == pairs.value == 1
    assert (whole.parts["n_sets"], pairs.parts["n_sets"]) == (7, 6)
    assert pairs.frames["sets"]["size"].max() == 2


@pytest.mark.parametrize(("n", "value"), [(0, 0.0), (1, 1.0), (5, 0.0)])
def test_tables_without_pairs_and_constant_ones_are_defined(n: int, value: float) -> None:
    score = KeySeparation(columns="a").measure({"a": pl.Series([7] * n, dtype=pl.Int64)})
    assert score.value == value
    assert score.parts["unique_share"] == (n == 1)


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[float, float]] = []
    data = {name: [1, 2, 3] for name in "abcd"}
    frame = KeySeparation(columns=[*"abcd"]).sets(
        data, progress=lambda done, total, _what: told.append((done, total))
    )
    assert frame.height == 15
    assert frame["size"].is_sorted()
    assert told == [(1, 15), (3, 15), (7, 15), (15, 15)]


@pytest.mark.parametrize(
    ("m", "size", "message"),
    [
        (30, None, "1,073,741,823 sets of up to 30.* Set `max_size` to 5"),
        (60, None, "over a trillion sets"),
        (70, 2, "up to 62 columns are counted. Name fewer"),
    ],
)
def test_too_many_sets_are_refused_with_a_remedy(m: int, size: int | None, message: str) -> None:
    data = {f"c{i}": [1, 2] for i in range(m)}
    with pytest.raises(InputError, match=message):
        KeySeparation(columns=list(data), max_size=size).measure(data)


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(InputError, match="no columns to combine"):
        KeySeparation().measure({"a": [1]})
    with pytest.raises(SpecError, match="identifying_share"):
        KeySeparation.parse({"identifying_share": 2})
