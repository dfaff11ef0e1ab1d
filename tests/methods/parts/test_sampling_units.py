from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.parts.sampling_units import sampling_units
from microveil.tables import Roles, Table

ids = st.one_of(st.none(), st.integers(0, 6))


@given(st.lists(st.tuples(ids, ids), min_size=1, max_size=25))
def test_records_are_one_unit_where_chains_of_ids_connect_them(
    rows: list[tuple[int | None, int | None]],
) -> None:
    table = Table(
        {"h": [h for h, _ in rows], "e": [e for _, e in rows]}, Roles(household="h", entity="e")
    )
    found = sampling_units(table, whole=True)
    sets = [{number} for number in range(len(rows))]
    for first in range(len(rows)):
        for second in range(first):
            same = any(
                a is not None and a == b for a, b in zip(rows[first], rows[second], strict=True)
            )
            if same and sets[first] is not sets[second]:
                joined = sets[first] | sets[second]
                for one in joined:
                    sets[one] = joined
    for first in range(len(rows)):
        for second in range(len(rows)):
            assert (found[first] == found[second]) == (second in sets[first])


def test_nan_is_no_household_and_nothing_else_joins_records() -> None:
    table = Table({"h": [1.0, float("nan"), float("nan"), 1.0]}, Roles(household="h"))
    assert sampling_units(table, whole=True).tolist() == [0, 1, 2, 0]
    assert sampling_units(table, whole=False).tolist() == [0, 1, 2, 3]
    assert sampling_units(Table({"x": [1, 1]}), whole=True).tolist() == [0, 1]
