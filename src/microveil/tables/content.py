"""What cells say by their form alone: dates finer than a year, addresses, numbers of people."""

from __future__ import annotations

import polars as pl

YEARS = (1850, 2100)
"""Years that dates are expected in."""

_YEAR = r"(?:1[89]|20|21)\d{2}"
_DAY, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_MONTHS = (
    r"(?:jan|feb|mar|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|gen|mag|giu|"
    r"lug|set|ott|fev|fév|avr|aoû|déc|mär|янв|фев|мар|апр|май|мая|июн|июл|авг|сен|окт|ноя|дек|"
    r"jaan|veeb|mär|juun|juul|sept|det)\p{L}*"
)
_FREE = r"(?:^|[^\p{L}\d])"
_PATTERNS = (
    rf"{_FREE}{_YEAR}[-/.](?:{_MONTH}|W\d{{1,2}}|Q[1-4])(?:$|\D)",
    rf"{_FREE}{_DAY}[-/.]{_MONTH}[-/.](?:{_YEAR}|\d{{2}})(?:$|[^\d.])",
    rf"{_FREE}{_MONTH}[-/.]{_DAY}[-/.](?:{_YEAR}|\d{{2}})(?:$|[^\d.])",
    rf"{_FREE}{_MONTH}[-/.]{_YEAR}(?:$|\D)",
    rf"^{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:$|\D)",
    rf"{_FREE}Q[1-4][-/ ]{_YEAR}(?:$|\D)",
    rf"{_FREE}{_DAY}(?:st|nd|rd|th|\.)?[- ]*(?:of |de )?{_MONTHS}",
    rf"{_FREE}{_MONTHS}[-., ]*(?:{_DAY}|{_YEAR})(?:$|\D)",
)
_DATED = "(?i)" + "|".join(f"(?:{pattern})" for pattern in _PATTERNS)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
CONTACTS = {
    "F email addresses": r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)*\.\p{L}{2,}",
    "N web addresses": r"(?i)(?:https?://|www\.)\S",
    "O IP addresses": rf"^(?:{_OCTET}\.){{3}}{_OCTET}(?:/\d{{1,2}}|:\d{{1,5}})?$",
    "M device numbers": r"^[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}$",
    "G social security numbers": r"^\d{3}-\d{2}-\d{4}$",
    "D, E phone and fax numbers": (
        r"^(?:\+|00)\d[\d ().\-/]{5,20}\d$"
        r"|^(?:\+?1[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}$"
    ),
}
"""Forms that have no other use, by the letters of the Safe Harbor rule."""
DATE_FORMATS = (
    "%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%Y/%m/%d", "%d-%m-%Y", "%m-%d-%Y", "%Y.%m.%d",
    "%Y%m%d", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y", "%d %B %Y", "%d %b %Y", "%B %d, %Y",
    "%b %d, %Y", "%d-%b-%Y", "%d-%b-%y", "%d%b%Y", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S",
    "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S",
    "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S",
)  # fmt: skip
"""How dates are written, the commonest first; which of day and month comes first is a guess."""


def tells_date(column: pl.Series) -> pl.Series:
    """Which cells say more of a date than its year; missing cells do not.

    Whole numbers such as 20200301 do if all of the column's are such dates.

    >>> tells_date(pl.Series(["2020", "2020-03", "1.3.2020", "3 March", "12.5"])).to_list()
    [False, True, True, True, False]
    """
    there = column.is_not_null()
    if column.dtype in (pl.Date, pl.Datetime):
        return there
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return column.cast(pl.String).str.contains(_DATED).fill_null(value=False)
    if number_format(column) is not None:
        return there
    return pl.repeat(False, len(column), eager=True)


def number_format(column: pl.Series) -> str | None:
    """How whole numbers write dates (``%Y%m%d``), if all of a column's do; otherwise None."""
    if not column.dtype.is_numeric():
        return None
    numbers = column.cast(pl.Float64, strict=False).drop_nulls().unique()
    # Eight digits, the first of which may be a zero that the number has lost.
    if not len(numbers) or not bool(((numbers % 1 == 0) & numbers.is_between(10**6, 10**8)).all()):
        return None
    texts = numbers.cast(pl.Int64).cast(pl.String).str.zfill(8)
    for written in ("%Y%m%d", "%d%m%Y", "%m%d%Y"):
        days = texts.str.to_date(written, strict=False)
        if days.null_count() == 0 and bool(days.dt.year().is_between(*YEARS).all()):
            return written
    return None


def date_format(column: pl.Series) -> str | None:
    """How a column of text or whole numbers writes dates, if all of its cells do, or None."""
    if column.dtype.is_numeric():
        return number_format(column)
    texts = column.cast(pl.String).drop_nulls().unique().str.strip_chars()
    for written in DATE_FORMATS if len(texts) else ():
        read = texts.str.to_datetime if "%H" in written else texts.str.to_date
        days = read(written, strict=False)
        if days.null_count() == 0 and bool(days.dt.year().is_between(*YEARS).all()):
            return written
    return None
