from __future__ import annotations

import datetime as dt
import re
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, HierarchyError, InputError, RolesError, SpecError
from microveil.methods.mondrian.step import Mondrian
from microveil.methods.parts.base import Outcome
from microveil.privacy.k_map import KMap
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Roles, Table

KEYS = ("age", "town", "born", "wage")
TOWNS = {"FR": ["Lyon", "Paris", "Nice"], "IT": {"south": ["Bari"], "north": ["Turin", "Milan"]}}
BRANCHES = {
    "FR": {"Lyon", "Paris", "Nice"},
    "south": {"Bari"},
    "north": {"Turin", "Milan"},
    "IT": {"Bari", "Turin", "Milan"},
    "*": {"Lyon", "Paris", "Nice", "Bari", "Turin", "Milan"},
}
DAY = dt.date(2000, 1, 1)

rows = st.tuples(
    st.none() | st.integers(20, 29),
    st.none() | st.sampled_from(sorted(BRANCHES["*"])),
    st.none() | st.integers(0, 40).map(lambda days: DAY + dt.timedelta(days=days)),
    st.none() | st.sampled_from([0.5, 1.25, 100.0, -3.0]),
    st.sampled_from("xyz"),
)
tables = st.lists(rows, min_size=2, max_size=60)


def frame_of(records: list[Any]) -> pl.DataFrame:
    schema = {
        "age": pl.Int64,
        "town": pl.String,
        "born": pl.Date,
        "wage": pl.Float64,
        "ill": pl.String,
    }
    return pl.DataFrame(records, schema=schema, orient="row").with_row_index("id")


def applied(frame: pl.DataFrame, roles: Roles | None = None, **how: Any) -> Outcome:
    roles = roles or Roles(quasi_identifiers=KEYS, sensitive=["ill"])
    return Mondrian(**how).apply(Table(frame, roles), np.random.default_rng(0))


def class_members(released: pl.DataFrame, keys: tuple[str, ...] = KEYS) -> list[list[int]]:
    """Rows of each class, by plain comparison of what is released."""
    members = defaultdict(list)
    for row, values in enumerate(released.select(keys).rows()):
        members[values].append(row)
    return list(members.values())


def covers(label: Any, value: Any) -> bool:
    """Whether a published range, set or label is true of a value."""
    if label is None:
        return True
    if value is None:
        return False
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if label == text:
        return True
    if ends := re.fullmatch(r"\[(.+), (.+)\]", label):
        kind = type(value) if not isinstance(value, dt.date) else dt.date.fromisoformat
        return bool(kind(ends[1]) <= value <= kind(ends[2]))
    if members := re.fullmatch(r"\{(.+)\}", label):
        return text in members[1].split(", ")
    return text in BRANCHES[label]


options = st.fixed_dictionaries(
    {
        "k": st.integers(2, 6),
        "mode": st.sampled_from(["strict", "relaxed"]),
        "publish": st.sampled_from(["ranges", "nodes", "centroids"]),
        "split": st.sampled_from(["widest", "ncp", "information_gain"]),
        "hierarchies": st.sampled_from([{}, {"town": {"tree": TOWNS}}]),
    }
)


def with_target(how: dict[str, Any]) -> dict[str, Any]:
    return how | ({"target": "ill"} if how["split"] == "information_gain" else {})


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


@given(tables, options)
def test_what_is_published_is_true_of_every_record(records: list[Any], how: dict[str, Any]) -> None:
    if len(records) < how["k"] or how["publish"] == "centroids":
        return
    before = frame_of(records)
    outcome = applied(before, **with_target(how))
    after = outcome.table.frame
    for name in KEYS:
        labels = after[name].cast(pl.String) if name in ("age", "town", "born") else after[name]
        labels = (
            labels
            if labels.dtype == pl.String
            else labels.map_elements(lambda number: f"{number:g}", return_dtype=pl.String)
        )
        assert all(map(covers, labels, before[name]))
        withheld = after[name].null_count() - before[name].null_count()
        assert outcome.facts["n_withheld"][name] == withheld
    assert after.select("id", "ill").equals(before.select("id", "ill"))


@given(tables, st.sampled_from(["strict", "relaxed"]))
def test_ranges_end_in_values_of_their_own_class(records: list[Any], mode: str) -> None:
    before = frame_of(records).select("age", "id")
    after = applied(before, Roles(quasi_identifiers=["age"]), k=2, mode=mode).table.frame
    if after["age"].dtype != pl.String:
        return
    for label in set(after["age"].drop_nulls()):
        ends = [int(end) for end in re.findall(r"\d+", label)]
        inside = before.filter(after["age"] == label)["age"].to_list()
        assert [min(inside), max(inside)] == [ends[0], ends[-1]]


