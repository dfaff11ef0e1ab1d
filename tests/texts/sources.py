"""What the code says: the messages in it, and the keys it asks catalogues for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import microveil

SOURCE = Path(microveil.__file__).parent
MOST_WORDS = 80
"""Signs of the longest literal that can be a key."""


class Said(NamedTuple):
    """A message in the code."""

    key: str
    english: tuple[str, ...]
    """Its sentence, or the one for one and the one for many."""
    place: str


@cache
def messages() -> tuple[Said, ...]:
    """Every message of the code with its key; composed ones have none."""
    return tuple(one for one in _messages() if one.key)


def _messages() -> Iterator[Said]:
    for place, node in _nodes():
        named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message"
        if not named or place.startswith("texts/message.py"):
            continue
        assert isinstance(node, ast.Call)
        if isinstance(node.args[0], ast.Attribute):  # a message that is made anew from another
            continue
        key, english = (_constant(one, place) for one in node.args)
        many = [_constant(one.value, place) for one in node.keywords if one.arg == "many"]
        yield Said(key, (english, *many), place)


def _constant(node: ast.expr, place: str) -> str:
    """A literal text; a name stands for the constant of its module."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise AssertionError(f"{place}: key and sentence of a message are literals")


@cache
def literals() -> frozenset[str]:
    """Every short text in the code: keys are among them."""
    return frozenset(
        node.value
        for _, node in _nodes()
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) <= MOST_WORDS
    )


@cache
def beginnings() -> frozenset[str]:
    """How keys begin that are put together: ``job.`` of ``f"job.{name}"``."""
    return frozenset(
        node.values[0].value
        for _, node in _nodes()
        if isinstance(node, ast.JoinedStr)
        and isinstance(node.values[0], ast.Constant)
        and isinstance(node.values[0].value, str)
        and "." in node.values[0].value
    )


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    for path, tree in _trees():
        for node in ast.walk(tree):
            yield f"{path}:{getattr(node, 'lineno', 0)}", node


@cache
def _trees() -> tuple[tuple[str, ast.Module], ...]:
    return tuple(
        (str(path.relative_to(SOURCE)), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(SOURCE.rglob("*.py"))
    )
