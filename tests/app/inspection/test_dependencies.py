from __future__ import annotations

from random import Random
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.inspection.column import Column
from microveil.app.inspection.dependencies import Dependency, dependencies


def found_in(data: dict[str, list[Any]]) -> list[Dependency]:
    frame = pl.DataFrame(data)
    return dependencies(frame, [Column(series, None) for series in frame.get_columns()])


def drawn(n_values: int, n: int = 300, seed: int = 1) -> list[int]:
    random = Random(seed)
    return [random.randrange(n_values) for _ in range(n)]


def test_a_code_and_its_label_determine_each_other() -> None:
    codes = drawn(6)
    assert found_in({"code": codes, "label": [f"L{code}" for code in codes]}) == [
        Dependency("code", "label", mutual=True)
    ]


def test_a_coarser_column_follows_from_the_finer() -> None:
    towns = drawn(30)
    assert found_in({"region": [town // 10 for town in towns], "town": towns}) == [
        Dependency("town", "region", mutual=False)
    ]


def test_missing_is_a_value_like_any_other() -> None:
    codes = drawn(6)
    labels = [None if code == 3 else f"L{code}" for code in codes]
    assert found_in({"code": codes, "label": labels})[0].mutual


def test_one_exception_breaks_a_dependency() -> None:
    codes = drawn(6, n=20_000)
    labels = [f"L{code}" for code in codes]
    # Behind the rows on which pairs are refuted first.
    labels[7] = "L0" if codes[7] != 0 else "L1"
    assert found_in({"code": codes, "label": labels}) == []


def test_copies_with_many_values_are_found_too() -> None:
    many = drawn(1000, n=5000)
    assert found_in({"a": many, "b": [f"v{value}" for value in many]}) == [
        Dependency("a", "b", mutual=True)
    ]


def test_columns_without_repeats_prove_nothing() -> None:
    assert found_in({"id": list(range(300)), "sex": drawn(2)}) == []


@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(2, 40))
def test_independent_columns_of_small_tables_are_no_dependency(
    seed: int, n_values: int, n: int
) -> None:
    assert found_in({"a": drawn(n_values, n, seed), "b": drawn(2, n, seed + 1)}) == []
