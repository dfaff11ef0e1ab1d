"""Cards of specs: what a recipe, roles, a goal or a step says, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from microveil.display import Card, Grid, grid
from microveil.field_docstrings import describe_fields

MOST_LETTERS = 160
"""Longer values are cut: a card is no file."""
HIDDEN = "(secret)"


Spec = Any
"""A spec; its class stands a floor above, so that it can show itself."""


def card_of(spec: Spec) -> Card:
    """The parameters that differ from their defaults, each with what it means."""
    plain, several = _set_fields(spec), []
    rows: list[tuple[str, str, str]] = []
    for name, value in plain.items():
        held = getattr(spec, name)
        if _is_spec(held) and held.tag is None:
            inside = _set_fields(held)
            several.append(grid(("", ""), [(one, _short(inside[one])) for one in inside], name))
        elif isinstance(held, tuple) and held and all(_is_spec(one) for one in held):
            several.append(_list_specs(name, held))
        else:
            rows.append((name, _short(value), _meaning(spec, name)))
    own = [grid(("parameter", "value", "meaning"), rows, most=None)] if rows else []
    lines = (type(spec).summary(),) if type(spec).summary() else ()
    return Card(_title(spec), lines, (*several, *own))


def _list_specs(name: str, specs: tuple[Spec, ...]) -> Grid:
    """One row for each spec, in order."""
    rows = [
        (str(place), one.kind(), _cut(_pairs(_set_fields(one))), type(one).summary())
        for place, one in enumerate(specs, start=1)
    ]
    return grid(("", "kind", "parameters", "what it does"), rows, name, most=None)


def _set_fields(spec: Spec) -> dict[str, Any]:
    """Plain values of the fields that differ from their defaults; secret ones are hidden."""
    plain = spec.to_dict()
    return {
        name: HIDDEN if name in spec.secret_parameters else plain[field.alias or name]
        for name, field in type(spec).__pydantic_fields__.items()
        if name != spec.tag and plain.get(field.alias or name) not in (None, [], {})
    }


def _is_spec(value: object) -> bool:
    return isinstance(value, BaseModel)


def _title(spec: Spec) -> str:
    name = type(spec).__name__
    return name if spec.tag is None else f"{name} ({spec.tag}: {spec.kind()})"


def _meaning(spec: Spec, name: str) -> str:
    told = describe_fields(type(spec))[name].description or ""
    return " ".join(told.replace("``", "").split())


def _short(value: Any) -> str:
    return _cut(_write(value))


def _write(value: Any) -> str:
    if isinstance(value, Mapping):
        return _pairs(value)
    if isinstance(value, list | tuple):
        return ", ".join(_inside(one) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _inside(value: Any) -> str:
    return f"({_write(value)})" if isinstance(value, Mapping | list | tuple) else _write(value)


def _pairs(values: Mapping[str, Any]) -> str:
    return "; ".join(_each(values))


def _each(values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        yield f"{name}: {_inside(value) if isinstance(value, Mapping) else _write(value)}"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"
