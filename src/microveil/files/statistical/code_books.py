"""Code books: what the codes of columns mean, from a CSV or DDI file beside the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from microveil.errors import FileError
from microveil.files.delimited_text import delimited
from microveil.files.labels import Code, Labels, code_of
from microveil.files.sources import expand_home
from microveil.files.statistical.ddi_files import read_ddi_labels

_WORDS = {
    "column": ("column", "variable", "name", "field", "var"),
    "code": ("code", "value", "values", "level"),
    "label": ("label", "meaning", "description", "text", "labels"),
}
"""How the columns of a code book may be called."""


def read_code_book(path: str | Path) -> Labels:
    """Labels from a CSV file with ``column``, ``code`` and ``label``, or from a DDI file.

    Each line says what a code of a column means; one without a code, what the column means. A DDI
    file (``.xml``) says besides who a column is about.
    """
    if expand_home(path).suffix.lower() == ".xml":
        return read_ddi_labels(path)
    frame = delimited.load(expand_home(path), {"dates": False}).lazy().collect()
    names = {name.strip().lower(): name for name in frame.columns}
    found = {
        what: next((names[word] for word in words if word in names), None)
        for what, words in _WORDS.items()
    }
    if None in found.values():
        raise FileError(
            "{path} is not a code book: it needs the columns column, code and label. A line "
            "says what a code of a column means; without a code, what the column means.",
            path=path,
        )
    rows = frame.select(pl.col(str(found[what])).cast(pl.String).alias(what) for what in _WORDS)
    columns: dict[str, str] = {}
    values: dict[str, dict[Code, str]] = {}
    for column, code, label in rows.iter_rows():
        if column is None or label is None:
            continue
        if code is None:
            columns[column] = label
        else:
            values.setdefault(column, {})[code_of(code)] = label
    return Labels(columns, values)


def fitting_types(labels: Labels, frame: pl.DataFrame) -> Labels:
    """The labels with the codes of text columns as text."""
    texts = (pl.String, pl.Categorical, pl.Enum)
    values: dict[str, dict[Code, str]] = {}
    for name, codes in labels.values.items():
        text = name in frame.columns and frame.schema[name].base_type() in texts
        values[name] = {str(code) if text else code: label for code, label in codes.items()}
    return replace(labels, values=values)
