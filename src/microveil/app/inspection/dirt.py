"""Dirt: codes that stand for missing, impossible values, mixed units, impossible weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.app.inspection.detectors.personal import BODY_MEASURE
from microveil.app.inspection.limits import FEWEST_RECORDS, OLDEST_AGE
from microveil.app.inspection.naming import Words
from microveil.app.inspection.result import Caution
from microveil.arrays import Floats
from microveil.methods.set_missing import SetMissing
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.app.inspection.column import Column
    from microveil.app.inspection.suggestion import Suggestion


MISSING_WORDS = re.compile(
    r"\b(don'?t know|do not know|dk|refus\w*|no answer|not stated|not applicable|n/?a|missing|"
    r"unknown|inapplicable|no response|not (?:measured|asked|collected|available|reported)|"
    r"no sabe\w*|ns|nc|no contesta|no aplica|desconocid\w*|"
    r"no ho sap|no contesta|desconegut\w*|ei tea|ei oska|keeldu\w*|puudub|teadmata|не знаю|"
    r"отказ\w*|нет ответа|неизвестно|затрудн\w*|ved ikke|uoplyst|weiss nicht|weiß nicht|"
    r"keine (?:angabe|antwort)|verweiger\w*|trifft nicht zu|nicht zutreffend|unbekannt|"
    r"nsp|ne sai[ts] pas|sans (?:objet|réponse|reponse)|non[ -](?:réponse|reponse|concerné\w*|"
    r"renseigné\w*|applicable)|inconnu\w*|manquant\w*|non (?:sa|so|risponde|indicato|disponibile)|"
    r"rifiut\w*|não (?:sabe|responde|se aplica)|nao (?:sabe|responde)|recusa\w*|"
    r"weet (?:ik )?niet|geen antwoord|weiger\w*|onbekend|vet (?:ej|inte|ikke)|uppgift saknas|"
    r"ubesvart|uoppgitt|vil ikke svare|en osaa sanoa|ei osaa sanoa|ei vastausta|nie wiem|odmow\w*|"
    r"brak (?:danych|odpowiedzi))\b",
    re.IGNORECASE,
)
"""Labels of codes that stand for no answer, in several languages."""
EMPTY_WORDS = ("NA", "N/A", "NULL", "NAN", "-", "--", "?", ".", "UNKNOWN", "MISSING")
"""Texts that stand for no value; "none" is not among them, for it is an answer as often."""
LARGEST_POPULATION = 1.5e9
"""People of the largest country, rounded up: a survey is of one."""
SCALE_OF_WEIGHTS, NEAR = 1e6, 0.02
"""Surveys such as DHS store weights with a mean of one as whole numbers, times a million."""
FAR = 3.0
"""Times the spread of the other values that a code lies away from them."""
FEWEST_AT_CODE = 2
"""Records with the code from which it is no slip of one hand."""
FEWEST_MIXED = 0.02
"""Share of the values in the other unit from which units are mixed."""
OUTLYING = 3.5
"""Robust standard deviations (of logarithms) beyond which a body measure is in another unit."""
UNITS = (10.0, 100.0, 1000.0, 2.54, 2.2046)
"""Factors between units that are often mixed: metres and centimetres, inches, pounds."""
_DECIMALS = re.compile(r"\b(implied|d[ée]cimal\w*|dezimal\w*|nachkomma\w*)", re.IGNORECASE)
_AGES = Words("age ages aged edad* edat =alter idade* возраст* vanus* alder*", unless="group band")


def missing_codes(column: Column) -> tuple[float, ...]:
    """Numbers in a column that stand for missing: by their labels, or far off the other values.

    Only numbers that are written with one digit repeated (9, 99, 9999, 88, 77, 98 …) or below zero
    in a column without other negative numbers count, and only if several records have them.
    """
    if column.form not in ("whole", "decimal") or not column.series.dtype.is_numeric():
        return ()
    values, counts = _count_values(column.series)
    meant = {
        float(code): bool(MISSING_WORDS.search(label))
        for code, label in column.value_labels.items()
        if not isinstance(code, str)
    }
    known = {value for value in values.tolist() if meant.get(value)}
    far = set(_far_codes(values, counts))
    if any(value in meant for value in set(values.tolist()) - far - known):
        # Where answers have labels, so has 96 = "other", however far off it is.
        far = {value for value in far if meant.get(value, True)}
    return tuple(sorted(known | far))


def _count_values(series: pl.Series) -> tuple[Floats, NDArray[np.int64]]:
    numbers = series.cast(pl.Float64).drop_nulls().to_numpy()
    values, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
    return values, counts


def _far_codes(values: Floats, counts: NDArray[np.int64]) -> Iterator[float]:
    """Codes at either end that lie far from all other values."""
    if counts.sum() < FEWEST_RECORDS:
        return
    rest = np.array([not _is_code(value) for value in values])
    if rest.sum() < 2:  # noqa: PLR2004  nothing to be far from
        return
    inside = np.repeat(values[rest], counts[rest])
    low, high = inside.min(), inside.max()
    spread = max(float(np.quantile(inside, 0.95) - np.quantile(inside, 0.05)), 1.0)
    for value, count in zip(values[~rest].tolist(), counts[~rest].tolist(), strict=True):
        above = value > high + FAR * spread / 2 and value > 0
        below = value < 0 <= low
        if count >= FEWEST_AT_CODE and (above or below):
            yield value


def _is_code(value: float) -> bool:
    """Whether a number is written as codes for missing are.

    >>> [_is_code(value) for value in (9999.0, 98.0, -9.0, 97.0, 170.0, 99.5)]
    [True, True, True, True, False, False]
    """
    if value != int(value):
        return False
    digits = str(abs(int(value)))
    return bool(re.fullmatch(r"9+[6-9]?|8{2,}|7{2,}", digits)) or (value < 0 and len(digits) < 3)  # noqa: PLR2004


def dirt(suggestions: Sequence[Suggestion]) -> Iterator[Caution]:
    """A caution for each thing in the values that cannot be meant."""
    for found in suggestions:
        yield from dirt_in(found.column, is_weight=found.role == "weight")


def dirt_in(column: Column, *, is_weight: bool, times: float = 1.0) -> Iterator[Caution]:
    """The same for one column, each with the step that sees to it, where there is one.

    ``times`` as many records stand behind those that are looked at.
    """
    yield from _about_codes(column)
    if is_weight:
        yield from _about_population(column, times)
    if _AGES.match(*column.names) and column.form in ("whole", "decimal"):
        yield from _about_ages(column)
    yield from _about_future(column)
    yield from _about_units(column)


def _about_codes(column: Column) -> Iterator[Caution]:
    codes = missing_codes(column)
    if codes:
        text = Message(
            "dirt.codes",
            "Column '{name}' seems to hold codes for missing values ({codes}): noise, averages "
            "and intervals would treat them as numbers. Make them missing first (set_missing).",
            name=column.name,
            codes=", ".join(f"{code:g}" for code in codes),
        )
        step = SetMissing(columns=(column.name,), values=tuple(map(_short, codes)))
        yield Caution("missing_code", (column.name,), text, step)
    if column.form == "text":
        texts = column.views["text"]
        words = texts.str.to_uppercase().is_in(EMPTY_WORDS)
        if words.any() and not words.all():
            spelled = texts.filter(words).str.to_uppercase().unique().sort().to_list()
            text = Message(
                "dirt.words",
                "Column '{name}' holds words that mean a missing value: make them missing "
                "(set_missing).",
                name=column.name,
            )
            step = SetMissing(columns=(column.name,), values=tuple(spelled))
            yield Caution("missing_code", (column.name,), text, step)


def _short(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _about_population(column: Column, times: float) -> Iterator[Caution]:
    total = times * float(column.series.cast(pl.Float64, strict=False).sum() or 0.0)
    if total > LARGEST_POPULATION:
        text = Message(
            "dirt.population",
            "Weights in '{name}' add up to {total:.2g} people, more than any country has: they may "
            "be stored a million times too large. Divide them before risks are estimated.",
            name=column.name,
            total=total,
        )
        yield Caution("impossible_population", (column.name,), text)
    elif column.form == "whole" and _lost_their_point(column):
        text = Message(
            "dirt.scaled_weights",
            "Weights in '{name}' seem to be relative weights stored without their decimal point "
            "(a mean of about one million, or a label that tells of decimals), which say nothing "
            "about the size of the population. Use weights that add up to it before risks are "
            "estimated.",
            name=column.name,
        )
        yield Caution("impossible_population", (column.name,), text)


def _lost_their_point(column: Column) -> bool:
    """Whether whole weights have the mean of scaled ones, or a label that says so."""
    if any(_DECIMALS.search(name) for name in column.names):
        return True
    mean = column.series.cast(pl.Float64, strict=False).mean()
    return isinstance(mean, float) and abs(mean / SCALE_OF_WEIGHTS - 1) < NEAR


def _about_ages(column: Column) -> Iterator[Caution]:
    codes = missing_codes(column)
    numbers = column.series.cast(pl.Float64, strict=False)
    wrong = (numbers > OLDEST_AGE) | (numbers < 0)
    n = int((wrong & ~numbers.is_in(list(codes))).fill_null(value=False).sum())
    if n:
        text = Message(
            "dirt.ages",
            "1 record of '{name}' has an age that nobody reaches.",
            many="{n:,} records of '{name}' have an age that nobody reaches.",
            name=column.name,
            n=n,
        )
        step = SetMissing(columns=(column.name,), above=OLDEST_AGE, below=0)
        yield Caution("impossible_age", (column.name,), text, step)


def _about_future(column: Column) -> Iterator[Caution]:
    if column.form not in ("date", "datetime", "text"):
        return
    today: date = datetime.now(UTC).date()
    n = int((column.views["date"] > today).fill_null(value=False).sum())
    if n:
        text = Message(
            "dirt.future", "Column '{name}' holds dates in the future.", name=column.name
        )
        is_date = column.series.dtype.is_temporal()
        step = SetMissing(columns=(column.name,), above=today.isoformat()) if is_date else None
        yield Caution("future_date", (column.name,), text, step)


def _about_units(column: Column) -> Iterator[Caution]:
    """Two clumps of values, one of which is the other times a factor between units."""
    if column.form not in ("whole", "decimal") or column.counts.n_distinct < FEWEST_RECORDS:
        return
    numbers = column.series.cast(pl.Float64, strict=False).drop_nulls().to_numpy()
    numbers = np.sort(numbers[(numbers > 0) & ~np.isin(numbers, missing_codes(column))])
    if len(numbers) < FEWEST_RECORDS:
        return
    place = _gap(numbers)
    if place is None and BODY_MEASURE.names.match(*column.names):
        place = _edge_of_bodies(numbers)
    if place is None:
        return
    small, large = numbers[:place], numbers[place:]
    if min(len(small), len(large)) < FEWEST_MIXED * len(numbers):
        return
    ratio = float(np.median(large) / np.median(small))
    if any(abs(ratio / factor - 1) < 0.15 for factor in UNITS):  # noqa: PLR2004  as people differ
        text = Message(
            "dirt.units",
            "Column '{name}' seems to mix units: some values are about {ratio:.3g} times the "
            "others.",
            name=column.name,
            ratio=ratio,
        )
        few = "above" if len(large) < len(small) else "below"
        limit = _short(float(f"{np.sqrt(small[-1] * large[0]):.2g}"))  # nobody's value
        step = SetMissing.parse({"columns": [column.name], few: limit})
        yield Caution("mixed_units", (column.name,), text, step)


def _gap(numbers: Floats) -> int | None:
    """Where sorted numbers part into two clumps with nothing between."""
    steps = np.diff(np.log(numbers))
    place = int(np.argmax(steps)) + 1
    # From 1 to 2 years is a step like any other, though it is a doubling.
    usual = float(np.median(np.diff(np.unique(numbers))))
    wide = steps[place - 1] >= np.log(1.5) and numbers[place] - numbers[place - 1] > FAR * usual
    return place if wide else None


def _edge_of_bodies(numbers: Floats) -> int | None:
    """Where sorted body measures leave what bodies differ by; clumps of them may touch.

    Another unit moves all bodies alike; children among adults spread wider than these.
    """
    logs = np.log(numbers)
    middle, spread = float(np.median(logs)), _spread(logs)
    reach = OUTLYING * 1.4826 * spread  # as normal spread
    low, high = (int(one) for one in np.searchsorted(logs, (middle - reach, middle + reach)))
    few, many = low, len(numbers) - high
    if few == many:
        return None
    place, apart = (high, logs[high:]) if many > few else (low, logs[:low])
    return place if _spread(apart) <= 1.5 * spread else None


def _spread(values: Floats) -> float:
    """Median distance to the median."""
    return float(np.median(np.abs(values - np.median(values))))
