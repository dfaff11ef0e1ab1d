from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError
from microveil.privacy.km_anonymity import KmAnonymity
from microveil.privacy.parts import itemsets
from microveil.tables import Classes, LazyTable, Roles, Table
from tests.privacy import naive

records = st.lists(
    st.tuples(
        st.sampled_from([0, 1]),
        st.one_of(st.none(), st.lists(st.sampled_from([*"abcdef", None]), max_size=5)),
    ),
    min_size=1,
    max_size=14,
)
Record = tuple[int, list[str | None] | None]
ROLES = Roles(quasi_identifiers=["q"])


def table_of(found: list[Record]) -> Table:
    keys = pl.Series("q", [q for q, _ in found])
    held = pl.Series("items", [items for _, items in found], dtype=pl.List(pl.String))
    return Table(pl.DataFrame([keys, held]), ROLES)


def counted(found: list[Record], m: int, *, within: bool) -> Counter[object]:
    return Counter(
        (q if within else 0, items) for q, held in found for items in naive.itemsets(held or [], m)
    )


@pytest.mark.parametrize("within", [False, True])
@given(found=records, k=st.integers(2, 4), m=st.integers(1, 4))
def test_every_set_of_known_items_is_shared(
    within: bool,  # noqa: FBT001  a case, not a switch
    found: list[Record],
    k: int,
    m: int,
) -> None:
    support = counted(found, m, within=within)
    model = KmAnonymity(k=k, m=m, column="items", within_classes=within)
    classes = Classes.of(table_of(found))
    check = model.verify(classes)
    exposed = [
        any(support[q if within else 0, s] < k for s in naive.itemsets(held or [], m))
        for q, held in found
    ]
    assert check.achieved == min(support.values(), default=0)
    assert check.n_broken == sum(exposed)
    broken = {q for (q, _), seen in zip(found, exposed, strict=True) if seen}
    assert {classes.keys.row(int(i))[0] for i in check.broken_in} == broken


@given(found=records)
def test_counting_in_small_blocks_changes_nothing(found: list[Record]) -> None:
    model = KmAnonymity(k=2, m=3, column="items")
    whole = model.check(table_of(found))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(itemsets, "BLOCK", 2)
        parts = model.check(table_of(found))
    assert (parts.achieved, parts.n_broken) == (whole.achieved, whole.n_broken)


def test_text_is_cut_at_its_separator() -> None:
    frame = {"items": ["ale; rye", "rye;ale", "", None]}
    check = KmAnonymity(k=2, m=2, column="items", separator=";").check(frame, Roles())
    assert (check.achieved, check.holds) == (2, True)


def test_a_streamed_table_is_counted_too() -> None:
    table = table_of([(0, ["a", "b"]), (0, ["a"]), (1, ["a", "b"]), (1, ["c"])])
    lazy = LazyTable(table.frame.lazy(), ROLES)
    for within in (False, True):
        model = KmAnonymity(k=2, m=2, column="items", within_classes=within)
        eager, streamed = model.verify(Classes.of(table)), model.verify(Classes.of(lazy))
        assert (streamed.achieved, streamed.n_broken) == (eager.achieved, eager.n_broken)


@pytest.mark.parametrize("values", [[1, 2], ["a b", "c"]])
def test_a_column_without_sets_is_refused(values: list[object]) -> None:
    with pytest.raises(ColumnError, match=r"'items' holds .* `separator`"):
        KmAnonymity(k=2, m=1, column="items").check({"items": values}, Roles())


def test_arrays_and_numbers_are_sets_too() -> None:
    array = pl.Series("items", [[1, 2], [2, 1]], dtype=pl.Array(pl.Int64, 2))
    assert KmAnonymity(k=2, m=2, column="items").check(array.to_frame(), Roles()).holds


def test_sets_of_sets_are_refused() -> None:
    with pytest.raises(ColumnError, match="item"):
        KmAnonymity(k=2, m=1, column="items").check({"items": [[[1]], [[2]]]}, Roles())


def test_long_records_of_frequent_items_are_counted() -> None:
    rng = np.random.default_rng(1)
    held = [sorted(rng.choice(40, size=8, replace=False).tolist()) for _ in range(2000)]
    check = KmAnonymity(k=2, m=2, column="items").check(pl.DataFrame({"items": held}), Roles())
    pairs = Counter(pair for record in held for pair in naive.itemsets(record, 2))
    assert check.achieved == min(pairs.values())


def test_counts_without_a_table_are_not_enough() -> None:
    classes = Classes.of(Table({"q": [1, 1]}, ROLES))
    with pytest.raises(InputError, match="only class counts"):
        KmAnonymity(k=2, m=1, column="items").verify(replace(classes, table=None))


def test_people_hold_the_items_of_all_their_linked_rows() -> None:
    frame = {"id": [1, 1, 2, 3], "items": [["a"], ["b"], ["a"], ["b"]]}
    roles = Roles(entity="id")
    model = KmAnonymity(k=2, m=2, column="items")
    check = model.check(frame, roles)
    assert (check.achieved, check.n_broken, check.notes) == (1, 2, ())  # only 1 has both
    unlinked = model.check(Table(frame, roles).drop(["id"]))
    assert (unlinked.achieved, len(unlinked.notes)) == (2, 1)
