"""What cells say by their form alone: dates finer than a year, addresses, numbers of people."""

from __future__ import annotations

import polars as pl

from microveil.files.columns.date_formats import read_dates
from microveil.files.columns.finding_dates import find_dates

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


def tells_date(column: pl.Series) -> pl.Series:
    """Which cells say more of a date than its year; missing cells do not.

    Whole numbers such as 20200301 do if all of the column's are such dates.

    >>> tells_date(pl.Series(["2020", "2020-03", "1.3.2020", "3 March", "12.5"])).to_list()
    [False, True, True, True, False]
    """
    there = column.is_not_null()
    if column.dtype in (pl.Date, pl.Datetime):
        return there
    texts = column.dtype in (pl.String, pl.Categorical, pl.Enum)
    found = find_dates(column.cast(pl.String) if texts else column)
    if not texts:
        whole = found is not None and found.n_read == found.n_cells
        return there if whole else pl.repeat(False, len(column), eager=True)
    told = column.cast(pl.String)
    dated = told.str.contains(_DATED)
    formats = [] if found is None else [one for one in found.formats if one != "%Y"]
    if formats:
        read = [read_dates(pl.first(), one).is_not_null() for one in formats]
        dated |= told.to_frame().select(pl.any_horizontal(read)).to_series()
    return dated.fill_null(value=False)
