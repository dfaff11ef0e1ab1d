"""Date formats: cells of text as dates and times, in the directives that ``strftime`` has.

Month names are those of English, Spanish, Catalan, Estonian and Russian, long or short. A year of
four digits is never read from two. A format without a day is the first day of its month, one
without a month the first day of its year.
"""

from __future__ import annotations

import re
from functools import cache

import polars as pl

from microveil.errors import FileError

PIVOT = 29
"""Two-digit years up to this one are of the 2000s, those above it of the 1900s."""
_MONTHS = (
    "january jan januar jänner enero ene gener gen jaanuar jaan январь января янв",
    "february feb februar febrero febrer febr veebruar veebr февраль февраля фев февр",
    "march mar märz maerz marzo març marc märts март марта мар",
    "april apr abril abr aprill апрель апреля апр",
    "may mayo maig mai май мая",
    "june jun juni junio juny juuni июнь июня июн",
    "july jul juli julio juliol juuli июль июля июл",
    "august aug agosto ago agost ag август августа авг",
    "september sep sept septiembre setiembre set setembre сентябрь сентября сен сент",
    "october oct oktober octubre oktoober okt октябрь октября окт",
    "november nov noviembre novembre ноябрь ноября ноя нояб",
    "december dec dezember dez diciembre dic desembre des detsember dets декабрь декабря дек",
)
MONTHS = {name: str(place) for place, names in enumerate(_MONTHS, 1) for name in names.split()}
"""Number of each month by its names."""
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_PARTS = {
    "d": r"(?P<d>[0-9]{1,2})",
    "m": r"(?P<m>[0-9]{1,2})",
    "Y": r"(?P<Y>[0-9]{4})",
    "y": r"(?P<y>[0-9]{2})",
    "b": rf"(?P<b>{_NAMES})\.?",
    "B": rf"(?P<b>{_NAMES})\.?",
    "H": r"(?P<H>[0-9]{1,2})",
    "I": r"(?P<I>[0-9]{1,2})",
    "p": r"(?P<p>[AaPp])\.?[Mm]\.?",
    "M": r"(?P<M>[0-9]{2})",
    "S": r"(?P<S>[0-9]{2})",
    "f": r"(?P<f>[0-9]{1,9})",
    ".f": r"(?:[.,](?P<f>[0-9]{1,9}))?",
    "z": r"(?P<z>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)",
}
_SHORT = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%e": "%d", "%%": "%"}
_DIRECTIVE = re.compile(r"%(\.f|[A-Za-z])|(\s+)|(.)", re.DOTALL)
_FIXED = {"d": "{2}", "m": "{2}", "H": "{2}"}


def check_format(written: str) -> None:
    """Refuse a format that does not say a year, or says anything else than dates and times."""
    found = [name for name, _, _ in _DIRECTIVE.findall(_spell_out(written)) if name]
    unknown = sorted({f"%{name}" for name in found if name not in _PARTS})
    if unknown:
        known = " ".join(f"%{name}" for name in _PARTS)
        raise FileError(
            "Unknown in a date format: {unknown}. Known: {known}.", unknown=unknown, known=known
        )
    parts = ["b" if name == "B" else name.lstrip(".") for name in found]
    if len(set(parts)) < len(parts) or not {"Y", "y"} & set(parts) or {"Y", "y"} <= set(parts):
        raise FileError(
            "A date format has a year, and each part once: '%d/%m/%Y', not '{written}'.",
            written=written,
        )
    if {"m", "b"} <= set(parts) or ("d" in parts and not {"m", "b"} & set(parts)):
        raise FileError(
            "A date format with a day has one month: '%d/%m/%Y', not '{written}'.", written=written
        )
    if ("I" in parts) != ("p" in parts) or {"H", "I"} <= set(parts):
        raise FileError(
            "Hours are %H, or %I with %p: '%I:%M %p', not '{written}'.", written=written
        )


def reads(written: str) -> bool:
    """Whether a format is one of days and times, as :func:`read_dates` reads it.

    >>> reads("%d/%m/%Y"), reads("%j %Y")
    (True, False)
    """
    try:
        check_format(written)
    except FileError:
        return False
    return True


def _spell_out(written: str) -> str:
    for short, long in _SHORT.items():
        written = written.replace(short, long)
    return written


