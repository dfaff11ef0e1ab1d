"""Finding dates: the format in which most cells of a column are dates, with the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from microveil.files.columns.cell_patterns import count_patterns, list_patterns
from microveil.files.columns.date_formats import (
    PIVOT,
    is_partial,
    read_dates,
)
from microveil.texts import Message, compose, join, join_or

MOSTLY = 0.8
"""Share of the cells that must be dates."""
SAMPLE = 5_000
"""Distinct cells on which formats are tried; those that are found are counted in all cells."""
FURTHER = 0.0005
"""Share of the cells from which a further format counts as another way to write dates."""
_LOOK = 1_000
_YEARS = (1850, 2150)
_FEWEST_DIGITS = r"[0-9]{2}|[0-9].*[0-9]"
_CLOCK = (
    r"([T ,][\s]*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?"
    r"\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)\s*$"
)
_NAMED = (
    "%d %b %Y", "%d-%b-%Y", "%d/%b/%Y", "%d.%b.%Y", "%d%b%Y", "%d-%b-%y", "%d %b %y", "%d%b%y",
    "%d. %B %Y", "%d de %B de %Y", "%d de %B %Y", "%d d'%B de %Y", "%d %B %Y г.", "%d %B, %Y",
    "%B %d, %Y", "%b %d %Y", "%b-%d-%Y", "%Y-%b-%d", "%Y %b %d",
)  # fmt: skip
_PARTIAL = (
    "%m/%Y", "%m.%Y", "%m-%Y", "%Y-%m", "%Y/%m", "%B %Y", "%b-%Y", "%B de %Y", "%Y",
)  # fmt: skip
_NUMBERED = tuple(
    written.replace("/", mark)
    for written in ("%Y/%m/%d", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y")
    for mark in "/.- "
)
FORMATS = (*_NUMBERED, "%Y%m%d", *_NAMED, "%d%m%Y", *_PARTIAL)
"""Formats in the order in which they are preferred when equally many cells fit: the day comes
before the month unless a cell shows otherwise."""


@dataclass(frozen=True)
class DatesFound:
    """How the dates of a column are written, how many cells show it, and what is left."""

    formats: tuple[str, ...]
    """The commonest first; a cell is read by the first that fits."""
    n_cells: int
    """Cells that are not missing."""
    n_read: int
    """Cells that are dates in one of the formats."""
    n_telling: int
    """Cells that are dates in this order of day and month but not in the other one."""
    n_contrary: int
    """Cells that are dates only in the other order."""
    ambiguous: bool
    """Whether every cell could have day and month the other way round."""
    patterns: tuple[tuple[str, int], ...]
    """What all cells look like, and how many of them; never what they say."""

    @property
    def share(self) -> float:
        """Share of the cells that are dates."""
        return self.n_read / self.n_cells if self.n_cells else 0.0

    @property
    def doubtful(self) -> bool:
        """Whether cells may be read wrongly, as less than they say, or not at all."""
        partial = any(is_partial(one) for one in self.formats)
        short = any("%y" in one for one in self.formats)
        lost = self.n_read < self.n_cells
        return self.ambiguous or bool(self.n_contrary) or partial or short or lost

    @property
    def reading(self) -> str | dict[str, Any]:
        """What a recipe says to read the column so."""
        written: Any = self.formats[0] if len(self.formats) == 1 else list(self.formats)
        if self.n_read == self.n_cells and isinstance(written, str):
            return written
        rest = {} if self.n_read == self.n_cells else {"unreadable": "missing"}
        return {"format": written, **rest}

    @property
    def written(self) -> Message:
        """The formats in words."""
        return join_or(self.formats)

    def sentence(self) -> Message:
        """The evidence in words, without a cell."""
        found = Message(
            "dates.found",
            "{share:%} of {n:,} cells are dates: {written}; {patterns}",
            share=self.share,
            n=self.n_cells,
            written=self.written,
            patterns=list_patterns(list(self.patterns)),
        )
        return compose("{said}.", said=join([found, *self._doubts()], "; "))

    def _doubts(self) -> Iterator[Message]:
        if self.n_telling:
            yield Message(
                "dates.telling",
                "the order of day and month shows in {n:,} cells",
                n=self.n_telling,
            )
        if self.n_contrary:
            yield Message(
                "dates.contrary",
                "{n:,} cells have them the other way round: both orders are mixed, and cells "
                "that fit both may be read wrongly",
                n=self.n_contrary,
            )
        if self.ambiguous:
            yield Message(
                "dates.ambiguous",
                "no cell shows whether day or month comes first: the day is assumed",
            )
        if any("%y" in one for one in self.formats):
            yield Message(
                "dates.two_digits", "two-digit years up to {year} are of the 2000s", year=PIVOT
            )
        if any(is_partial(one) for one in self.formats):
            yield Message("dates.partial", "a month or year stands for its first day")
        if self.n_read < self.n_cells:
            yield Message("dates.others", "{n:,} cells are no dates", n=self.n_cells - self.n_read)


def find_dates(column: pl.Series) -> DatesFound | None:
    """The formats in which most cells of a text or whole-number column are dates, if any are.

    >>> found = find_dates(pl.Series(["31/12/1980", "01/02/1990", "03/04/1990"]))
    >>> found.formats, found.n_telling, found.ambiguous
    (('%d/%m/%Y',), 1, False)
    """
    if column.dtype.is_float() and bool((column.drop_nulls() % 1 == 0).all()):
        column = column.cast(pl.Int64, strict=False)  # numbers with missing cells, in pandas
    if not (column.dtype == pl.String or column.dtype.is_integer()):
        return None
    if not _may_be_dates(_cell_texts(_some(column)), numbers=column.dtype.is_integer()):
        return None
    filled = _cell_texts(column)
    distinct = filled.unique(maintain_order=True)
    cells = distinct.gather_every(max(1, len(distinct) // SAMPLE))
    formats = _choose_formats(cells, _candidates(cells, numbers=column.dtype.is_integer()))
    if not formats or formats == ("%Y",):
        return None
    n_read = _n_read(filled, formats)
    if n_read < MOSTLY * len(filled):
        return None
    n_telling, n_contrary = _told_orders(filled, formats[0])
    patterns = tuple(count_patterns(filled, order_of(formats[0])))
    ambiguous = _twofold(formats[0]) and not n_telling
    return DatesFound(formats, len(filled), n_read, n_telling, n_contrary, ambiguous, patterns)


def _told_orders(filled: pl.Series, written: str) -> tuple[int, int]:
    """Cells that are dates only in this order of day and month, and only in the other one."""
    if not _twofold(written):
        return 0, 0
    here, there = _read(filled, (written,)), _read(filled, (_other_order(written),))
    only_here = (here.is_not_null() & there.is_null()).sum()
    return int(only_here), int((here.is_null() & there.is_not_null()).sum())


def order_of(written: str) -> str:
    """The order of day, month and year in a format.

    >>> order_of("%m/%d/%y")
    'mdy'
    """
    places = {part: written.lower().find(f"%{part}") for part in "dmy"}
    places["m"] = max(written.find(one) for one in ("%m", "%b", "%B"))
    return "".join(sorted("dmy", key=lambda part: places[part]))


def _cell_texts(column: pl.Series) -> pl.Series:
    text = column.cast(pl.String).str.strip_chars()
    if column.dtype.is_integer():
        text = padded_dates(text)
    return text.filter(text.is_not_null() & (text != ""))


def padded_dates(texts: pl.Series) -> pl.Series:
    """Numbers of seven digits with the zero that a date written as a number has lost.

    >>> padded_dates(pl.Series(["1022020", "20200201", "17"])).to_list()
    ['01022020', '20200201', '17']
    """
    return texts.str.replace(r"^([0-9]{7})$", "0${1}")


def _may_be_dates(cells: pl.Series, *, numbers: bool) -> bool:
    """Whether it pays to look closer."""
    like = cells.str.contains(r"^[0-9]{8}$") if numbers else cells.str.contains(_FEWEST_DIGITS)
    return len(cells) > 0 and int(like.sum()) >= MOSTLY * len(cells)


def _some(column: pl.Series) -> pl.Series:
    """Cells from all over a long column, which mostly show that it holds no dates."""
    filled = column.drop_nulls()
    return filled.gather_every(max(1, len(filled) // _LOOK))


def _candidates(cells: pl.Series, *, numbers: bool) -> list[str]:
    """The formats to try, each with the time of day that the cells have."""
    if numbers:
        return ["%Y%m%d", "%d%m%Y", "%m%d%Y"]
    marks = set("".join(cells.head(200).to_list()))
    named = any(letter.isalpha() and letter not in "TZz" for letter in marks)
    days = [one for one in FORMATS if named or "%b" not in one.lower()]
    clocks = cells.str.extract(_CLOCK).drop_nulls()
    if not len(clocks):
        return days
    tails = sorted({_clock_format(one) for one in clocks.unique().head(200)})
    return [day + tail for tail in tails for day in days if not is_partial(day)] + days


def _clock_format(tail: str) -> str:
    """The format of a time of day."""
    start = "T" if tail.startswith("T") else ", " if tail.startswith(",") else " "
    late = any(letter in "aApP" for letter in tail)
    body = tail.lstrip("T, ").rstrip()
    zoned = body.endswith(("Z", "z")) or "+" in body or "-" in body
    seconds = body.count(":") - (1 if zoned and ":" in body[-3:] else 0) > 1
    written = ("%I:%M" if late else "%H:%M") + (":%S%.f" if seconds else "")
    spaced = " " if late and " " in body else ""
    return start + written + (f"{spaced}%p" if late else "") + ("%z" if zoned else "")


def _choose_formats(cells: pl.Series, candidates: Sequence[str]) -> tuple[str, ...]:
    """The format that reads most cells, then others that read enough of what it leaves."""
    found: list[str] = []
    left, enough = cells, max(1, FURTHER * len(cells))
    while len(left) >= enough:
        counts = {one: _n_read(left, (one,)) for one in candidates if _agrees(one, found)}
        best = max(counts, key=lambda one: counts[one], default=None)
        if best is None or counts[best] < enough or len(found) == _MOST_FORMATS:
            break
        found.append(best)
        left = left.filter(_read(left, (best,)).is_null())
    return tuple(found)


_MOST_FORMATS = 4


def _agrees(written: str, found: Sequence[str]) -> bool:
    """Whether a format does not put day and month the other way round than the others do."""
    orders = {"dm" if one.find("%d") < one.find("%m") else "md" for one in found if _twofold(one)}
    if not orders or not _twofold(written):
        return True
    return ("dm" if written.find("%d") < written.find("%m") else "md") in orders


def _twofold(written: str) -> bool:
    """Whether day and month are numbers that could be the other way round."""
    return (
        "%d" in written
        and "%m" in written
        and not written.startswith("%Y")
        and "%d%m" not in written
    )


def other_order(written: str) -> str | None:
    """The format with day and month the other way round; None if they cannot be.

    >>> other_order("%d/%m/%Y"), other_order("%Y-%m-%d")
    ('%m/%d/%Y', None)
    """
    return _other_order(written) if _twofold(written) else None


def _other_order(written: str) -> str:
    return written.replace("%d", "\0").replace("%m", "%d").replace("\0", "%m")


def _read(cells: pl.Series, formats: Sequence[str]) -> pl.Series:
    """Days of the cells, null for those that are no dates of these times."""
    frame = cells.alias("cell").to_frame()
    days = [read_dates(pl.col("cell"), one).cast(pl.Date) for one in formats]
    read = frame.select(pl.coalesce(days).alias("day"))
    lived = pl.when(pl.col("day").dt.year().is_between(*_YEARS)).then(pl.col("day"))
    return read.select(lived.alias("day")).to_series()


def _n_read(cells: pl.Series, formats: Sequence[str]) -> int:
    return int(_read(cells, formats).is_not_null().sum())
