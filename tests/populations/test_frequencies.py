from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError
from microveil.populations.frequencies import frequencies
from microveil.tables import Roles, Table

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "data" / "sdcmicro" / "frequency_risk.json").read_text("utf-8")
)["francdat"]
KEYS = ["Key1", "Key2", "Key3", "Key4"]
cell = st.sampled_from([None, 1, 2])
rows = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[cell] * width), min_size=1, max_size=12)
)


def table_of(found: list[tuple[int | None, ...]], weights: list[float]) -> Table:
    names = [f"q{i}" for i in range(len(found[0]))]
    frame = pl.DataFrame(found, schema=dict.fromkeys(names, pl.Int64), orient="row")
    frame = frame.with_columns(pl.Series("w", weights))
    return Table(frame, Roles(quasi_identifiers=names, weight="w"))


def naive(found: list[tuple[int | None, ...]], amounts: list[float], alpha: float) -> list[float]:
    """The definition, record by record."""
    totals = []
    for mine in found:
        total = 0.0
        for theirs, amount in zip(found, amounts, strict=True):
            fits = all(a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True))
            nothing = all(value is None for value in theirs)
            complete = None not in mine
            if not fits or (complete and nothing and len(mine) > 1):
                continue
            in_full = mine == theirs or None not in theirs or all(v is None for v in mine)
            total += amount if in_full else alpha * amount
        totals.append(total)
    return totals


@given(rows, st.sampled_from([0.0, 0.3, 1.0]))
@settings(deadline=None, max_examples=150)
def test_wildcards_count_what_the_definition_counts(
    found: list[tuple[int | None, ...]], alpha: float
) -> None:
    weights = [1.5 + i for i in range(len(found))]
    ours = frequencies(table_of(found, weights), missing="wildcard", wildcard_weight=alpha)
    of_record = ours.classes.record_class
    assert ours.sample[of_record] == pytest.approx(naive(found, [1.0] * len(found), alpha))
    assert ours.population[of_record] == pytest.approx(naive(found, weights, alpha))


@pytest.mark.parametrize("case", range(6))
def test_frequencies_are_those_of_sdcmicro(case: int) -> None:
    expected = REFERENCE["cases"][case]
    data = REFERENCE["complete" if case < 2 else "gaps"]
    weight = "w" if case != 1 else None
    alpha = [1.0, 1.0, 1.0, 0.5, 0.1, 0.0][case]
    table = Table(pl.DataFrame(data), Roles(quasi_identifiers=KEYS, weight=weight))
    found = frequencies(table, missing="wildcard", wildcard_weight=alpha)
    of_record = found.classes.record_class
    assert found.sample[of_record] == pytest.approx(expected["fk"], rel=1e-12)
    assert found.population[of_record] == pytest.approx(expected["Fk"], rel=1e-12)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"a": [2, 3, None, 2, 1, None, 1, 2]}, [5, 3, 8, 5, 4, 8, 4, 5]),
        (
            {
                "a": [2, 3, None, 2, 3, 3, 1, 2],
                "b": [3, 3, None, 3, 3, 3, 4, 3],
                "c": pl.Series([None] * 8, dtype=pl.Int64),
            },
            [4, 4, 8, 4, 4, 4, 2, 4],
        ),
    ],
)
def test_one_key_and_keys_without_any_value_are_read_as_sdcmicro_does(
    columns: dict[str, list[int | None]], expected: list[int]
) -> None:
    table = Table(columns, Roles(quasi_identifiers=list(columns)))
    found = frequencies(table, missing="wildcard")
    assert found.sample[found.classes.record_class].tolist() == expected


def test_a_missing_key_is_a_value_of_its_own_by_default() -> None:
    table = Table({"a": [1, 1, None]}, Roles(quasi_identifiers=["a"]))
    found = frequencies(table)
    assert found.sample[found.classes.record_class].tolist() == [2, 2, 1]


def test_a_person_with_several_rows_counts_once_with_the_mean_weight() -> None:
    frame = {"a": [1, 1, 1, 2], "who": ["x", "x", "y", "x"], "w": [10.0, 20.0, 5.0, 7.0]}
    roles = Roles(quasi_identifiers=["a"], weight="w", entity="who")
    found = frequencies(Table(frame, roles).drop(["who"]))
    of_record = found.classes.record_class
    assert found.sample[of_record].tolist() == [2, 2, 2, 1]
    assert found.population[of_record].tolist() == [20, 20, 20, 7]


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), None])
def test_a_weight_that_is_no_weight_is_named_without_its_value(bad: float | None) -> None:
    roles = Roles(quasi_identifiers=["a"], weight="w")
    with pytest.raises(ColumnError, match="Weight column 'w' must"):
        frequencies(Table({"a": [1, 2], "w": [1.0, bad]}, roles))


def test_weights_below_one_cannot_make_a_class_larger_in_the_sample() -> None:
    roles = Roles(quasi_identifiers=["a"], weight="w")
    found = frequencies(Table({"a": [1, 1], "w": [0.2, 0.0]}, roles))
    assert found.drawn.tolist() == [1.0]


def test_wide_keys_are_matched_as_well() -> None:
    """The product of the columns' sizes overflows an array, so places are sorted anew."""
    rng = np.random.default_rng(3)
    columns = {f"q{i}": rng.integers(0, 10**9, 40).tolist() for i in range(6)}
    columns["q0"][0] = columns["q3"][1] = None
    columns["q1"][2] = None
    for column in columns.values():
        column[3] = column[0]
    columns["q0"][3] = 7
    found = frequencies(Table(columns, Roles(quasi_identifiers=list(columns))), missing="wildcard")
    expected = naive(list(zip(*columns.values(), strict=True)), [1.0] * 40, 1.0)
    assert found.sample[found.classes.record_class].tolist() == expected