@given(tables, st.integers(2, 4), st.sampled_from(["strict", "relaxed"]))
def test_centroids_are_means_medians_and_modes(records: list[Any], k: int, mode: str) -> None:
    if len(records) < k:
        return
    before = frame_of(records)
    after = applied(before, k=k, mode=mode, publish="centroids").table.frame
    assert after.schema == before.schema | {"age": after.schema["age"]}
    assert after.schema["age"] in (pl.Int64, pl.Float64)
    # Partitions with the same centre are one class, of which the centre says as much.
    for members in class_members(after):
        inside, label = before[members], after[members].row(0, named=True)
        for name in ("age", "wage"):
            values = inside[name].to_list()
            if label[name] is not None:
                assert None not in values
                assert label[name] == pytest.approx(np.mean(values))
            else:
                assert None in values
        assert label["town"] is None or label["town"] in inside["town"].to_list()
        assert label["born"] is None or label["born"] in inside["born"].to_list()


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


def test_partitions_that_look_alike_once_published_are_one_class() -> None:
    # Relaxed cuts of one key make two partitions of nothing but 5.
    frame = pl.DataFrame({"age": [1, 5, 5, 5, 5, 5, 5, 9]})
    for publish in ("ranges", "centroids"):
        outcome = applied(
            frame, Roles(quasi_identifiers=["age"]), k=2, mode="relaxed", publish=publish
        )
        assert outcome.facts["n_classes"] == outcome.table.frame["age"].n_unique() == 3
        assert outcome.facts["largest"] == 4
    # The branch "x" of one level and the branch "x" of the next are the same text.
    tree = {"x": {"x": ["a", "b"], "y": ["c", "d"]}, "z": ["e"]}
    towns = pl.DataFrame({"t": ["a", "b", "c", "a"], "n": [1, 2, 8, 9]})
    outcome = applied(
        towns, Roles(quasi_identifiers=["n", "t"]), k=2, hierarchies={"t": {"tree": tree}}
    )
    classes = Counter(outcome.table.frame.select("n", "t").rows())
    assert outcome.facts["n_classes"] == len(classes)


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


def test_missing_keys_are_cut_off_and_never_averaged_in() -> None:
    frame = pl.DataFrame({"age": [None, 30, None, 50]})
    roles = Roles(quasi_identifiers=["age"])
    assert applied(frame, roles, k=2).table.frame["age"].to_list() == [
        None,
        "[30, 50]",
        None,
        "[30, 50]",
    ]
    centred = applied(frame, roles, k=2, publish="centroids")
    assert centred.table.frame["age"].to_list() == [None, 40.0, None, 40.0]
    assert centred.facts["n_withheld"] == {"age": 0}


def test_a_missing_key_that_stays_in_a_partition_withholds_the_key() -> None:
    frame = pl.DataFrame({"age": [None, 20, 30, 30, 50, 60]})
    outcome = applied(frame, Roles(quasi_identifiers=["age"]), k=2)
    assert outcome.table.frame["age"].to_list() == [None, None, "30", "30", "[50, 60]", "[50, 60]"]
    assert outcome.facts["n_withheld"] == {"age": 1}


def test_trees_are_cut_between_branches() -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Milan", "Paris", "Bari", "Turin", "Nice"]})
    roles = Roles(quasi_identifiers=["town"])
    how: dict[str, Any] = {"k": 2, "hierarchies": {"town": {"tree": TOWNS}}}
    assert applied(frame, roles, **how).table.frame["town"].to_list() == [
        "FR",
        "IT",
        "FR",
        "IT",
        "IT",
        "FR",
    ]
    sets = applied(frame, roles, **how, publish="ranges").table.frame["town"].to_list()
    assert [sorted(label.strip("{}").split(", ")) for label in sets[:2]] == [
        ["Lyon", "Nice", "Paris"],
        ["Bari", "Milan", "Turin"],
    ]


def test_numbers_follow_a_hierarchy_only_where_nodes_are_published() -> None:
    frame = pl.DataFrame({"age": [31, 38, 42, 44]})
    roles = Roles(quasi_identifiers=["age"])
    how: dict[str, Any] = {"k": 2, "hierarchies": {"age": {"hierarchy": "intervals", "width": 10}}}
    decades = ["[30, 40)", "[30, 40)", "[40, 50)", "[40, 50)"]
    assert applied(frame, roles, **how).table.frame["age"].to_list() == decades
    assert applied(frame, roles, **how, publish="ranges").table.frame["age"].to_list() == [
        "[31, 38]",
        "[31, 38]",
        "[42, 44]",
        "[42, 44]",
    ]


