"""Descriptions of a spec's fields: the docstrings under them, read from the source when needed."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from typing import TYPE_CHECKING

from microveil.source_trees import tree_of

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

_Docstrings = dict[str, dict[str, str]]


def describe_fields(spec: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a spec, each with its description."""
    fields = spec.__pydantic_fields__
    if "_described" not in spec.__dict__:
        for name, field in fields.items():
            if field.description is None:
                field.description = _docstring(spec, name)
        type.__setattr__(spec, "_described", True)
    return fields


def _docstring(spec: type, field: str) -> str | None:
    """The docstring where the field is declared: in the spec itself or in the nearest parent."""
    for parent in spec.__mro__:
        if field in inspect.get_annotations(parent):
            return _docstrings(parent.__module__).get(parent.__qualname__, {}).get(field)
    return None


@functools.cache
def _docstrings(module: str) -> _Docstrings:
    """All docstrings under fields in a module, by class and field."""
    try:
        tree = tree_of(sys.modules[module])
    except (OSError, TypeError):  # no source at hand, as in a frozen program
        return {}
    found: _Docstrings = {}
    _collect(tree, "", found)
    return found


def _collect(body: ast.Module | ast.ClassDef, prefix: str, found: _Docstrings) -> None:
    for node in body.body:
        if isinstance(node, ast.ClassDef):
            name = f"{prefix}{node.name}"
            found[name] = _under_fields(node)
            _collect(node, f"{name}.", found)


def _under_fields(node: ast.ClassDef) -> dict[str, str]:
    """The strings that directly follow an annotated name."""
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in zip(node.body, node.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
