"""Types of text columns: the type that every cell of a column fits, over the whole file.

Typing loses nothing: a column with leading zeros (a postcode), a plus sign (a phone number) or more
digits than a number holds (an account) in any cell stays text. ISO dates and timestamps are
unambiguous and become dates; ``31/12/2020`` and times of day stay text. An empty cell is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from microveil.errors import FileError, did_you_mean

_WHOLE = r"-?(?:0|[1-9][0-9]{0,17})"
_LONG = r"-?(?:0|[1-9][0-9]{0,18})"
_EXPONENT = r"(?:[eE][+-]?[0-9]+)"
_SPECIAL = r"NaN|nan|-?inf"
# Whole numbers beyond 15 digits would lose digits as floating point, so a float needs a mark.
_NUMBER = (
    rf"-?(?:0|[1-9][0-9]{{0,14}}){_EXPONENT}?"
    rf"|-?(?:0|[1-9][0-9]*)?MARK[0-9]+{_EXPONENT}?"
    rf"|-?(?:0|[1-9][0-9]*)MARK|{_SPECIAL}"
)
_GROUPED = r"-?[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+"
"""``1.234,56``: points between thousands, where the decimal mark is a comma. Without them it may
be a phone number or an address on the internet."""
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIMESTAMP = rf"{_DAY}[T ][0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]{{1,9}})?)?"


def _mark(pattern: str, mark: str) -> str:
    return pattern.replace("MARK", mark)


def _moment(text: pl.Expr, zone: str) -> pl.Expr:
    iso = text.str.replace(" ", "T", literal=True)
    formats = (f"%Y-%m-%dT%H:%M:%S%.f{zone}", f"%Y-%m-%dT%H:%M{zone}")
    return pl.coalesce(iso.str.to_datetime(f, time_unit="us", strict=False) for f in formats)


def _truth(text: pl.Expr) -> pl.Expr:
    words = text.str.to_lowercase()
    return pl.when(words.is_in(["true", "false"])).then(words == "true")


def _float(text: pl.Expr) -> pl.Expr:
    return text.cast(pl.Float64, strict=False).fill_nan(None)


@dataclass(frozen=True)
class Kind:
    """One type that a text column can have: what its cells look like and how they are parsed."""

    name: str
    pattern: str
    value: Callable[[pl.Expr], pl.Expr]
    """The cells as values of this type; null if they are not."""
    sure: bool = True
    """Whether each cell that matches the pattern is valid; otherwise the value decides too."""

    def misfits(self, text: pl.Expr) -> pl.Expr:
        """Number of cells that are not of this type; missing cells fit every type."""
        like = text.str.contains(rf"^(?: *(?:{self.pattern}) *)?$")
        if self.sure:
            return (~like).sum()
        unreadable = self.value(text.str.strip_chars(" ")).is_null() & (text != "")
        return (text.is_not_null() & (~like | unreadable)).sum()

    def with_padding(self) -> Kind:
        """The same type, parsed from cells with surrounding spaces."""
        return replace(self, value=lambda text: self.value(text.str.strip_chars(" ")))


TEXT = Kind("text", "(?s).*", lambda text: text)
KINDS = (
    Kind("boolean", "(?i:true|false)", _truth),
    Kind("integer", _WHOLE, lambda text: text.cast(pl.Int64, strict=False)),
    # Some numbers with 19 digits are too large; they are checked one by one.
    Kind("integer", _LONG, lambda text: text.cast(pl.Int64, strict=False), sure=False),
    Kind("number", _mark(_NUMBER, r"\."), _float),
    Kind(
        "number_comma",
        _mark(_NUMBER, ","),
        lambda text: _float(text.str.replace(",", ".", literal=True)),
    ),
    Kind(
        "number_comma",
        rf"{_mark(_NUMBER, ',')}|{_GROUPED}",
        lambda text: _float(
            text.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
        ),
    ),
    Kind("date", _DAY, lambda text: text.str.to_date("%Y-%m-%d", strict=False), sure=False),
    Kind("datetime", _TIMESTAMP, lambda text: _moment(text, ""), sure=False),
    Kind(
        "instant",
        rf"{_TIMESTAMP}(?:Z|[+-][0-9]{{2}}:?(?:[0-9]{{2}})?)",
        lambda text: _moment(text, "%#z"),
        sure=False,
    ),
)
_DATES = {"date", "datetime", "instant"}
_BY_NAME = {kind.name: kind for kind in (TEXT, *KINDS) if kind.name != "number_comma"}
PLAIN: dict[str, pl.DataType | type[pl.DataType]] = {
    "text": pl.String,
    "boolean": pl.Boolean,
    "integer": pl.Int64,
    "number": pl.Float64,
    "date": pl.Date,
    "datetime": pl.Datetime("us"),
    "instant": pl.Datetime("us", "UTC"),
}
"""The column type of each named type."""
_SAMPLE = 1000


def possible_kinds(marks: str, *, dates: bool) -> list[Kind]:
    """The types to look for, given the possible decimal marks."""
    return [kind for kind in KINDS if _is_allowed(kind, marks, dates=dates)]


DATE_KINDS = [kind for kind in KINDS if kind.name in _DATES]


def survey(texts: pl.LazyFrame, names: list[str], kinds: list[Kind]) -> tuple[dict[str, Kind], int]:
    """The type of each column, and the number of missing cells in the last one.

    A sample rules types out; a pass over the whole file in bounded memory then confirms the
    likeliest type of each column, and further passes try the next likeliest where the sample
    misled.
    """
    left = _candidates(texts.head(_SAMPLE).collect(), names, kinds)
    found: dict[str, Kind] = {}
    counts = _count_shapes(texts, names, {name: left[name][0] for name in names if left[name]})
    n_missing = int(counts["missing"])
    while left:
        for place, name in enumerate(names):
            if name not in left:
                continue
            if not left[name] or not counts[f"{place} filled"]:
                del left[name]
            elif not counts[f"{place} misfits"]:
                kind = left.pop(name)[0]
                found[name] = kind.with_padding() if counts[f"{place} padded"] else kind
            else:
                left[name] = left[name][1:]
        likeliest = {name: kinds_left[0] for name, kinds_left in left.items() if kinds_left}
        if not likeliest:
            break
        counts = _count_shapes(texts, names, likeliest)
    return _one_mark(found, names), n_missing


def _count_shapes(
    texts: pl.LazyFrame, names: list[str], likeliest: dict[str, Kind]
) -> dict[str, Any]:
    """Results of one pass over the file for each column with a likely type."""
    tests = [pl.col(names[-1]).null_count().alias("missing")]
    for place, name in enumerate(names):
        if name in likeliest:
            shapes = {"misfits": likeliest[name].misfits(pl.col(name)), **_shapes(pl.col(name))}
            tests += [test.alias(f"{place} {what}") for what, test in shapes.items()]
    return texts.select(tests).collect(engine="streaming").row(0, named=True)


def _shapes(text: pl.Expr) -> dict[str, pl.Expr]:
    return {
        "filled": (text.str.len_bytes() > 0).any(),
        "padded": (text.str.starts_with(" ") | text.str.ends_with(" ")).any(),
    }


def _is_allowed(kind: Kind, marks: str, *, dates: bool) -> bool:
    if kind.name in _DATES:
        return dates
    if kind.name == "number":
        return "." in marks
    return kind.name != "number_comma" or "," in marks


def _candidates(sample: pl.DataFrame, names: list[str], kinds: list[Kind]) -> dict[str, list[Kind]]:
    tests = [
        kind.misfits(pl.col(name)).alias(f"{place} {rank}")
        for place, name in enumerate(names)
        for rank, kind in enumerate(kinds)
    ]
    misfits = sample.select(tests).row(0, named=True)
    return {
        name: [kind for rank, kind in enumerate(kinds) if not misfits[f"{place} {rank}"]]
        for place, name in enumerate(names)
    }


def _one_mark(kinds: dict[str, Kind], names: list[str]) -> dict[str, Kind]:
    """One file has one decimal mark: if decimal points occur, ``1,5`` is not a number."""
    points = any(kind.name == "number" for kind in kinds.values())
    return {
        name: TEXT if points and kind.name == "number_comma" else kind
        for name, kind in ((name, kinds.get(name, TEXT)) for name in names)
    }


def named_type(name: str, column: str) -> Kind:
    """The type requested by name."""
    if name not in _BY_NAME:
        known = ", ".join(_BY_NAME)
        hint = did_you_mean(name, _BY_NAME)
        raise FileError(
            "Unknown type '{name}' for column '{column}'.{hint} Known: {known}.",
            name=name,
            column=column,
            hint=hint,
            known=known,
        )
    return _BY_NAME[name]