def test_unlisted_values_are_an_error_or_a_star() -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Lyon", "Oz", "Ys"]})
    roles = Roles(quasi_identifiers=["town"])
    how: dict[str, Any] = {"k": 2, "hierarchies": {"town": {"tree": TOWNS}}}
    with pytest.raises(HierarchyError, match=r"'town': 2 distinct values \(2 records\)"):
        applied(frame, roles, **how)
    starred = applied(frame, roles, **how, unlisted="star").table.frame
    assert starred["town"].to_list() == ["Lyon", "Lyon", "*", "*"]


def test_members_of_a_set_are_told_apart_whatever_they_contain() -> None:
    frame = pl.DataFrame({"x": ["a, b", "{c}", "d\\"], "id": [1, 2, 3]})
    after = applied(frame, Roles(quasi_identifiers=["x"]), k=3).table.frame
    assert set(after["x"]) == {r"{a\, b, d\\, \{c\}}"}


def test_frequent_categories_come_first_where_there_is_no_hierarchy() -> None:
    frame = pl.DataFrame({"x": ["c", "a", "c", "b", "c", "a"]})
    after = applied(frame, Roles(quasi_identifiers=["x"]), k=2).table.frame
    assert after["x"].to_list() == ["c", "{a, b}", "c", "{a, b}", "c", "{a, b}"]


def test_only_centroids_may_be_wrong() -> None:
    assert Mondrian(k=2, publish="centroids").perturbative
    assert not Mondrian(k=2).perturbative


def test_enumerations_keep_their_order() -> None:
    size = pl.Enum(["small", "medium", "large", "huge"])
    frame = pl.DataFrame({"size": pl.Series(["huge", "small", "large", "medium"], dtype=size)})
    after = applied(frame, Roles(quasi_identifiers=["size"]), k=2).table.frame
    assert after["size"].to_list() == [
        "[large, huge]",
        "[small, medium]",
        "[large, huge]",
        "[small, medium]",
    ]
    centred = applied(frame, Roles(quasi_identifiers=["size"]), k=2, publish="centroids")
    assert centred.table.frame["size"].to_list() == ["large", "small", "large", "small"]
    assert centred.table.frame.schema["size"] == size


def test_a_key_that_nobody_had_to_coarsen_stays_as_it_is() -> None:
    frame = pl.DataFrame({"age": [30, 30, 40, 40], "sex": ["f", "f", "m", "m"]})
    after = applied(frame, Roles(quasi_identifiers=["age", "sex"]), k=2)
    assert after.table.frame.equals(frame)


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_records_that_are_all_alike_are_one_class_and_stay_as_they_are(mode: str) -> None:
    frame = pl.DataFrame({"a": [7] * 9, "b": ["x"] * 9})
    outcome = applied(frame, Roles(quasi_identifiers=["a", "b"]), k=2, mode=mode)
    assert outcome.table.frame.equals(frame)
    assert outcome.facts["n_classes"] == 1


def test_a_k_of_all_records_makes_one_class() -> None:
    outcome = applied(pl.DataFrame({"a": range(9)}), Roles(quasi_identifiers=["a"]), k=9)
    assert set(outcome.table.frame["a"]) == {"[0, 8]"}


def test_numbers_too_far_apart_to_be_counted_are_cut_by_rank() -> None:
    frame = pl.DataFrame({"x": [-(2**62), 0, 2**62, 5], "y": [1e-300, 1e300, -1e308, 1e308]})
    for name, labels in {
        "x": ["[-4611686018427387904, 0]", "[5, 4611686018427387904]"],
        "y": ["[-1e+308, 1e-300]", "[1e+300, 1e+308]"],
    }.items():
        after = applied(frame, Roles(quasi_identifiers=[name]), k=2).table.frame
        assert sorted(set(after[name])) == sorted(labels)


def test_every_kind_of_key_can_be_cut(any_column: pl.Series) -> None:
    frame = any_column.to_frame()
    for publish in ("ranges", "centroids"):
        after = Mondrian(k=2, columns="x", publish=publish).protect(frame)
        assert min(Counter(after["x"].to_list()).values()) >= 2


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(ColumnError, match="'x' holds 2 numbers that are infinite"):
        Mondrian(k=2, columns="x").protect({"x": [1.0, float("inf"), float("-inf")]})


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


def test_keys_must_be_known_and_plain(nested: pl.DataFrame) -> None:
    with pytest.raises(RolesError, match="needs keys"):
        Mondrian(k=2).protect({"x": [1, 2]})
    with pytest.raises(ColumnError, match="No column 'y'"):
        Mondrian(k=2, columns="y").protect({"x": [1, 2]})
    with pytest.raises(ColumnError, match="nested"):
        Mondrian(k=2, columns="x").protect(nested)
    with pytest.raises(ColumnError, match=r"hierarchy for 'yy', which is not one of its keys"):
        Mondrian(k=2, columns="x", hierarchies={"yy": {"hierarchy": "types"}}).protect({"x": [1]})


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
