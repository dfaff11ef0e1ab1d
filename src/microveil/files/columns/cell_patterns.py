"""Cell patterns: what cells look like, by kind of letter, without telling what they say."""

from __future__ import annotations

import re

import polars as pl

from microveil.texts import Message, compose, join

MOST = 5
"""Patterns that a message lists; the rest is counted together."""
_LONGEST = 24
_YEAR = 4
_COMPACT = 8


def count_patterns(cells: pl.Series, order: str = "dmy") -> list[tuple[str, int]]:
    """The patterns of cells with their numbers, the commonest first.

    ``order`` says which part of three numbers is the day, the month and the year.

    >>> count_patterns(pl.Series(["31/12/1980", "01/02/1990", "3-12-80", "n/a"]))
    [('dd/mm/yyyy', 2), ('d-mm-yy', 1), ('a/a', 1)]
    """
    if not len(cells):
        return []
    shapes = (
        cells.cast(pl.String)
        .str.strip_chars()
        .str.replace_all(r"\p{L}+", "a")
        .str.replace_all(r"[^-a/.,:+ \d]", "?")
        .str.replace_all(r"\d", "9")
        .str.slice(0, _LONGEST)
    )
    counted = shapes.value_counts(sort=True)
    named: dict[str, int] = {}
    for shape, n in counted.iter_rows():
        name = _name(shape or "", order)
        named[name] = named.get(name, 0) + n
    return sorted(named.items(), key=lambda one: -one[1])


def list_patterns(counted: list[tuple[str, int]]) -> Message:
    """Patterns in a line of text.

    >>> list_patterns([("dd/mm/yyyy", 59998), ("d-mm-yy", 2)])
    'dd/mm/yyyy: 59,998; d-mm-yy: 2'
    """
    said = [compose("{name}: {n:,}", name=name, n=n) for name, n in counted[:MOST]]
    rest = sum(n for _, n in counted[MOST:])
    others = [Message("dates.other_patterns", "others: {n:,}", n=rest)] if rest else []
    return join([*said, *others], "; ")


def _name(shape: str, order: str) -> str:
    """A shape in the letters of days, months and years, where it has as many numbers as they."""
    day, clock = re.fullmatch(r"(.*?)((?:a|[ ,])*9{1,2}:99.*)?", shape).groups()  # type: ignore[union-attr]
    runs = re.findall(r"9+|a", day)
    letters = _letters(runs, order)
    if letters is None:
        return shape or Message("dates.empty", "empty")
    parts = iter(letters)
    named = re.sub(r"9+|a", lambda run: _repeat(next(parts), run.group()), day)
    return named + re.sub("99?:99(:99)?", _clock, clock or "", count=1)


def _clock(time: re.Match[str]) -> str:
    return "hh:mm:ss" if time.group(1) else "hh:mm"


def _repeat(letter: str, run: str) -> str:
    if run == "a":
        return "month"
    return "yyyymmdd" if len(run) == _COMPACT else letter * len(run)


def _letters(runs: list[str], order: str) -> str | None:
    """Which part of a date each run is; None if the runs are no date."""
    lengths = [len(run) for run in runs]
    if lengths in ([_COMPACT], [_YEAR]):
        return "y"
    if any(n not in (1, 2, _YEAR) for n in lengths) or lengths.count(_YEAR) > 1:
        return None
    if len(runs) == len("my") and _YEAR in lengths:
        return "ym" if lengths[0] == _YEAR else "my"
    if len(runs) != len(order) or runs.count("a") > 1:
        return None
    if "a" in runs:
        order = "mdy" if runs[0] == "a" else "dmy"
    elif lengths[0] == _YEAR:
        order = "ymd"
    return order if _YEAR not in lengths or order.index("y") == lengths.index(_YEAR) else None
