"""What the code says: the messages in it, and the keys it asks catalogues for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import microveil
from microveil import errors

SOURCE = Path(microveil.__file__).parent
MOST_WORDS = 80
"""Signs of the longest literal that can be a key."""


class Said(NamedTuple):
    """A message in the code."""

    key: str
    english: tuple[str, ...]
    """Its sentence, or the one for one and the one for many."""
    place: str


_GAP, _WORD = re.compile(r"{[^{}]*}"), re.compile(r"[^\W\d_]")
ENGLISH_ONLY = {
    "cli": "a terminal's command speaks English; the guide, which does not, is looked at",
    "dp": "questions on private tables: Python, command line and service",
    "kernels": "what a caller in this package did wrong",
    "metadata": "codebooks for archives: Python and command line, and the study says the rest",
    "planning": "runs in parts and on Spark: Python and command line",
    "service": "the query service answers in English",
    "spark": "the Spark engine: Python and command line",
    "studies": "the studies: Python and command line",
}
"""Rooms whose errors no translated page, guide or report can show, and why."""
SPOKEN = "cli/guide/"
"""What is spoken in such a room all the same."""
ERRORS = frozenset(errors.__all__) | {"FeaturesError", "TreeShapeError"}
"""Errors of ours; ``ValueError`` is what validators raise."""


@cache
def messages() -> tuple[Said, ...]:
    """Every sentence of the code with its key; composed ones have none."""
    return tuple(one for one in (*_messages(), *_phrases()) if one.key)


def _messages() -> Iterator[Said]:
    for place, node in _calls("Message"):
        if place.startswith("texts/") and not all(
            isinstance(one, ast.Constant) for one in node.args
        ):
            continue  # made of what is given
        if isinstance(node.args[0], ast.Attribute):  # a message that is made anew from another
            continue
        key, english = (_constant(one, place) for one in node.args)
        yield Said(key, (english, *_many(node, place)), place)


def _phrases() -> Iterator[Said]:
    """Sentences whose English is their key: of ``phrase``, and of errors as they are raised."""
    for place, node in _calls("phrase", "ValueError", *ERRORS):
        if _is_english_only(place):
            continue
        for told in _told(node):
            if isinstance(told, ast.Constant) and isinstance(told.value, str):
                values = [one for one in node.keywords if one.arg != "many"]
                plain = told.value.replace("{", "{{").replace("}", "}}")
                english = told.value if values else plain
                if _WORD.search(_GAP.sub("", english)):
                    yield Said(told.value, (english, *_many(node, place)), place)


def untranslatable() -> Iterator[str]:
    """Places where an error is given text that was put together before it has a key."""
    for place, node in _calls("phrase", "ValueError", *ERRORS):
        if not _is_english_only(place) and not place.startswith("errors.py"):
            for told in _told(node):
                made = told.func if isinstance(told, ast.Call) else None
                as_text = isinstance(made, ast.Name) and made.id == "str"
                joined = isinstance(made, ast.Attribute) and isinstance(made.value, ast.Constant)
                if as_text or joined or isinstance(told, ast.JoinedStr | ast.BinOp):
                    yield place


def _told(node: ast.Call) -> list[ast.expr]:
    """What an error is given to say: one sentence, or a list of them."""
    first = node.args[0] if node.args else None
    if isinstance(first, ast.IfExp):
        return [first.body, first.orelse]
    if isinstance(first, ast.List):
        return first.elts
    if isinstance(first, ast.ListComp):
        return [first.elt]
    return [] if first is None else [first]


def _is_english_only(place: str) -> bool:
    return place.split("/", maxsplit=1)[0] in ENGLISH_ONLY and not place.startswith(SPOKEN)


def _many(node: ast.Call, place: str) -> list[str]:
    return [_constant(one.value, place) for one in node.keywords if one.arg == "many"]


def _calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    for place, node in _all_calls():
        if getattr(node.func, "id", "") in names:
            yield place, node


@cache
def _all_calls() -> tuple[tuple[str, ast.Call], ...]:
    return tuple((place, node) for place, node in _nodes() if isinstance(node, ast.Call))


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
