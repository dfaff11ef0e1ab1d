from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import SpecError
from microveil.privacy.k_anonymity import KAnonymity
from microveil.tables import Classes, Missing, Roles, Table
from tests.privacy import naive


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows, k=st.integers(2, 5))
def test_records_that_share_their_keys_with_fewer_than_k_break_it(
    missing: Missing, table: list[naive.Row], k: int
) -> None:
    check = KAnonymity(k=k).verify(naive.classes_of(table, missing))
    groups = naive.groups(table) if missing == "category" else naive.matching(table)
    sizes = [len(groups[row[:-1]]) for row in table]
    assert check.achieved == min(sizes)
    assert check.n_broken == sum(size < k for size in sizes)
    assert check.holds == (min(sizes) >= k)


def test_people_count_once_however_many_records_they_have() -> None:
    roles = Roles(quasi_identifiers=["sex"], entity="id")
    table = Table({"sex": ["f", "f", "f", "m", "m"], "id": [1, 1, 1, 2, 3]}, roles)
    check = KAnonymity(k=2).verify(Classes.of(table))
    people = Counter(sex for sex, _ in set(table.frame.select("sex", "id").iter_rows()))
    assert check.achieved == min(people.values()) == 1
    assert not check.holds


def test_an_empty_table_describes_nobody() -> None:
    empty = pl.DataFrame(schema={"sex": pl.String})
    check = KAnonymity(k=2).check(empty, Roles(quasi_identifiers=["sex"]))
    assert (check.holds, check.n_records) == (True, 0)


def test_a_k_of_one_promises_nothing_and_is_refused() -> None:
    with pytest.raises(SpecError, match="greater than or equal to 2"):
        KAnonymity.parse({"model": "k_anonymity", "k": 1})