def type_of(written: str) -> str:
    """The type that a format gives: ``date``, ``datetime``, or ``instant`` with a zone."""
    if "%z" in written:
        return "instant"
    return "datetime" if re.search(r"%[HIT]", written) else "date"


def is_partial(written: str) -> bool:
    """Whether a format says no day.

    >>> is_partial("%m/%Y"), is_partial("%d/%m/%Y")
    (True, False)
    """
    return "%d" not in _spell_out(written)


@cache
def pattern_of(written: str) -> str:
    """The regular expression of cells in a format, with a named group for each part."""
    spelled = _spell_out(written)
    tight = bool(re.search(r"%[dmYyHM]%[dmYyHMS]", spelled))  # nothing tells where a part ends
    found = ""
    for name, space, letter in _DIRECTIVE.findall(spelled):
        if space:
            found += r"[\s\x{a0}]+"
        elif not name:
            found += re.escape(letter) if letter != "'" else "['’]"
        elif tight and name in _FIXED:
            found += _PARTS[name].replace("{1,2}", _FIXED[name])
        else:
            found += _PARTS[name]
    return rf"(?i)^[\s\x{{a0}}]*{found}[\s\x{{a0}}]*$"


def read_dates(text: pl.Expr, written: str, pivot: int = PIVOT) -> pl.Expr:
    """Cells of text as dates or times by a format; null where they are not in it.

    >>> frame = pl.DataFrame({"born": ["31/12/80", "5/1/12", "31/02/80"]})
    >>> frame.select(born=read_dates(pl.col("born"), "%d/%m/%y"))["born"].to_list()
    [datetime.date(1980, 12, 31), datetime.date(2012, 1, 5), None]
    """
    pattern = pattern_of(written)
    parts = text.str.extract_groups(pattern)
    names = set(re.findall(r"\?P<(\w)>", pattern))
    day = _day(parts, names, pivot)
    kind = type_of(written)
    if kind == "date":
        return day.str.to_date("%Y-%m-%d", strict=False)
    clock = _clock(parts, names)
    iso = pl.concat_str([day, clock], separator="T")
    moment = iso.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)
    if kind == "datetime":
        return moment
    return (moment - _offset(parts.struct.field("z"))).dt.replace_time_zone("UTC")


def _day(parts: pl.Expr, names: set[str], pivot: int) -> pl.Expr:
    """The day as ISO text."""
    if "Y" in names:
        year = parts.struct.field("Y")
    else:
        short = parts.struct.field("y").cast(pl.Int32)
        year = (short + pl.when(short <= pivot).then(2000).otherwise(1900)).cast(pl.String)
    month, day = pl.lit("01"), pl.lit("01")
    if "b" in names:
        named = parts.struct.field("b").str.to_lowercase()
        month = named.replace_strict(MONTHS, default=None, return_dtype=pl.String)
    elif "m" in names:
        month = parts.struct.field("m")
    if "d" in names:
        day = parts.struct.field("d")
    padded = [year, month.str.zfill(2), day.str.zfill(2)]
    return pl.concat_str(padded, separator="-")


def _clock(parts: pl.Expr, names: set[str]) -> pl.Expr:
    """The time of day as ISO text."""
    if "I" in names:
        late = parts.struct.field("p").str.to_lowercase() == "p"
        twelve = parts.struct.field("I").cast(pl.Int32)
        fits = twelve.is_between(1, 12)
        hours = pl.when(fits).then(twelve % 12 + pl.when(late).then(12).otherwise(0))
        hour = hours.cast(pl.String)
    else:
        hour = parts.struct.field("H")
    minute = parts.struct.field("M") if "M" in names else pl.lit("00")
    second = parts.struct.field("S") if "S" in names else pl.lit("00")
    clock = pl.concat_str([hour.str.zfill(2), minute, second], separator=":")
    if "f" not in names:
        return clock
    return pl.concat_str(
        [clock, parts.struct.field("f").fill_null("0").str.slice(0, 6)], separator="."
    )


def _offset(zone: pl.Expr) -> pl.Expr:
    """The distance of a zone from UTC."""
    digits = zone.str.replace(":", "", literal=True)
    sign = pl.when(digits.str.starts_with("-")).then(-1).otherwise(1)
    hours = digits.str.slice(1, 2).cast(pl.Int64, strict=False).fill_null(0)
    minutes = digits.str.slice(3, 2).cast(pl.Int64, strict=False).fill_null(0)
    return pl.duration(minutes=sign * (hours * 60 + minutes))
