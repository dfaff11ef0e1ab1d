from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microveil.search.local_recoding.mend import mend
from tests.search.local_recoding.cases import FRAME, recoding_space, sizes


def test_small_classes_join_the_nearest() -> None:
    space = recoding_space()
    alone = np.full(FRAME.height, -1, dtype=np.int32)
    labels = mend(space, alone, 3, None, np.random.default_rng(0))
    # Five records in France, all female; three in Italy, all male.
    assert sizes(labels) == [3, 5]
    assert len(set(zip(FRAME["sex"], labels.tolist(), strict=True))) == 2


def test_classes_that_are_large_enough_stay() -> None:
    space = recoding_space()
    start = np.array([0, 0, 1, 2, 2, 2, 1, 0], dtype=np.int32)
    labels = mend(space, start, 2, None, np.random.default_rng(0))
    assert len(set(zip(start.tolist(), labels.tolist(), strict=True))) == 3


def test_a_class_that_a_judge_refuses_is_merged_and_the_last_one_stays() -> None:
    space = recoding_space()
    start = np.array([0, 0, 0, 1, 1, 1, 0, 0], dtype=np.int32)

    def both_sexes(of_record: NDArray[np.int32], n_classes: int) -> NDArray[np.bool_]:
        seen = [set(FRAME["sex"].filter(of_record == one)) for one in range(n_classes)]
        return np.array([len(one) == 2 for one in seen])

    assert sizes(mend(space, start, 2, both_sexes, np.random.default_rng(0))) == [8]

    def never(of_record: NDArray[np.int32], n_classes: int) -> NDArray[np.bool_]:  # noqa: ARG001
        return np.zeros(n_classes, dtype=np.bool_)

    assert sizes(mend(space, start, 2, never, np.random.default_rng(0))) == [8]
