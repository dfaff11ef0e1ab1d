"""Labels: a statistics package's descriptions of columns and codes, kept beside the frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import ascii_lowercase

import polars as pl

Code = int | float | str


def code_of(text: str) -> Code:
    """A number if it is written as numbers are; codes with leading zeros are text.

    >>> code_of("1"), code_of("01")
    (1, '01')
    """
    try:
        number = int(text)
    except ValueError:
        return text
    return number if str(number) == text else text


@dataclass(frozen=True)
class Codebook:
    """Numbers that stand for the texts of a column, as statistics packages hold categories."""

    codes: Mapping[str, int | float]
    """The number of each text."""
    missing: Mapping[str, Code] = field(default_factory=dict)
    """Texts that stand for a kind of missing: a letter in Stata, a declared number in SPSS."""
    labels: Mapping[Code, str] = field(default_factory=dict)
    """Label of each number or kind of missing."""


@dataclass(frozen=True)
class Labels:
    """Text that describes columns and codes, and what else a statistics package says of cells.

    >>> Labels(columns={"sex": "Sex of respondent"}, values={"sex": {1: "male"}}).values["sex"][1]
    'male'
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    """Label of a column, usually the question asked."""
    values: Mapping[str, Mapping[Code, str]] = field(default_factory=dict)
    """Label of each code of a column."""
    title: str | None = None
    """Label of the file as a whole."""
    gaps: Mapping[str, pl.Series] = field(default_factory=dict, compare=False, repr=False)
    """The kind of each missing cell by column (``a`` for Stata's ``.a``, a number that SPSS
    declares missing), null in other cells; in the order of the file's rows."""
    books: Mapping[str, Codebook] = field(default_factory=dict)
    """Columns of text to be written as numbers with labels."""
    universes: Mapping[str, str] = field(default_factory=dict)
    """Who a column is about, where a description of the file says so."""
    notes: tuple[str, ...] = ()
    """What could not be kept, in sentences for whoever writes the file."""

    def __bool__(self) -> bool:
        """Whether anything is labelled."""
        return bool(self.columns or self.values or self.title)

    def with_more(self, other: Labels) -> Labels:
        """These labels, and those of a code book where the file has none."""
        values = {**other.values, **self.values}
        columns = {**other.columns, **self.columns}
        universes = {**other.universes, **self.universes}
        title = self.title or other.title
        return replace(self, columns=columns, values=values, universes=universes, title=title)

    def tell_all(self, column: pl.Series) -> pl.Series:
        """The values of a column as text, each code with its label; missing stays missing.

        >>> Labels(values={"sex": {1: "male"}}).tell_all(pl.Series("sex", [1, 2])).to_list()
        ['1 male', '2']
        """
        texts = _value_texts(column)
        return texts.replace(
            {text: self.tell(column.name, text) for text in texts.unique().drop_nulls()}
        )

    def tell(self, name: str, text: str) -> str:
        """A value of a column, or a set of values, with what its codes mean."""
        known = self._by_text(name)
        if text in known:
            return f"{text} {known[text]}"
        members = text[1:-1].split(", ") if text[:1] + text[-1:] == "{}" else []
        labels = [known[one] for one in members if one in known]
        return f"{text} {'; '.join(labels)}" if labels and len(labels) == len(members) else text

    def _by_text(self, name: str) -> dict[str, str]:
        return {str(code): label for code, label in self.values.get(name, {}).items()}

    def fitting(self, frame: pl.DataFrame) -> tuple[Labels, tuple[str, ...]]:
        """The labels that still fit a frame, and the columns whose value labels do not.

        A column label is kept while the column exists. Value labels are kept while the column still
        holds codes of their type: text for text, numbers for numbers, and whole numbers if all
        codes are whole. A generalised column (text) or a noisy one (fractions) loses them, because
        they would describe numbers that mean something else.
        """
        here = {
            name: _without_letters(codes, frame.schema[name])
            for name, codes in self.values.items()
            if name in frame.columns and name not in self.books
        }
        kept = {name: codes for name, codes in here.items() if _fit(frame[name], codes)}
        columns = {name: text for name, text in self.columns.items() if name in frame.columns}
        universes = {name: text for name, text in self.universes.items() if name in frame.columns}
        lost = tuple(name for name in here if name not in kept)
        return replace(self, columns=columns, values=kept, universes=universes), lost


def _value_texts(column: pl.Series) -> pl.Series:
    """Values as text; whole numbers without a point."""
    if column.dtype.is_float() and bool((column.drop_nulls().drop_nans() % 1 == 0).all()):
        column = column.cast(pl.Int64, strict=False)
    return column.cast(pl.String)


def _without_letters(codes: Mapping[Code, str], dtype: pl.DataType) -> Mapping[Code, str]:
    """The codes of numbers; Stata's letters label kinds of missing, which are no values."""
    if not dtype.is_numeric():
        return codes
    return {code: text for code, text in codes.items() if not is_kind_of_missing(code)}


def is_kind_of_missing(code: Code) -> bool:
    """Whether a code is one of Stata's letters for kinds of missing.

    >>> is_kind_of_missing("a"), is_kind_of_missing(1), is_kind_of_missing("A1")
    (True, False, False)
    """
    return isinstance(code, str) and len(code) == 1 and code in ascii_lowercase


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
