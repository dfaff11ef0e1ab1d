from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError, SpecError
from microveil.methods.mondrian.step import Mondrian
from microveil.privacy.k_map import KMap
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Roles, Table
from tests.methods.mondrian.cases import (
    KEYS,
    applied,
    class_members,
    frame_of,
    options,
    tables,
    with_target,
)


@given(tables, options)
def test_every_combination_of_released_keys_occurs_k_times(
    records: list[Any], how: dict[str, Any]
) -> None:
    if len(records) < how["k"]:
        return
    outcome = applied(frame_of(records), **with_target(how))
    sizes = [len(members) for members in class_members(outcome.table.frame)]
    assert min(sizes) >= how["k"]
    assert outcome.facts["n_classes"] == len(sizes)
    assert outcome.facts["smallest"] == min(sizes)
    assert outcome.facts["largest"] == max(sizes)
    assert outcome.facts["mean"] == pytest.approx(np.mean(sizes))
    assert outcome.facts["variance"] == pytest.approx(np.var(sizes))


@given(tables, st.integers(2, 4), st.sampled_from(["strict", "relaxed"]))
def test_every_class_is_as_diverse_as_asked(records: list[Any], k: int, mode: str) -> None:
    secrets = [record[-1] for record in records]
    if len(records) < k:
        return
    how: dict[str, Any] = {"k": k, "mode": mode, "models": [LDiversity(l=2, column="ill")]}
    if len(set(secrets)) < 2:
        with pytest.raises(InputError, match="Not even a single class of all records"):
            applied(frame_of(records), **how)
        return
    for members in class_members(applied(frame_of(records), **how).table.frame):
        assert len(members) >= k
        assert len({secrets[row] for row in members}) >= 2


@given(tables, st.sampled_from([0.1, 0.3, 0.5]))
def test_every_class_is_as_close_to_the_table_as_asked(records: list[Any], t: float) -> None:
    secrets = [record[-1] for record in records]
    models = [TCloseness(t=t, column="ill", distance="equal")]
    overall = Counter(secrets)
    for members in class_members(applied(frame_of(records), k=2, models=models).table.frame):
        inside = Counter(secrets[row] for row in members)
        apart = sum(
            abs(inside[value] / len(members) - overall[value] / len(secrets)) for value in overall
        )
        assert apart / 2 <= t + 1e-9


