from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import SpecError
from microveil.privacy.l_diversity import LDiversity, recursive_ratios
from microveil.privacy.parts.distribution import known_distribution
from microveil.tables import Missing, Roles
from tests.privacy import naive

S1 = {"q": [1, 1, 1, 2, 2, 2], "wage": [10000, 20000, 10000, 28000, 25000, 23000]}
S1_ROLES = Roles(quasi_identifiers=["q"], sensitive=["wage"])


def read(values: Sequence[Hashable], *, missing_counts: bool) -> Sequence[Hashable]:
    return values if missing_counts else naive.known(values)


@given(table=naive.rows, missing_counts=st.booleans())
def test_distinct_counts_the_values_of_every_class(
    *, table: list[naive.Row], missing_counts: bool
) -> None:
    groups = naive.groups(table)
    model = LDiversity(l=2, missing_counts=missing_counts)
    found = {
        keys: len(set(read(values, missing_counts=missing_counts)))
        for keys, values in groups.items()
    }
    classes = naive.classes_of(table)
    assert naive.reached(model, classes) == found
    check = model.verify(classes)
    assert check.achieved == min(found.values())
    poor = [groups[keys] for keys, n in found.items() if n < 2]
    assert (check.n_broken, len(check.broken_in)) == (sum(map(len, poor)), len(poor))
    assert check.holds == (not poor)


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows, missing_counts=st.booleans())
def test_entropy_is_that_of_every_class(
    *, missing: Missing, table: list[naive.Row], missing_counts: bool
) -> None:
    groups = naive.matching(table) if missing == "wildcard" else naive.groups(table)
    model = LDiversity(l=1.7, kind="entropy", missing_counts=missing_counts)
    classes = naive.classes_of(table, missing)
    levels = {
        keys: naive.entropy_l(read(values, missing_counts=missing_counts))
        for keys, values in groups.items()
    }
    assert naive.reached(model, classes) == pytest.approx(levels, rel=1e-12)
    check = model.verify(classes)
    assert check.achieved == pytest.approx(min(levels.values()), rel=1e-12)
    assert len(check.broken_in) == sum(level < 1.7 for level in levels.values())


@given(
    table=naive.rows,
    c=st.sampled_from([0.5, 1, 1.5, 2, 4]),
    rank=st.integers(2, 4),
    missing_counts=st.booleans(),
)
def test_recursive_holds_where_the_inequality_does(
    *, table: list[naive.Row], c: float, rank: int, missing_counts: bool
) -> None:
    groups = {
        keys: read(values, missing_counts=missing_counts)
        for keys, values in naive.groups(table).items()
    }
    model = LDiversity(l=rank, c=c, kind="recursive", missing_counts=missing_counts)
    check = model.verify(naive.classes_of(table))
    broken = [v for v in groups.values() if not naive.recursive_holds(v, c, rank)]
    assert len(check.broken_in) == len(broken)
    levels = {
        keys: max([r for r in range(1, 6) if naive.recursive_holds(v, c, r)], default=1)
        for keys, v in groups.items()
    }
    assert naive.reached(model, naive.classes_of(table)) == levels
    assert check.achieved == min(levels.values())


@given(naive.rows)
def test_the_ratio_is_the_c_that_recursive_diversity_must_exceed(table: list[naive.Row]) -> None:
    classes = naive.classes_of(table)
    ratios = recursive_ratios(known_distribution(classes, "s"))
    groups = naive.groups(table)
    for keys, ratio in zip(classes.keys.rows(), ratios.tolist(), strict=True):
        counts = sorted(Counter(naive.known(groups[keys])).values(), reverse=True)
        assert ratio == (counts[0] / sum(counts[1:]) if len(counts) > 1 else math.inf)
    ratio = float(ratios.max())
    if math.isinf(ratio):
        assert not LDiversity(l=2, c=1e9, kind="recursive").verify(classes).holds
    else:
        assert not LDiversity(l=2, c=ratio, kind="recursive").verify(classes).holds
        assert LDiversity(l=2, c=ratio * 1.001, kind="recursive").verify(classes).holds


def test_the_published_example_holds() -> None:
    assert LDiversity(l=2).check(S1, S1_ROLES).holds
    entropy = LDiversity(l=1.88, kind="entropy").check(S1, S1_ROLES)
    assert entropy.holds
    assert entropy.achieved == pytest.approx(1.8899, abs=5e-5)
    assert LDiversity(l=2, c=3, kind="recursive").check(S1, S1_ROLES).holds
    assert not LDiversity(l=2, c=2, kind="recursive").check(S1, S1_ROLES).holds


