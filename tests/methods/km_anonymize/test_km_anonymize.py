from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.methods.km_anonymize import KmAnonymize

TREE = {"A": ["a1", "a2", "a3"], "B": ["b1", "b2"], "C": ["c1", "c2", "c3"]}
ITEMS = [item for branch in TREE.values() for item in branch]
SETS = st.lists(st.lists(st.sampled_from(ITEMS), max_size=5), min_size=1, max_size=25)
PUBLISHED = [["a1", "b1", "b2"], ["a2", "b1"], ["a2", "b1", "b2"], ["a1", "a2", "b2"]]


def example(column: str) -> KmAnonymize:
    return KmAnonymize(column=column, k=2, m=2, separator=" ")


def least_support(sets: list[set[str]], m: int) -> int:
    """The fewest owners of any set of up to m items that somebody has: counted one by one."""
    found: dict[tuple[str, ...], int] = {}
    for one in sets:
        for size in range(1, m + 1):
            for some in combinations(sorted(one), size):
                found[some] = found.get(some, 0) + 1
    return min(found.values(), default=10**9)


def outcome(step: KmAnonymize, frame: Any, roles: mv.Roles | None = None) -> mv.Outcome:
    return step.apply(mv.Table(frame, roles), np.random.default_rng(0))


def test_the_published_example_needs_one_generalisation() -> None:
    step = KmAnonymize.parse(
        {
            "column": "x",
            "k": 2,
            "m": 2,
            "hierarchy": {"hierarchy": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}},
        }
    )
    done = outcome(step, {"x": PUBLISHED})
    assert done.table.frame["x"].to_list() == [
        ["A", "b1", "b2"],
        ["A", "b1"],
        ["A", "b1", "b2"],
        ["A", "b2"],
    ]
    assert done.facts["loss"] == pytest.approx(5 * 0.5 / 11)
    assert done.facts["n_removed"] == 0


@settings(deadline=None)
@given(
    sets=SETS,
    k=st.integers(2, 4),
    m=st.integers(1, 3),
    share=st.sampled_from([None, 0.0, 0.2, 1.0]),
)
def test_every_set_of_m_items_is_held_by_k(
    sets: list[list[str]], k: int, m: int, share: float | None
) -> None:
    tree = None if share is None else {"hierarchy": "tree", "tree": TREE}
    step = KmAnonymize.parse(
        {"column": "x", "k": k, "m": m, "hierarchy": tree, "suppression_share": share}
    )
    frame = pl.DataFrame({"x": sets}, schema={"x": pl.List(pl.String)})
    try:
        done = outcome(step, frame)
    except mv.InputError as error:
        assert share is not None and share < 1, error  # noqa: PT017, PT018
        return
    after = [set(one) for one in done.table.frame["x"]]
    assert least_support(after, m) >= k
    parent = {leaf: label for label, leaves in TREE.items() for leaf in leaves}
    for old, new in zip(sets, after, strict=True):
        assert all(one in old or one == "*" or one in {parent[leaf] for leaf in old} for one in new)
    n_before = sum(len(set(one)) for one in sets)
    if share is not None:
        assert done.facts["n_removed"] <= share * n_before
    check = mv.KmAnonymity(k=k, m=m, column="x").check(done.table.frame, mv.Roles())
    assert check.holds or check.achieved == 0


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.integers(1, 8), st.sampled_from(ITEMS)), min_size=1, max_size=40))
def test_a_long_table_counts_people(rows: list[tuple[int, str]]) -> None:
    frame = pl.DataFrame(rows, schema=["pid", "code"], orient="row")
    roles = mv.Roles(entity="pid")
    done = outcome(KmAnonymize(column="code", k=2, m=2), frame, roles)
    sets: dict[int, set[str]] = {}
    for person, code in done.table.frame.iter_rows():
        if code is not None:
            sets.setdefault(person, set()).add(code)
    assert least_support(list(sets.values()), 2) >= 2
    assert done.table.frame["pid"].equals(frame["pid"])
    check = mv.KmAnonymity(k=2, m=2, column="code").check(done.table)
    assert check.holds or check.achieved == 0


def test_text_stays_text_and_missing_cells_stay_missing() -> None:
    frame = {"x": ["a; b", "b;a", None, "", "c"]}
    after = KmAnonymize(column="x", k=2, m=2, separator=";").protect(frame)
    assert after["x"].to_list() in (["a;b", "a;b", None, None, None], ["a;b", "a;b", None, "", ""])


def test_known_quasi_identifiers_count_within_their_classes() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "x": [["a"], ["a"], ["a"], ["b"]]})
    roles = mv.Roles(quasi_identifiers=["sex"])
    step = KmAnonymize(column="x", k=2, m=1, within_classes=True)
    done = outcome(step, frame, roles).table
    assert done.frame["x"].to_list() == [["a"], ["a"], [], []]
    model = mv.KmAnonymity(k=2, m=1, column="x", within_classes=True)
    assert model.check(done).holds


def test_what_cannot_be_generalised_is_said() -> None:
    step = KmAnonymize.parse(
        {"column": "x", "k": 3, "hierarchy": {"hierarchy": "tree", "tree": TREE}}
    )
    with pytest.raises(mv.InputError, match="suppression_share"):
        step.protect({"x": [["a1"], ["a1"]]})
    with pytest.raises(mv.InputError, match="Name a column of lists"):
        KmAnonymize(column="x", k=2).protect({"x": [1, 2]})
