"""Every kind of question, and what to spend on it."""

from __future__ import annotations

import pytest

from microveil import dp
from tests.dp.tables import PRIVATE, QUERIES

ALL = {**QUERIES, **PRIVATE}
names = pytest.mark.parametrize("name", list(ALL))
SPENDS = [dp.Loss(epsilon=1, delta="1e-6"), dp.Loss(rho="1/10", delta="1e-6")]
