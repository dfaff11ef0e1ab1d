"""What tests of budgets ask."""

from __future__ import annotations

from microveil import dp
from tests.dp.tables import survey

FRAME = survey(400)
YOUNG, OLD = dp.Count(where="age < 40"), dp.Count(where="age >= 40")
