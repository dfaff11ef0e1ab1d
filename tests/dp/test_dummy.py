from __future__ import annotations

from microveil import dp
from tests.dp.every_question import ALL, SPENDS
from tests.dp.tables import declared


def test_a_dummy_table_answers_whatever_the_declaration_allows() -> None:
    declaration = declared(entity={"column": "id", "max_rows": 3})
    dummy = dp.dummy_table(declaration, rows=40, seed=1)
    assert dummy.height == 40
    for query in ALL.values():
        dp.answer(query, dummy, declaration, SPENDS[0])
    assert dummy.equals(dp.dummy_table(declaration, rows=40, seed=1))
