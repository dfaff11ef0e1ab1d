from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.risk.record_linkage import RecordLinkage

ROLES = mv.Roles(quasi_identifiers=["age", "town", "sex"])


def people(n: int = 300, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(16, 96, n),
            "town": rng.choice([*"abcdefgh"], n),
            "sex": rng.choice(["f", "m"], n),
        }
    )


@pytest.mark.parametrize("k", [2, 5, 20])
@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_linkage_to_disjoint_boxes_finds_one_in_each_class(k: int, mode: Any) -> None:
    frame = people()
    released = mv.Mondrian(k=k, mode=mode).protect(frame, ROLES, seed=0)
    classes = released.select("age", "town", "sex").n_unique()
    score = RecordLinkage().measure(frame, released, roles=ROLES)
    if mode == "strict":
        assert score.value == pytest.approx(classes / frame.height)
    else:  # boxes that share an edge share its people
        assert 0 < score.value <= classes / frame.height


def covers(label: str, age: int) -> bool:
    low, high = (int(end) for end in label.strip("[]").split(", "))
    return low <= age <= high


def test_a_number_is_linked_to_the_narrowest_interval_around_it() -> None:
    frame = pl.DataFrame({"age": [20, 30, 40, 50]})
    released = pl.DataFrame({"age": ["[20, 25]", "[20, 45]", "[36, 44]", "[46, 60]"]})
    score = RecordLinkage().measure(frame, released)
    assert score.records is not None
    assert score.records.tolist() == [1, 1, 1, 1]
    crowded = released.with_columns(age=pl.Series(["[20, 45]", "[20, 45]", "[20, 45]", "[46, 60]"]))
    found = RecordLinkage().measure(frame, crowded).records
    assert found is not None
    assert found == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])


def test_credits_are_those_of_whoever_looks_for_the_intervals_by_hand() -> None:
    rng = np.random.default_rng(3)
    age = rng.integers(0, 30, 60)
    low = age - rng.integers(0, 4, 60)
    width = 8
    labels = [f"[{start}, {start + width}]" for start in low]
    frame, released = pl.DataFrame({"age": age}), pl.DataFrame({"age": labels})
    found = RecordLinkage().measure(frame, released).records
    assert found is not None
    for i in range(60):
        values = np.unique(age)
        around = [label for label in labels if covers(label, age[i])]
        narrow = [sum(covers(label, value) for value in values) for label in around]
        own = sum(covers(labels[i], value) for value in values)
        expected = 1 / narrow.count(own) if own == min(narrow) else 0
        assert found[i] == pytest.approx(expected)


def test_half_open_ends_hold_what_they_say() -> None:
    frame = pl.DataFrame({"age": [10, 20, 30]})
    released = pl.DataFrame({"age": ["[10, 20)", "[20, 30)", "[30, 40)"]})
    assert RecordLinkage().measure(frame, released).value == 1


def test_masks_and_sets_are_read() -> None:
    frame = pl.DataFrame({"zip": ["0801", "0802", "1701", "1702"], "job": ["a", "b", "c", "d"]})
    released = pl.DataFrame(
        {"zip": ["08**", "08**", "17**", "17**"], "job": ["{a, c}", "{b, d}", "{a, c}", "{b, d}"]}
    )
    assert RecordLinkage().measure(frame, released).value == 1
    assert RecordLinkage(columns=["zip"]).measure(frame, released).value == 0.5


def test_a_pseudonym_is_no_label_that_could_be_read() -> None:
    frame = pl.DataFrame({"name": ["ann", "bob", "cid", "dan"]})
    renamed = pl.DataFrame({"name": ["x1", "x2", "x3", "x4"]})
    assert RecordLinkage().measure(frame, renamed).value == 0.25


def test_a_blank_stands_for_everybody() -> None:
    frame = people(50)
    blank = frame.with_columns(pl.lit("*").alias(name) for name in frame.columns)
    assert RecordLinkage().measure(frame, blank).value == pytest.approx(1 / 50)


def test_a_large_table_is_linked_by_a_sample_that_agrees() -> None:
    frame = people(3000)
    released = mv.Mondrian(k=5).protect(frame, ROLES, seed=0)
    full = RecordLinkage().measure(frame, released, roles=ROLES)
    part = RecordLinkage(most_pairs=500_000).measure(frame, released, roles=ROLES)
    assert full.interval is None
    assert full.parts["n_linked"] == 3000
    assert part.records is None
    assert 1000 <= part.parts["n_linked"] < 3000
    assert part.interval is not None
    assert part.interval[0] <= full.value <= part.interval[1]
    assert part.parts["expected_links"] == pytest.approx(part.value * 3000)
