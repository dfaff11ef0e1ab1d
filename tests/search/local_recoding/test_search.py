from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.kernels.recoding.merge import paid_by_classes
from microveil.search.local_recoding.search import Effort, recode, sweep
from tests.search.local_recoding.cases import FRAME, recoding_space, sizes


@pytest.mark.parametrize("k", [2, 3, 4, 8])
def test_every_class_has_k_records_and_nobody_is_left_out(k: int) -> None:
    labels = recode(recoding_space(), Effort(k), np.random.default_rng(0))
    assert (labels >= 0).all()
    assert sizes(labels)[0] >= k


def test_records_may_be_left_out_up_to_the_limit() -> None:
    frame = pl.concat([FRAME, pl.DataFrame({"town": ["Bari"], "sex": ["f"]})])
    labels = recode(recoding_space(frame), Effort(3, most_suppressed=1), np.random.default_rng(0))
    assert (labels < 0).sum() <= 1
    assert sizes(labels)[0] >= 3


def test_the_same_stream_gives_the_same_classes_and_more_steps_lose_no_more() -> None:
    rng = np.random.default_rng(4)
    towns = ["Lyon", "Paris", "Nice", "Rome", "Bari"]
    frame = pl.DataFrame({"town": rng.choice(towns, 60), "sex": rng.choice(["f", "m"], 60)})
    space = recoding_space(frame)

    def paid(steps: int) -> float:
        labels = recode(space, Effort(4, steps=steps), np.random.default_rng(1))
        again = recode(space, Effort(4, steps=steps), np.random.default_rng(1))
        assert labels.tolist() == again.tolist()
        codes = np.ascontiguousarray(space.codes[space.row_of_record])
        return float(paid_by_classes(codes, np.ones(60, np.int64), labels, space.trees))

    assert paid(5_000) <= paid(0) + 1e-9


def test_one_sweep_gives_classes_at_the_cheapest_levels_that_have_them() -> None:
    labels = sweep(recoding_space(), 3)
    # Three records of Lyon and three of Italy; the others of France are two, too few.
    assert sizes(labels) == [3, 3]
    assert labels[FRAME["town"].eq("Lyon").to_numpy()].min() >= 0
    assert (labels < 0).sum() == 2


def test_steps_follow_the_rows_unless_they_are_named() -> None:
    assert Effort(2, steps=7).steps_for(1000) == 7
    assert Effort(2).steps_for(10) < Effort(2).steps_for(1000) < 10**9
    assert Effort(2, 0, 7).allowing(3) == Effort(2, 3, 7)
