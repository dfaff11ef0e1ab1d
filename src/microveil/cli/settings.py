"""Settings on the command line: `path=value`, `path=value,value,…`, parsed the same everywhere."""

from __future__ import annotations

import json
from typing import Any

import yaml

from microveil.errors import InputError

LONGEST = 10_000
"""Largest number of characters in a setting."""
DEEPEST = 20
"""Largest nesting depth of brackets."""


def settings(texts: list[str] | None) -> dict[str, Any]:
    """``name=value`` options as plain data; comma-separated values are a list.

    >>> settings(["width=10", "levels=day,year", "side=left"])
    {'width': 10, 'levels': ['day', 'year'], 'side': 'left'}
    """
    return dict(_setting(text) for text in texts or [])


def _setting(text: str) -> tuple[str, Any]:
    name, value = split(text, "A parameter looks like width=10")
    found = values_of(value)
    return name, found[0] if len(found) == 1 and not value.lstrip().startswith("[") else found


def grids(texts: list[str] | None) -> dict[str, dict[str, list[Any]]]:
    """Each recipe's grid; that of the first, and of all without their own, under an empty name.

    >>> grids(["steps.1.k=3,5", "swap:steps.0.range_share=[0.1]"])
    {'': {'steps.1.k': [3, 5]}, 'swap': {'steps.0.range_share': [0.1]}}
    """
    found: dict[str, dict[str, list[Any]]] = {}
    for text in texts or []:
        path, values = split(text, "A grid looks like steps.1.k=3,5,10")
        name, colon, rest = path.partition(":")
        where, what = (name.strip(), rest) if colon else ("", path)
        found.setdefault(where, {})[what.strip()] = values_of(values)
    return found


def split(text: str, example: str) -> tuple[str, str]:
    """The two sides of ``path=value``."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip() or not value.strip():
        raise InputError(f"{example}, not '{text[:80]}'.")
    if len(value) > LONGEST or _depth(value) > DEEPEST:
        raise InputError(f"The value of '{path.strip()}' is too long or too deeply nested.")
    return path.strip(), value


def values_of(text: str) -> list[Any]:
    """A list of values, with or without brackets around it.

    >>> values_of("3,5,10"), values_of("strict, relaxed"), values_of("[[a, b], [a]]")
    ([3, 5, 10], ['strict', 'relaxed'], [['a', 'b'], ['a']])
    >>> values_of("[40, 60], [50]")
    [[40, 60], [50]]
    """
    if text.lstrip().startswith(("[", "{")):
        read = _parse_brackets(text)
        return read if isinstance(read, list) else [read]
    return [value_of(part.strip()) for part in text.split(",")]


def value_of(text: str) -> Any:
    """One value: a number, true, false, null, or the text itself.

    >>> value_of("0.1"), value_of(".1"), value_of("true"), value_of("strict")
    (0.1, 0.1, True, 'strict')
    """
    for read in (json.loads, float):
        try:
            value = read(text)
        except (ValueError, RecursionError):
            continue
        return value if value == value and abs(value or 0) != float("inf") else text  # noqa: PLR0124  NaN is text
    return text


def _parse_brackets(text: str) -> Any:
    for written in (text, f"[{text}]"):  # several lists, one after another, are a list of lists
        try:
            return yaml.safe_load(written)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
    raise InputError("A value in brackets cannot be read. Write it like [3, 5].")


def _depth(text: str) -> int:
    """Nesting depth of brackets."""
    deepest = depth = 0
    for char in text:
        depth += (char in "[{") - (char in "]}")
        deepest = max(deepest, depth)
    return deepest
