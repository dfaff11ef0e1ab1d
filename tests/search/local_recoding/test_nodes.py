from __future__ import annotations

from microveil.search.local_recoding.nodes import best_node
from tests.search.local_recoding.cases import FRAME, recoding_space, sizes


def test_the_cheapest_generalisation_of_all_records_is_found() -> None:
    space = recoding_space()
    rows = best_node(space, 3, 0, 1.0)
    assert rows is not None
    labels = rows[space.row_of_record]
    assert sizes(labels) == [3, 5]
    # FR costs 2/4 and IT 1/4 of the towns, which are half of the loss.
    cost = (5 * 2 / 4 + 3 * 1 / 4) / 8 / 2
    assert best_node(space, 3, 0, cost) is None
    assert best_node(space, 3, 0, cost + 1e-9) is not None


def test_suppression_is_used_up_to_its_limit() -> None:
    # At the lowest levels only Lyon has three records: five would go.
    space = recoding_space()
    labels = best_node(space, 3, 5, 5 / 8 + 1e-9)
    assert labels is not None
    assert int(space.weights[labels < 0].sum()) <= 5


def test_a_node_that_is_not_accepted_is_passed_over() -> None:
    space = recoding_space()
    assert best_node(space, 3, 0, 1.0, accepts=lambda _: False) is None
    one = best_node(space, 3, 0, 1.0 + 1e-9, accepts=lambda labels: labels.max() == 0)
    assert one is not None
    assert sizes(one[space.row_of_record]) == [FRAME.height]


def test_nothing_is_below_no_cost() -> None:
    assert best_node(recoding_space(), 3, 0, 0.0) is None
