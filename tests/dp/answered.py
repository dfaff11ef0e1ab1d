"""A survey that is ready to be asked, and the numbers of an answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.tables import QUERIES, declared, survey

HUGE = dp.Loss(epsilon=10**9)
FRAME = survey()
READY = prepare(FRAME, declared(size=2000))
names = pytest.mark.parametrize("name", list(QUERIES))


def numbers(answer: dp.Answer) -> list[float]:
    """The values of an answer as numbers, row by row."""
    return [as_number(row["value"]) for row in answer.rows]


def as_number(value: Any) -> float:
    if isinstance(value, str):
        days = np.datetime64(value).astype("datetime64[D]").astype(int) if "-" in value else 0
        return float(days)
    return float(value)