@pytest.mark.parametrize("times", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("values", [2, 3, 5, 6, 7, 10, 49])
def test_a_class_of_l_equally_frequent_values_has_entropy_l(values: int, times: int) -> None:
    frame = {"s": list(range(values)) * times}
    check = LDiversity(l=values, kind="entropy", column="s").check(frame, Roles())
    assert check.holds
    assert check.achieved == values


def test_an_entropy_on_the_limit_by_unequal_shares_holds_too() -> None:
    frame = {"s": [0] * 4 + [1, 2, 3, 4]}  # ½·log 2 + ½·log 8 = log 4
    assert LDiversity(l=4, kind="entropy", column="s").check(frame, Roles()).holds
    assert not LDiversity(l=4.0001, kind="entropy", column="s").check(frame, Roles()).holds


def test_a_nearly_even_class_does_not_pass_for_an_even_one() -> None:
    frame = {"s": [0] * 10_000 + [1] * 9_999}
    assert not LDiversity(l=2, kind="entropy", column="s").check(frame, Roles()).holds


def test_the_limit_of_the_recursive_inequality_breaks_it_whatever_floats_say() -> None:
    frame = {"s": [0] * 3 + [1 + i % 2 for i in range(30)]}
    # Counts 15, 15, 3: with l = 3 and c = 5 both sides are 15.
    assert not LDiversity(l=3, c=5, kind="recursive", column="s").check(frame, Roles()).holds
    tenths = {"s": [0] * 3 + list(range(1, 31))}  # 0.1 · 30 is more than 3 in floats
    assert not LDiversity(l=2, c=0.1, kind="recursive", column="s").check(tenths, Roles()).holds


@pytest.mark.parametrize(
    ("values", "n", "n_with_gaps"),
    [
        (["flu", None], 1, 2),
        (["flu", "", None], 1, 2),
        (["flu", "flu ", "flu  "], 1, 3),
        (["flu", " ", "cold", "cold\t"], 2, 4),
        ([None, None], 1, 1),
        ([1.0, None, 2.0], 2, 3),
    ],
)
def test_gaps_and_blanks_add_nothing_unless_asked(
    values: list[Any], n: int, n_with_gaps: int
) -> None:
    asked = LDiversity(l=2, column="s", missing_counts=True)
    for kind in (pl.String, pl.Categorical) if isinstance(values[0], str) else (None,):
        frame = pl.DataFrame({"s": pl.Series(values, dtype=kind)})
        assert LDiversity(l=2, column="s").check(frame, Roles()).achieved == n
        assert asked.check(frame, Roles()).achieved == n_with_gaps


def test_two_people_with_the_same_three_illnesses_are_not_diverse() -> None:
    frame = {"id": [1, 1, 1, 2, 2, 2], "q": ["x"] * 6, "s": ["a", "b", "c"] * 2}
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"], entity="id")
    check = LDiversity(l=3).check(frame, roles)
    assert (check.holds, check.achieved) == (False, 1)


def test_a_value_that_everybody_has_is_given_away_whatever_else_they_have() -> None:
    frame: dict[str, list[Any]]
    frame = {"id": [1, 2, 2, 3, 3], "q": ["x"] * 5, "s": ["a", "a", "b", "a", "c"]}
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"], entity="id")
    for model in (
        LDiversity(l=2),
        LDiversity(l=2, kind="entropy"),
        LDiversity(l=2, c=9, kind="recursive"),
    ):
        assert model.check(frame, roles).achieved == 1
    frame["s"][0] = "d"
    assert LDiversity(l=3).check(frame, roles).achieved == 3


def test_a_record_with_a_missing_key_is_not_left_out() -> None:
    frame = {"q": ["x", "x", None], "s": [1, 2, 1]}
    check = LDiversity(l=2, column="s").check(frame, Roles(quasi_identifiers=["q"]))
    assert (check.achieved, check.n_broken) == (1, 1)


def test_an_l_beyond_the_table_is_broken_everywhere() -> None:
    check = LDiversity(l=10**9).check(S1, S1_ROLES)
    assert (check.n_broken, check.n_records) == (6, 6)
    sentence = "distinct 1e+09-diversity does not hold: 6 of 6 records break it"
    assert check.sentence().startswith(sentence)


def test_an_empty_table_keeps_the_promise() -> None:
    check = LDiversity(l=2, column="s").check({"q": [], "s": []}, Roles(quasi_identifiers=["q"]))
    assert check.holds


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"l": 1}, "greater than 1"),
        ({"l": 2.5}, "whole number"),
        ({"l": 2, "kind": "recursive"}, "needs c"),
        ({"l": 2, "c": 3}, "needs c"),
        ({"l": 2, "c": 0, "kind": "recursive"}, "greater than 0"),
        ({"l": 2, "kind": "shannon"}, "kind"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(wrong: dict[str, object], hint: str) -> None:
    with pytest.raises(SpecError, match=hint):
        LDiversity.parse({"model": "l_diversity", **wrong})


def test_it_is_written_as_it_is_read() -> None:
    raw = {"model": "l_diversity", "column": "s", "l": 3, "kind": "entropy"}
    assert LDiversity.parse(raw).to_dict() == raw


def test_a_gap_that_everybody_has_beside_a_value_gives_nothing_away() -> None:
    frame = {"id": [1, 1, 2, 2, 3, 3], "ill": ["flu", None, "cold", None, "ulcer", None]}
    roles = Roles(entity="id", sensitive=["ill"])
    for kind in ("distinct", "entropy"):
        assert LDiversity(l=2, kind=kind).check(frame, roles).achieved == 3
    assert LDiversity(l=2, missing_counts=True).check(frame, roles).achieved == 1


def test_people_without_a_known_value_are_left_aside() -> None:
    frame = {"id": [1, 1, 2, 2, 3], "ill": ["flu", "cold", "flu", "ulcer", None]}
    check = LDiversity(l=2).check(frame, Roles(entity="id", sensitive=["ill"]))
    assert check.achieved == 1
