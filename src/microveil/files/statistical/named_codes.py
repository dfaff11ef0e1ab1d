"""Named codes: codes for missing cells that are given by their label ("Don't know")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microveil.files.columns.column_reading import ColumnReading
from microveil.files.labels import Code, Labels

if TYPE_CHECKING:
    from microveil.files.options import TypeName


def codes_named(labels: Labels, column: str, words: Sequence[Code]) -> tuple[Code, ...]:
    """The codes of a column whose label is one of the words, without regard to case.

    >>> codes_named(Labels(values={"q": {98: "Don't know", 1: "yes"}}), "q", ["don't know", 7])
    (98,)
    """
    wanted = {word.strip().casefold() for word in words if isinstance(word, str)}
    known = labels.values.get(column, {})
    return tuple(code for code, text in known.items() if text.strip().casefold() in wanted)


def with_named_codes(types: Mapping[str, TypeName], labels: Labels) -> dict[str, Any]:
    """How columns are read, with the codes of missing cells that are given by their label."""
    found: dict[str, Any] = dict(types)
    for name, one in types.items():
        if isinstance(one, ColumnReading) and (more := codes_named(labels, name, one.missing)):
            found[name] = one.model_copy(update={"missing": (*one.missing, *more)})
    return found
