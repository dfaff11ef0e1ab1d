"""Free answers: queries answered from paid answers, with their own confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.arrays import Floats
from microveil.display import percent
from microveil.dp import Answer, Count, Declaration, Loss, Mean, Noise, Price, Query, Sum
from microveil.service.free.combining import combine
from microveil.service.free.half_widths import half_width
from microveil.service.free.tallies import Tally, grid_of, tally

MOST_NUMBERS = 1000
"""Largest number of stored numbers to combine; beyond it the newest answers are used."""
MOST_CELLS = 3_000_000
"""Stored numbers × atoms: limit for one query."""
MOST_ALONE = 50
"""Number of answers tried one by one if all together are too many."""


@dataclass(frozen=True)
class Bought:
    """An answer that was paid for."""

    number: int
    """Number of the ledger entry that paid for it."""
    answer: Answer
    tally: Tally | None = None
    """What its numbers sum up, if that has been computed before."""

    @classmethod
    def of(cls, number: int, answer: Answer, declaration: Declaration) -> Bought:
        """An answer with what its numbers sum up."""
        return cls(number, answer, tally(answer.query, declaration))


@dataclass(frozen=True)
class FreeAnswer:
    """Answers to all queries of a request, and the paid answers they follow from."""

    answers: tuple[Answer, ...]
    errors: tuple[float | None, ...]
    """Largest half-width of each answer; none for an answer that is repeated verbatim."""
    sources: tuple[int, ...]

    @property
    def is_verbatim(self) -> bool:
        """Whether all of it is a verbatim repeat."""
        return all(error is None for error in self.errors)

    def is_enough(self, offers: Sequence[Price]) -> bool:
        """Whether all are as accurate as the paid offer."""
        return bool(offers) and all(
            error is None or (offer.error is not None and error <= offer.error * (1 + 1e-9))
            for error, offer in zip(self.errors, offers, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """Its accuracy, for a price list."""
        return {"errors": list(self.errors), "sources": list(self.sources)}


@dataclass(frozen=True)
class _Derived:
    answer: Answer
    error: float | None
    sources: frozenset[int]


@dataclass(frozen=True)
class _Numbers:
    """Values combined from stored ones."""

    values: Floats
    weights: Floats
    noises: tuple[Noise, ...]
    roundings: Floats
    """Largest rounding error of each stored number."""
    sources: frozenset[int]

    def half_widths(self, confidence: float) -> Floats:
        """Half-width of the interval of each value."""
        noise = [half_width(list(row), self.noises, confidence) for row in self.weights]
        return np.array(noise) + np.abs(self.weights) @ self.roundings


def free_answer(
    queries: Sequence[Query],
    bought: Sequence[Bought],
    declaration: Declaration,
    confidence: float,
    *,
    offers: Sequence[Price] = (),
    complete: Iterable[str] = (),
) -> FreeAnswer | None:
    """Answer all queries from stored answers, or none."""
    found = []
    for at, query in enumerate(queries):
        offer = offers[at] if at < len(offers) else None
        one = _again(query, bought, confidence, offer) or _derive(
            query, bought, declaration, confidence, tuple(complete)
        )
        if one is None:
            return None
        found.append(one)
    sources = frozenset[int]().union(*(one.sources for one in found))
    return FreeAnswer(
        tuple(one.answer for one in found),
        tuple(one.error for one in found),
        tuple(sorted(sources)),
    )


def _again(
    query: Query, bought: Sequence[Bought], confidence: float, offer: Price | None
) -> _Derived | None:
    """A stored answer to the same query, no noisier than the offer."""
    if offer is None:
        return None
    for one in reversed(bought):
        same = one.answer.confidence == confidence and one.answer.query == query
        if same and _is_no_noisier(one.answer.noises, offer.noises):
            return _Derived(one.answer, None, frozenset([one.number]))
    return None


def _is_no_noisier(old: Sequence[Noise], new: Sequence[Noise]) -> bool:
    return len(old) == len(new) and all(
        one.distribution == other.distribution and one.scale <= other.scale
        for one, other in zip(old, new, strict=True)
    )


def _derive(
    query: Query,
    bought: Sequence[Bought],
    declaration: Declaration,
    confidence: float,
    complete: tuple[str, ...],
) -> _Derived | None:
    if isinstance(query, Mean):
        return _mean(query, bought, declaration, confidence, complete)
    wanted = tally(query, declaration)
    found = wanted and _numbers(wanted, bought, declaration, complete)
    if not found or wanted is None:
        return None
    widths = found.half_widths(confidence)
    rows = _rows(wanted, found.values, found.values - widths, found.values + widths)
    answer = _answer(query, rows, declaration, confidence)
    return _Derived(answer, float(widths.max(initial=0)), found.sources)


def _mean(
    query: Mean,
    bought: Sequence[Bought],
    declaration: Declaration,
    confidence: float,
    complete: tuple[str, ...],
) -> _Derived | None:
    """Sum divided by count, with simultaneous intervals for both (Bonferroni)."""
    rest: dict[str, Any] = {"where": query.where, "by": query.by, "join": query.join}
    parts = []
    for kind in (Sum, Count):
        wanted = tally(kind(column=query.column, **rest), declaration)
        found = wanted and _numbers(wanted, bought, declaration, complete)
        if not found or wanted is None:
            return None
        parts.append((wanted, found, found.half_widths(1 - (1 - confidence) / 2)))
    (shown, sums, off), (_, counts, around) = parts
    low, high = declaration.number_bounds(query.column, query.join)
    fewest = counts.values - around
    ends = [
        (sums.values + one * off) / np.maximum(counts.values + other * around, 1)
        for one in (-1, 1)
        for other in (-1, 1)
    ]
    value = np.clip(sums.values / np.maximum(counts.values, 1), low, high)
    lows = np.where(fewest < 1, low, np.clip(np.min(ends, axis=0), low, high))
    highs = np.where(fewest < 1, high, np.clip(np.max(ends, axis=0), low, high))
    rows = _rows(shown, value, lows, highs)
    answer = _answer(query, rows, declaration, confidence)
    error = float(np.max(highs - lows, initial=0)) / 2
    return _Derived(answer, error, sums.sources | counts.sources)


def _numbers(
    wanted: Tally, bought: Sequence[Bought], declaration: Declaration, complete: tuple[str, ...]
) -> _Numbers | None:
    """The wanted numbers from all stored ones together; if those are too many, from one answer."""
    usable = _usable(wanted, bought, declaration)
    if not usable:
        return None
    together = _from(wanted, usable, declaration, complete)
    if together is not None or len(usable) == 1:
        return together
    columns = set(wanted.columns)
    finer = [one for one in usable if columns <= set(one[1].columns)][:MOST_ALONE]
    alone = [_from(wanted, [one], declaration, complete) for one in finer]
    found = [one for one in alone if one is not None]
    return min(found, key=_spread, default=None)


def _usable(
    wanted: Tally, bought: Sequence[Bought], declaration: Declaration
) -> list[tuple[Bought, Tally]]:
    """The newest answers with the same measure, by a subset or superset of the wanted columns."""
    columns, usable, n_numbers = set(wanted.columns), [], 0
    for one in reversed(bought):
        known = one.tally or tally(one.answer.query, declaration)
        if known is None or known.measure != wanted.measure:
            continue
        theirs = set(known.columns)
        if not (theirs <= columns or columns <= theirs):
            continue
        n_numbers += len(one.answer.rows)
        if n_numbers > MOST_NUMBERS:
            break
        usable.append((one, known))
    return usable


def _spread(numbers: _Numbers) -> float:
    scales = np.array([noise.scale for noise in numbers.noises])
    return float((numbers.weights**2 @ scales**2).max(initial=0))


def _from(
    wanted: Tally,
    usable: Sequence[tuple[Bought, Tally]],
    declaration: Declaration,
    complete: tuple[str, ...],
) -> _Numbers | None:
    tallies = [known for _, known in usable]
    grid = grid_of([wanted, *tallies], declaration, complete)
    if grid is None:
        return None
    n_numbers = sum(len(one.answer.rows) for one, _ in usable) + wanted.size
    if n_numbers * math.prod(grid.shape) > MOST_CELLS:
        return None
    stored = np.concatenate([known.masks(grid) for known in tallies])
    values, noises, roundings, numbers = _collect_numbers(usable)
    spreads = np.array([max(_deviation(noise), 1e-12) for noise in noises])
    found = combine(stored, wanted.masks(grid), spreads)
    if found is None:
        return None
    used: Any = found.values.any(axis=0)
    return _Numbers(
        found.values @ values,
        found.values[:, used],
        tuple(noise for noise, kept in zip(noises, used, strict=True) if kept),
        roundings[used],
        frozenset(int(number) for number in numbers[used]),
    )


def _collect_numbers(
    usable: Sequence[tuple[Bought, Tally]],
) -> tuple[Floats, list[Noise], Floats, Any]:
    """Every stored number with its noise, its rounding error, and its ledger entry."""
    values, noises, roundings, numbers = [], [], [], []
    for one, _ in usable:
        noise = one.answer.noises[0]
        rounded = 0.5 if noise.distribution == "gaussian" else 0.0
        for row in one.answer.rows:
            values.append(float(row["value"]))
            noises.append(noise)
            roundings.append(rounded if isinstance(row["value"], int) else 0.0)
            numbers.append(one.number)
    return np.array(values), noises, np.array(roundings), np.array(numbers)


def _deviation(noise: Noise) -> float:
    return noise.scale * (math.sqrt(2) if noise.distribution == "laplace" else 1.0)


def _rows(wanted: Tally, values: Floats, lows: Floats, highs: Floats) -> tuple[dict[str, Any], ...]:
    whole = wanted.measure == "rows" and bool(np.all(values == np.round(values)))
    return tuple(
        {
            **keys,
            "value": int(value) if whole else float(value),
            "low": math.floor(low) if whole else float(low),
            "high": math.ceil(high) if whole else float(high),
        }
        for keys, value, low, high in zip(wanted.keys(), values, lows, highs, strict=True)
    )


def _answer(
    query: Query, rows: tuple[dict[str, Any], ...], declaration: Declaration, confidence: float
) -> Answer:
    asked = query.describe()
    return Answer(
        query=query,
        rows=rows,
        loss=Loss(),
        noises=(),
        events=(),
        confidence=confidence,
        unit=declaration.unit,
        relation=declaration.relation,
        sentence=f"{asked[0].upper()}{asked[1:]}: follows from earlier paid answers and lies "
        f"within its interval with {percent(confidence)} confidence. It cost nothing.",
    )
