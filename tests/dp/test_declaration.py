from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil import dp
from tests.dp.tables import declared


@pytest.mark.parametrize(
    ("raw", "hint"),
    [
        ({"columns": {}}, "columns"),
        ({"columns": {"a": {"type": "text", "bounds": [0, 1]}}}, "takes no bounds"),
        ({"columns": {"a": {"type": "real", "bounds": [1, 1]}}}, "below the upper"),
        ({"columns": {"a": {"type": "integer", "bounds": [0.5, 1]}}}, "whole numbers"),
        ({"columns": {"a": {"type": "date", "bounds": ["x", "y"]}}}, "ISO dates"),
        ({"columns": {"a": {"type": "real", "keys": [1]}}}, "cannot be keys"),
        ({"columns": {"a": {"type": "text", "keys": ["x", "x"]}}}, "only once"),
        ({"columns": {"a": {"type": "text", "keys": [1]}}}, "of that type"),
        ({"columns": {"a": {"type": "text"}}, "size_is_public": True}, "change_one"),
        (
            {
                "columns": {"a": {"type": "text"}},
                "tables": {"t": {"key": "b", "columns": {"a": {"type": "text"}}}},
            },
            "not declared",
        ),
    ],
)
def test_a_contradictory_declaration_is_refused(raw: Any, hint: str) -> None:
    with pytest.raises(mv.SpecError, match=hint):
        dp.Declaration.parse(raw)


def test_a_declaration_survives_yaml(tmp_path: Any) -> None:
    declaration = declared(entity={"column": "id", "max_rows": 3}, size=10)
    path = tmp_path / "survey.yaml"
    path.write_text(declaration.to_yaml(), encoding="utf-8")
    assert dp.Declaration.read(path) == declaration
    with pytest.raises(mv.FileError):
        dp.Declaration.read(tmp_path / "none.yaml")
    with pytest.raises(mv.SpecError):
        dp.Declaration.from_yaml("[")
