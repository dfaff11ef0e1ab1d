from __future__ import annotations

import json

from microveil import dp
from tests.dp.answered import READY, names
from tests.dp.tables import QUERIES


@names
def test_every_answer_says_what_it_cost_and_whom_it_protects(name: str) -> None:
    found = dp.answer(QUERIES[name], READY, spend=dp.Loss(epsilon="1/3"))
    assert found.loss == dp.Loss(epsilon="1/3")
    assert "adding or removing one row" in found.relation
    assert "adding or removing one row" in found.sentence
    assert found.scale > 0
    plain = json.loads(json.dumps(found.to_dict()))
    assert dp.Answer.from_dict(plain).to_dict() == found.to_dict()
    assert set(found.frame.columns) == set(found.rows[0])
