from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given

from microveil.errors import ColumnError, InputError
from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.parts.distribution import Distribution, distribution, record_classes
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Classes, LazyTable, Missing, Roles, Table
from tests.privacy import naive


def counted(found: Distribution, classes: Classes) -> dict[naive.Row, Counter[object]]:
    assert found.labels is not None
    labels = found.labels.to_list()
    counts: dict[naive.Row, Counter[object]] = {}
    for i, value, n in zip(found.classes, found.values, found.counts, strict=True):
        counts.setdefault(classes.keys.row(int(i)), Counter())[labels[value]] = int(n)
    return counts


@given(naive.rows)
def test_each_class_counts_its_own_values(table: list[naive.Row]) -> None:
    classes = naive.classes_of(table)
    expected = {keys: Counter(values) for keys, values in naive.groups(table).items()}
    assert counted(distribution(classes, "s"), classes) == expected


@given(naive.rows)
def test_with_wildcards_a_class_counts_all_it_cannot_be_told_from(table: list[naive.Row]) -> None:
    classes = naive.classes_of(table, "wildcard")
    found = distribution(classes, "s")
    expected = {keys: Counter(values) for keys, values in naive.matching(table).items()}
    assert counted(found, classes) == expected
    assert found.sizes.tolist() == classes.sizes.tolist()
    assert found.totals.sum() == len(table)


@given(naive.rows)
def test_values_are_numbered_in_their_order_and_missing_is_the_last(
    table: list[naive.Row],
) -> None:
    found = distribution(naive.classes_of(table), "s")
    assert found.labels is not None
    assert found.labels.to_list() == naive.domain_of(table)


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows)
def test_a_streamed_table_has_the_same_distribution(
    missing: Missing, table: list[naive.Row]
) -> None:
    eager = naive.classes_of(table, missing)
    lazy = Classes.of(LazyTable(naive.frame_of(table).lazy(), naive.ROLES), missing=missing)
    assert counted(distribution(lazy, "s"), lazy) == counted(distribution(eager, "s"), eager)
    keys = [lazy.keys.row(int(i)) for i in record_classes(lazy)]
    assert keys == [tuple(row[:-1]) for row in table]


def test_many_classes_and_values_are_counted_without_an_array_of_all_pairs() -> None:
    n = 3000
    frame = pl.DataFrame({"a": range(n), "s": [i % 1500 for i in range(n)]})
    table = Table(frame, Roles(quasi_identifiers=["a"]))
    found = distribution(Classes.of(table), "s")
    assert found.counts.tolist() == [1] * n
    assert found.totals.tolist() == [2] * 1500
    lazy = Classes.of(LazyTable(frame.lazy(), table.roles))
    assert distribution(lazy, "s").values.tolist() == found.values.tolist()


def test_without_keys_the_table_is_one_class() -> None:
    frame = pl.DataFrame({"s": ["x", "y", "x"]})
    for classes in (Classes.of(Table(frame)), Classes.of(LazyTable(frame.lazy(), Roles()))):
        assert distribution(classes, "s").counts.tolist() == [2, 1]


def test_a_nested_sensitive_column_is_refused() -> None:
    with pytest.raises(ColumnError, match="'s'"):
        LDiversity(l=2, column="s").check({"s": [[1], [2]]}, Roles())


def test_a_sensitive_column_must_be_named_or_have_its_role() -> None:
    with pytest.raises(InputError, match=r"l_diversity needs a sensitive column"):
        LDiversity(l=2).check({"a": [1]}, Roles(quasi_identifiers=["a"]))
    with pytest.raises(ColumnError, match="Did you mean 's'"):
        LDiversity(l=2, column="ss").check({"s": [1]}, Roles())


def test_several_columns_must_each_keep_the_promise() -> None:
    frame = {"a": [1, 1, 2, 2], "s": [1, 2, 1, 2], "r": [1, 1, 1, 2]}
    roles = Roles(quasi_identifiers=["a"], sensitive=["s", "r"])
    check = LDiversity(l=2).check(frame, roles)
    assert (check.achieved, check.n_broken, dict(check.parts)) == (1, 2, {"s": 2, "r": 1})
    assert LDiversity(l=2, column=("s",)).check(frame, roles).holds
    assert LDiversity(l=2).reads(roles) == ("s", "r")
    assert LDiversity(l=2, column="r").reads(roles) == ("r",)


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows)
def test_counts_without_a_table_are_enough_where_values_need_no_names(
    missing: Missing, table: list[naive.Row]
) -> None:
    classes = naive.classes_of(table, missing)
    bare = replace(classes, table=None)
    for model in (LDiversity(l=2, column="s", kind="entropy"), TCloseness(t=0.1, column="s")):
        assert model.verify(bare).achieved == pytest.approx(model.verify(classes).achieved)
    with pytest.raises(InputError, match="only class counts"):
        TCloseness(t=0.1, column="s", distance="ordered").verify(bare)
    with pytest.raises(InputError, match="only class counts"):
        AlphaKAnonymity(alpha=0.5, k=2, column="s", value="10").verify(bare)
