from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.risk.attribute_disclosure import AttributeDisclosure

ROLES = mv.Roles(quasi_identifiers=["town"], sensitive=["ill"])

rows = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["x", "y", "z", None])),
    min_size=1,
    max_size=20,
)


@given(rows, st.sampled_from([0.5, 0.75, 1.0]))
@settings(max_examples=60)
def test_every_part_is_that_of_counting_by_hand(
    table: list[tuple[str, str | None]], threshold: float
) -> None:
    frame = pl.DataFrame(table, {"town": pl.String, "ill": pl.String}, orient="row")
    score = AttributeDisclosure(threshold=threshold).measure(frame, roles=ROLES)
    parts = score.parts["columns"]["ill"]
    n = len(table)
    ill = [value for _, value in table]
    towns = {town: [value for t, value in table if t == town] for town, _ in table}
    posterior = [towns[t].count(v) / len(towns[t]) for t, v in table]
    prior = [ill.count(v) / n for v in ill]
    gain = np.array(posterior) - prior
    disclosed = [p >= threshold and g > 1e-12 for p, g in zip(posterior, gain, strict=True)]
    assert score.value == pytest.approx(sum(disclosed) / n)
    assert score.records == pytest.approx(posterior)
    homogeneous = [len(set(towns[t])) == 1 for t, _ in table]
    assert parts["homogeneous_share"] == pytest.approx(sum(homogeneous) / n)
    assert parts["l"] == min(max(len(set(values) - {None}), 1) for values in towns.values())
    distances = [
        0.5 * sum(abs(values.count(v) / len(values) - ill.count(v) / n) for v in set(ill))
        for values in towns.values()
    ]
    assert parts["t"] == pytest.approx(max(distances))
    assert parts["mean_gain"] == pytest.approx(gain.mean())
    assert parts["highest_gain"] == pytest.approx(gain.max())
    guesses = sum(max(values.count(v) for v in values) for values in towns.values())
    assert parts["attack"] == pytest.approx(guesses / n)


def test_l_and_t_are_those_of_the_models() -> None:
    frame = pl.DataFrame({"town": list("aaabbbb"), "ill": ["x", "x", "y", "x", "y", "z", "z"]})
    parts = AttributeDisclosure().measure(frame, roles=ROLES).parts["columns"]["ill"]
    classes = mv.Classes.of(mv.Table(frame, ROLES))
    assert parts["l"] == mv.LDiversity(l=2, column="ill").check(classes).achieved
    assert parts["t"] == pytest.approx(mv.TCloseness(t=0.5, column="ill").check(classes).achieved)


def test_the_course_s_3_anonymous_table_falls_to_the_homogeneity_attack() -> None:
    # S1, Taula 5: one class of three with 10,000, one with three different incomes.
    frame = pl.DataFrame({"town": ["80100"] * 3 + ["97222"] * 3, "ill": [10, 10, 10, 28, 25, 23]})
    assert AttributeDisclosure().measure(frame, roles=ROLES).value == 0.5


def test_what_everybody_has_is_no_disclosure() -> None:
    frame = pl.DataFrame({"town": ["a", "b"], "ill": ["x", "x"]})
    score = AttributeDisclosure().measure(frame, roles=ROLES)
    assert score.value == 0
    assert score.parts["columns"]["ill"]["homogeneous_share"] == 1


def test_the_worst_column_is_the_score() -> None:
    frame = pl.DataFrame({"town": ["a", "a", "b"], "x": [1, 2, 3], "y": [1, 1, 2]})
    score = AttributeDisclosure(column=["x", "y"]).measure(
        frame, roles=mv.Roles(quasi_identifiers=["town"])
    )
    assert score.parts["column"] == "y"
    assert score.value == 1


def test_nothing_sensitive_or_nobody_there_discloses_nothing() -> None:
    keys_only = mv.Roles(quasi_identifiers=["town"])
    assert AttributeDisclosure().measure({"town": ["a"]}, roles=keys_only).value == 0
    empty = pl.DataFrame(schema={"town": pl.String, "ill": pl.String})
    assert AttributeDisclosure().measure(empty, roles=ROLES).value == 0


def test_a_gap_is_no_diverse_value() -> None:
    frame = {"town": ["a", "a", "b", "b", "c"], "ill": ["flu", None, "flu", "cold", None]}
    roles = mv.Roles(quasi_identifiers=["town"], sensitive=["ill"])
    score = AttributeDisclosure().measure(frame, roles=roles)
    assert score.parts["columns"]["ill"]["l"] == 1
    both = {"town": ["b", "b", "b"], "ill": ["flu", "cold", None]}
    assert AttributeDisclosure().measure(both, roles=roles).parts["columns"]["ill"]["l"] == 2


def test_the_interval_of_a_class_is_disclosed_as_in_table_5_of_the_course() -> None:
    frame = {
        "zip": ["80100"] * 3 + ["97222"] * 3 + ["00000"],
        "income": [10000, 10000, 10000, 28000, 25000, 23000, None],
    }
    roles = mv.Roles(quasi_identifiers=["zip"], sensitive=["income"])
    score = AttributeDisclosure(width=0.3).measure(frame, roles=roles)
    ends = score.frames["intervals"].select("size", "low", "high").rows()
    assert sorted(ends) == [(3, 10000.0, 10000.0), (3, 23000.0, 28000.0)]
    parts = score.parts["columns"]["income"]
    assert parts["interval_share"] == 1.0  # 5,000 of 18,000 is less than 0.3
    assert parts["mean_width"] == pytest.approx(5 / 18 / 2)
    narrow = AttributeDisclosure().measure(frame, roles=roles)
    assert narrow.parts["columns"]["income"]["interval_share"] == 0.5


def test_a_constant_column_discloses_no_interval() -> None:
    frame = {"town": ["a", "b"], "pay": [5, 5]}
    roles = mv.Roles(quasi_identifiers=["town"], sensitive=["pay"])
    parts = AttributeDisclosure().measure(frame, roles=roles).parts["columns"]["pay"]
    assert (parts["interval_share"], parts["narrowest"]) == (0.0, 1.0)
