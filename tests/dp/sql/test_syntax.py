from __future__ import annotations

import logging

import pytest

import microveil as mv
from microveil import dp
from microveil.dp.sql.conditions import parse_statement
from microveil.dp.sql.syntax import check_syntax
from tests.dp.tables import declared


def test_every_option_of_every_node_is_read_or_refused() -> None:
    """Whatever argument a node carries beyond those that are read, the statement is refused."""
    from sqlglot import exp

    text = "SELECT region, COUNT(*) AS n FROM survey s WHERE age BETWEEN 3 AND -4 GROUP BY region"
    check_syntax(parse_statement(text))
    n_tried = 0
    for at, node in enumerate(parse_statement(text).walk()):
        for name in sorted(type(node).arg_types):
            tree = parse_statement(text)
            again = list(tree.walk())[at]
            if again.args.get(name):
                continue
            again.set(name, exp.Placeholder())
            n_tried += 1
            with pytest.raises(mv.QueryError, match="Not allowed"):
                check_syntax(tree)
    assert n_tried > 50


def test_the_parser_logs_nothing_of_an_analysts_text(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for text in (
            "ALTER TABLE survey SET zebra-77",
            "SHOW zebra-77",
            "SELECT COUNT(*) FROM survey WHERE age > 3\n{forged} zebra-77",
            "CALL zebra('77')\n2026-01-01 forged",
        ):
            with pytest.raises(mv.InputError):
                dp.parse_sql(text, declared())
    assert "zebra" not in caplog.text
    assert not caplog.records