@given(tables, st.integers(2, 3))
def test_people_are_counted_where_a_person_has_several_rows(records: list[Any], k: int) -> None:
    frame = frame_of(records).with_columns(who=pl.col("id") // 3)
    roles = Roles(quasi_identifiers=KEYS, entity="who")
    if frame["who"].n_unique() < k:
        with pytest.raises(InputError):
            applied(frame, roles, k=k)
        return
    for members in class_members(applied(frame, roles, k=k).table.frame):
        assert frame["who"][members].n_unique() >= k


@given(tables, options)
def test_distinct_rows_and_their_counts_tell_what_records_do(
    records: list[Any], how: dict[str, Any]
) -> None:
    if len(records) < how["k"]:
        return
    step = Mondrian(**with_target(how))
    frame, roles = frame_of(records), Roles(quasi_identifiers=KEYS)
    classes = frame.group_by(KEYS, maintain_order=True).agg(pl.col("id"), pl.len().cast(pl.Int64))
    found = step.on_classes(Table(classes.select(KEYS), roles), classes["len"].to_numpy())
    if not step.by_counts:
        assert found is None
        return
    assert found is not None
    whole = applied(frame, **how)
    of_records = found.table.frame.with_columns(classes["id"]).explode("id").sort("id")
    assert of_records.select(KEYS).equals(whole.table.frame.select(KEYS))
    assert found.facts == whole.facts


def test_models_ask_for_the_records() -> None:
    table = Table(pl.DataFrame({"age": [1, 2], "ill": ["x", "y"]}), Roles())
    step = Mondrian(k=2, columns=["age"], models=[LDiversity(l=2, column="ill")])
    assert step.on_classes(table, np.array([2, 2])) is None


def test_promises_cost_classes_but_not_more_than_needed() -> None:
    frame = pl.DataFrame({"age": range(8), "ill": ["x", "x", "y", "y", "x", "y", "x", "y"]})
    roles = Roles(quasi_identifiers=["age"], sensitive=["ill"])
    plain = applied(frame, roles, k=2)
    diverse = applied(frame, roles, k=2, models=[LDiversity(l=2)])
    assert plain.table.frame["age"].unique(maintain_order=True).to_list() == [
        "[0, 1]",
        "[2, 3]",
        "[4, 5]",
        "[6, 7]",
    ]
    assert diverse.table.frame["age"].unique(maintain_order=True).to_list() == [
        "[0, 3]",
        "[4, 5]",
        "[6, 7]",
    ]


def test_relaxed_mode_spreads_equal_values_and_strict_mode_does_not() -> None:
    frame = pl.DataFrame({"age": [1, 5, 5, 5, 5, 5, 5, 9]})
    roles = Roles(quasi_identifiers=["age"])
    strict = applied(frame, roles, k=2)
    relaxed = applied(frame, roles, k=2, mode="relaxed")
    assert strict.facts["n_classes"] == 1
    assert relaxed.table.frame["age"].to_list() == [
        "[1, 5]",
        "[1, 5]",
        "5",
        "5",
        "5",
        "5",
        "[5, 9]",
        "[5, 9]",
    ]


def test_the_widest_key_is_cut_first_compared_with_its_range_in_the_table() -> None:
    # After the first cut of `a`, its range is 1 of 4 and that of `b` 1 of 3 (the thesis's case).
    frame = pl.DataFrame({"a": [100, 101, 103, 104], "b": [1, 4, 1, 2]})
    roles = Roles(quasi_identifiers=["a", "b"])
    after = applied(frame, roles, k=2).table.frame
    assert after.rows() == [
        ("[100, 101]", "[1, 4]"),
        ("[100, 101]", "[1, 4]"),
        ("[103, 104]", "[1, 2]"),
        ("[103, 104]", "[1, 2]"),
    ]


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_records_that_are_all_alike_are_one_class_and_stay_as_they_are(mode: str) -> None:
    frame = pl.DataFrame({"a": [7] * 9, "b": ["x"] * 9})
    outcome = applied(frame, Roles(quasi_identifiers=["a", "b"]), k=2, mode=mode)
    assert outcome.table.frame.equals(frame)
    assert outcome.facts["n_classes"] == 1


def test_a_k_of_all_records_makes_one_class() -> None:
    outcome = applied(pl.DataFrame({"a": range(9)}), Roles(quasi_identifiers=["a"]), k=9)
    assert set(outcome.table.frame["a"]) == {"[0, 8]"}


def test_a_model_that_looks_keys_up_in_a_population_is_refused() -> None:
    models = [KMap(k=2, population="population.csv")]
    with pytest.raises(InputError, match="'k_map' looks keys up in a population"):
        Mondrian(k=2, columns="x", models=models).protect({"x": [1, 2, 3, 4]})


def test_fewer_records_than_k_are_refused() -> None:
    with pytest.raises(InputError, match="k = 1000000: the table has 2 records"):
        Mondrian(k=1_000_000, columns="x").protect({"x": [1, 2]})


def test_an_empty_table_passes_through() -> None:
    frame = pl.DataFrame({"x": pl.Series([], dtype=pl.Int64)})
    outcome = applied(frame, Roles(quasi_identifiers=["x"]), k=2)
    assert outcome.table.frame.equals(frame)
    assert outcome.facts["n_classes"] == 0


def test_a_target_goes_with_the_information_gain() -> None:
    for how in ({"split": "information_gain"}, {"target": "ill"}):
        with pytest.raises(SpecError, match="`target` goes with"):
            Mondrian.parse({"k": 2, **how})


def test_a_target_stays_predictable() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"noise": rng.normal(size=400), "sign": rng.normal(size=400)})
    frame = frame.with_columns(ill=(pl.col("sign") > 0.3).cast(pl.String))
    roles = Roles(quasi_identifiers=["noise", "sign"])

    def impure(**how: Any) -> int:
        after = applied(frame, roles, k=30, **how).table.frame
        targets = defaultdict(list)
        for *keys, target in after.select("noise", "sign", "ill").rows():
            targets[tuple(keys)].append(target)
        return sum(len(some) - max(Counter(some).values()) for some in targets.values())

    assert impure(split="information_gain", target="ill") < impure()


def test_the_certainty_penalty_keeps_more_than_the_widest_range() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({name: rng.lognormal(sigma=2, size=2000) for name in "abc"})

    def penalty(split: str) -> float:
        after = applied(frame, Roles(quasi_identifiers=list("abc")), k=10, split=split)
        total = 0.0
        for name in "abc":
            ends = (
                after.table.frame[name]
                .str.extract_all(r"[\d.e+-]+")
                .list.eval(pl.element().cast(pl.Float64))
            )
            span = frame[name].to_numpy()
            total += float((ends.list.last() - ends.list.first()).sum()) / float(np.ptp(span))
        return total

    assert penalty("ncp") < penalty("widest")


def test_a_model_about_the_whole_table_that_partitions_break_is_an_error() -> None:
    from microveil.privacy.parts.base import Check, PrivacyModel
    from microveil.tables import Classes

    class AtMostTwoClasses(PrivacyModel):
        """At most two classes; blames nobody in particular."""

        model: str = "two"

        def verify(self, classes: Classes) -> Check:
            first = np.arange(max(classes.n_classes - 3, 0))
            return Check("two", "two", 2, classes.n_classes, first, 0, classes.n_records)

    frame = pl.DataFrame({"x": range(64)})
    with pytest.raises(InputError, match="models together"):
        applied(frame, Roles(quasi_identifiers=["x"]), k=2, models=[AtMostTwoClasses()])


def test_pandas_rows_keep_their_index() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 9, 2, 8]}, index=list("pqrs"))
    after = Mondrian(k=2, columns="a").protect(frame)
    assert list(after.index) == list("pqrs")
    assert list(after["a"]) == ["[1, 2]", "[8, 9]", "[1, 2]", "[8, 9]"]
