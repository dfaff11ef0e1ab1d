from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from microveil.kernels.checks import (
    LARGEST,
    check_grouping,
    check_labels,
    check_points,
    check_values,
)

two = np.zeros((2, 1))


@pytest.mark.parametrize(
    ("check", "arguments", "message"),
    [
        (check_points, (np.zeros(3), 1), "records and columns"),
        (check_points, (np.zeros((3, 0)), 1), "records and columns"),
        (check_points, (two, 3), "k = 3 records, there are 2"),
        (check_points, (two, 0), "k = 0"),
        (check_points, (np.array([[1.0], [np.nan]]), 1), "finite"),
        (check_points, (np.array([[-np.inf], [0.0]]), 1), "finite"),
        (check_points, (np.array([[LARGEST], [0.0]]), 1), "below 1e"),
        (check_points, (np.array([[-LARGEST], [0.0]]), 1), "below 1e"),
        (check_values, (two, 1), "one column"),
        (check_values, (np.zeros(2), 3), "there are 2"),
        (check_labels, (two, np.array([0], np.int32)), "do not belong together"),
        (check_labels, (np.zeros((0, 1)), np.zeros(0, np.int32)), "do not belong together"),
        (check_labels, (two, np.array([0, -1], np.int32)), "labels start at 0"),
        (check_grouping, (two, np.array([0, 1], np.int32), 2), "2 to 3 records"),
        (check_grouping, (np.zeros((4, 1)), np.zeros(4, np.int32), 2), "2 to 3 records"),
    ],
)
def test_what_a_loop_cannot_use_is_refused(
    check: Callable[..., None], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        check(*arguments)


def test_what_it_can_use_passes() -> None:
    check_points(np.array([[0.99 * LARGEST], [-0.99 * LARGEST]]), 2)
    check_values(np.array([1.0, 2.0]), 2)
    check_labels(two, np.array([0, 3], np.int32))
    check_grouping(np.zeros((5, 2)), np.array([0, 0, 1, 1, 1], np.int32), 2)
