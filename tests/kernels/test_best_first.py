from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.best_first import open_queue, pop, push


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-3, 3) | st.none(), max_size=40))
def test_the_best_comes_first_and_the_smaller_entry_among_equals(orders: list[int | None]) -> None:
    queue = open_queue(41)
    waiting: list[tuple[float, int]] = []
    for entry, worth in enumerate(orders):
        if worth is not None:
            push(queue, float(worth), entry)
            waiting.append((-worth, entry))
        elif waiting:
            best = min(waiting)
            assert (-queue.worth[0], queue.entry[0]) == best
            pop(queue)
            waiting.remove(best)
    assert queue.state[0] == len(waiting)
