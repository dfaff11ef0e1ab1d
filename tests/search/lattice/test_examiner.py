"""What the examiner says of a node, beside plain counting of the generalised table."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.privacy import LDiversity
from microveil.search.lattice.lattice_search import LatticeSearch
from microveil.tables import Table
from tests.search.exhaustive import HIERARCHIES, KEYS, ROLES, TOPS, frame_of, generalized, rows

NODES = list(product(*(range(top + 1) for top in TOPS)))


def search(**fields: Any) -> LatticeSearch:
    return LatticeSearch.parse({"hierarchies": HIERARCHIES, "loss": "height", **fields})


@settings(max_examples=20, deadline=None)
@given(st.lists(rows, min_size=4, max_size=30), st.integers(2, 4), st.sampled_from([0.0, 0.3]))
def test_a_node_suppresses_the_records_of_small_classes(
    some: list[Any], k: int, share: float
) -> None:
    frame = frame_of(some)
    examiner, _ = search(k=k, suppression_share=share).search_with_examiner(Table(frame, ROLES))
    most = int(share * frame.height + 1e-9)
    assert examiner.goals.most_suppressed == most
    for levels in NODES:
        sizes = Counter(generalized(frame, levels).select(KEYS).rows()).values()
        small = sum(size for size in sizes if size < k)
        found = examiner.examine(levels)
        assert found.solution == (small <= most and any(size >= k for size in sizes))
        if found.solution:
            assert found.n_suppressed == small
            assert found.n_classes == sum(size >= k for size in sizes)
            assert found.score[0] == sum(levels)
        else:
            assert found.n_suppressed <= frame.height
        assert found.bound <= found.score


def test_records_of_classes_that_break_a_model_are_marked() -> None:
    frame = frame_of(
        [("1", "1", "1", 0), ("1", "1", "1", 1), ("2", "1", "1", 0), ("2", "1", "1", 0)]
    )
    models = [LDiversity(l=2, column="s")]
    examiner, _ = search(models=models, suppression_share=0.5).search_with_examiner(
        Table(frame, ROLES)
    )
    of_record, out, passes = examiner.suppressed_at((0, 0, 0))
    assert out[of_record].tolist() == [0, 0, 1, 1]
    assert passes
    before = examiner.n_checked
    examiner.examine((1, 0, 0))
    assert examiner.n_checked == before + 1
