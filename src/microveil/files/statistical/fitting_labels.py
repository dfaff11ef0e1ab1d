"""Labels as far as a statistics package holds them: cut at its limits, and what is lost told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from microveil.files.labels import Code, Labels

_BYTES = {"sav": (120, 256, 64), "dta": (32_000, 320, 320)}
"""Bytes of the label of a code, of a column and of a file."""
_CHARACTERS = {"sav": (120, 256, 64), "dta": (32_000, 80, 80)}
_LEAST, _MOST = -2_147_483_647, 2_147_483_620
"""Codes of whole columns have 32 bits; the largest few are Stata's kinds of missing."""


@dataclass(frozen=True)
class FittedLabels:
    """The labels that are written, and what became of the others."""

    labels: Labels
    dropped: tuple[str, ...]
    """Columns whose value labels are not written."""
    notes: tuple[str, ...]
    """What was cut, in sentences."""


def fit_labels(
    labels: Labels, frame: pl.DataFrame, kind: str, written: pl.Schema | None = None
) -> FittedLabels:
    """The labels that fit a frame, its ``written`` types and a package (``sav`` or ``dta``).

    A label that is too long is cut, and told. Value labels of which two would become equal, or
    whose codes the package cannot label, are left out as a whole.

    >>> long = {1: "a" * 121, 2: "a" * 122}
    >>> fit_labels(Labels(values={"x": long}), pl.DataFrame({"x": [1, 2]}), "sav").dropped
    ('x',)
    """
    fitting, dropped = labels.fitting(frame)
    values, notes, types = {}, [], written or frame.schema
    for name, codes in fitting.values.items():
        told = {code: _cut(text, kind, 0) for code, text in codes.items()}
        if not _may_label(codes, kind, types[name]) or _merges_labels(codes, told):
            dropped = (*dropped, name)
            continue
        values[name] = told
        notes += _note(f"value labels of column '{name}'", codes, told)
    columns = {name: _cut(text, kind, 1) for name, text in fitting.columns.items()}
    for name, text in columns.items():
        notes += _note(f"label of column '{name}'", {0: fitting.columns[name]}, {0: text})
    title = None if fitting.title is None else _cut(fitting.title, kind, 2)
    notes += _note("label of the file", {0: fitting.title}, {0: title})
    values |= {name: dict(book.labels) for name, book in labels.books.items() if name in types}
    written_labels = replace(labels, columns=columns, values=values, title=title)
    return FittedLabels(written_labels, dropped, (*labels.notes, *notes))


def may_label(text: str, kind: str) -> bool:
    """Whether a package holds a text as the label of a code, without cutting it.

    >>> may_label("[10, 20)", "sav"), may_label("x" * 200, "sav")
    (True, False)
    """
    return _cut(text, kind, 0) == text


def _cut(text: str, kind: str, place: int) -> str:
    """The text up to the limit, never within a character."""
    few = text[: _CHARACTERS[kind][place]].encode()[: _BYTES[kind][place]]
    return few.decode(errors="ignore")


def _merges_labels(before: Mapping[Code, str], after: Mapping[Code, str]) -> bool:
    return len(set(after.values())) < len(set(before.values()))


def _may_label(codes: Mapping[Code, str], kind: str, dtype: pl.DataType) -> bool:
    """Whether the package can label these codes: Stata labels whole numbers only."""
    if kind == "sav" and not dtype.is_integer():
        return True
    return all(
        not isinstance(code, str) and float(code).is_integer() and _LEAST <= code <= _MOST
        for code in codes
    )


def _note(
    what: str, before: Mapping[Code, str | None], after: Mapping[Code, str | None]
) -> list[str]:
    n_cut = sum(before[code] != text for code, text in after.items())
    n_values = f"{n_cut} of the {what} were" if what.startswith("value") else f"The {what} was"
    return [f"{n_values} cut at the format's limit."] if n_cut else []
