"""Labels: a statistics package's descriptions of columns and codes, kept beside the frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

Code = int | float | str


@dataclass(frozen=True)
class Labels:
    """Text that describes columns and codes; none of it is a record's value.

    >>> Labels(columns={"sex": "Sex of respondent"}, values={"sex": {1: "male"}}).values["sex"][1]
    'male'
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    """Label of a column, usually the question asked."""
    values: Mapping[str, Mapping[Code, str]] = field(default_factory=dict)
    """Label of each code of a column."""
    title: str | None = None
    """Label of the file as a whole."""

    def __bool__(self) -> bool:
        """Whether anything is labelled."""
        return bool(self.columns or self.values or self.title)

    def fitting(self, frame: pl.DataFrame) -> tuple[Labels, tuple[str, ...]]:
        """The labels that still fit a frame, and the columns whose value labels do not.

        A column label is kept while the column exists. Value labels are kept while the column still
        holds codes of their type: text for text, numbers for numbers, and whole numbers if all
        codes are whole. A generalised column (text) or a noisy one (fractions) loses them, because
        they would describe numbers that mean something else.
        """
        here = {name: codes for name, codes in self.values.items() if name in frame.columns}
        kept = {name: codes for name, codes in here.items() if _fit(frame[name], codes)}
        columns = {name: text for name, text in self.columns.items() if name in frame.columns}
        lost = tuple(name for name in here if name not in kept)
        return Labels(columns, kept, self.title), lost


def _fit(column: pl.Series, codes: Mapping[Code, str]) -> bool:
    texts = {isinstance(code, str) for code in codes}
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return texts <= {True}
    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean) or True in texts:
        return False
    whole_codes = all(float(code).is_integer() for code in codes)
    if column.dtype.is_float() and whole_codes:
        return bool((column.drop_nans().drop_nulls() % 1 == 0).all())
    return True
