"""The sums of a table: by labels that stand for totals, and by numbers that add up.

A subtotal is recognised where the labels next to it, or those whose codes begin with its own, add
up to it wherever all of them are shown. Enough digits must agree that it is no coincidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from microveil.arrays import Floats

Key = frozenset[str]
Labels = tuple[str, ...]
Sums = list[tuple[Key, tuple[Key, ...]]]
DIGITS = 4.0
"""Digits of totals that must agree before labels count as parts of another."""
FEW_DIGITS = 2.0
"""Enough where the totals of the table fit only if they are."""
EXACT = 1e-9


def table_sums(places: Mapping[Labels, Key], values: Mapping[Key, float | None]) -> Sums:
    """Each total with its parts, along every variable of a table; totals have an empty label."""
    found: Sums = []
    n_variables = max((len(labels) for labels in places), default=0)
    for axis in range(n_variables):
        found += _Axis(places, values, axis).sums()
    return found


class _Axis:
    """One variable of a table: its labels against everything else."""

    def __init__(
        self, places: Mapping[Labels, Key], values: Mapping[Key, float | None], axis: int
    ) -> None:
        self._places, self._at = places, axis
        self._labels = list(dict.fromkeys(labels[axis] for labels in places if labels[axis]))
        self._contexts = list(dict.fromkeys(self._context(labels) for labels in places))
        self._shown = np.full((len(self._labels), len(self._contexts)), np.nan)
        self._totals = np.full(len(self._contexts), np.nan)
        rows = {label: row for row, label in enumerate(self._labels)}
        columns = {context: column for column, context in enumerate(self._contexts)}
        for labels, key in places.items():
            value = values[key]
            if value is None:
                continue
            if labels[axis]:
                self._shown[rows[labels[axis]], columns[self._context(labels)]] = value
            else:
                self._totals[columns[labels]] = value

    def _context(self, labels: Labels) -> Labels:
        return (*labels[: self._at], "", *labels[self._at + 1 :])

    def sums(self) -> Sums:
        """The totals of the variable and its subtotals, in every context."""
        below = self._subtotals(DIGITS)
        top = self._top(below)
        if not self._totals_hold(top):  # labels that the totals leave out are parts of others
            guessed = self._subtotals(FEW_DIGITS)
            if self._totals_hold(self._top(guessed)):
                below, top = guessed, self._top(guessed)
        found: Sums = []
        for context in self._contexts:
            total = self._places.get(context)
            parts = self._keys(context, top)
            if total is not None and parts:
                found.append((total, parts))
            for row, rows in below.items():
                here = self._keys(context, [row, *rows])
                if len(here) == 1 + len(rows):
                    found.append((here[0], here[1:]))
        return found

    def _top(self, below: Mapping[int, tuple[int, ...]]) -> list[int]:
        inside = {part for parts in below.values() for part in parts}
        return [row for row in range(len(self._labels)) if row not in inside]

    def _totals_hold(self, top: Sequence[int]) -> bool:
        """Whether some labels add up to the totals, wherever all of them are shown."""
        return _agree(self._totals, self._shown[list(top)].sum(axis=0))

    def _keys(self, context: Labels, rows: Sequence[int]) -> tuple[Key, ...]:
        labels = (self._labels[row] for row in rows)
        every = ((*context[: self._at], one, *context[self._at + 1 :]) for one in labels)
        return tuple(self._places[one] for one in every if one in self._places)

    def _subtotals(self, digits: float) -> dict[int, tuple[int, ...]]:
        """Labels whose parts are other labels, by their numbers; a label is part of one only."""
        found: dict[int, tuple[int, ...]] = {}
        taken: set[int] = set()
        for row in range(len(self._labels)):
            for parts in self._candidates(row, found):
                if not taken & set(parts) and self._adds_up(row, parts, digits):
                    found[row] = parts
                    taken |= set(parts)
                    break
        return found

    def _candidates(
        self, row: int, found: Mapping[int, tuple[int, ...]]
    ) -> Iterator[tuple[int, ...]]:
        """Labels that may be the parts of one: below or above it, or with longer codes."""
        code = self._labels[row]
        longer = tuple(
            at
            for at, label in enumerate(self._labels)
            if at != row and label.startswith(code) and " " not in label
        )
        if len(longer) > 1:
            yield longer
        for step in (1, -1):
            yield from self._runs(row, step, found)

    def _runs(
        self, row: int, step: int, found: Mapping[int, tuple[int, ...]]
    ) -> Iterator[tuple[int, ...]]:
        """Labels next to one, as long as they may add up to it; parts of subtotals are passed."""
        inside = {part for parts in found.values() for part in parts}
        parts: list[int] = []
        added = np.zeros(self._shown.shape[1])
        at = row + step
        while 0 <= at < len(self._labels):
            if at not in inside:
                parts.append(at)
                added = added + self._shown[at]
                if (added > self._shown[row] * (1 + EXACT)).any():
                    return
                if len(parts) > 1:
                    yield tuple(parts)
            at += step

    def _adds_up(self, row: int, parts: Sequence[int], digits: float) -> bool:
        total, added = self._shown[row], self._shown[list(parts)].sum(axis=0)
        return _agree(total, added) and _digits(total[~np.isnan(total + added)]) >= digits


def _agree(totals: Floats, added: Floats) -> bool:
    """Whether numbers are equal wherever both are known."""
    known = ~np.isnan(totals + added)
    return bool((np.abs(totals - added)[known] <= EXACT * np.abs(totals[known])).all())


def _digits(numbers: Floats) -> float:
    """How many digits different numbers have together."""
    return float(np.log10(np.maximum(np.unique(np.abs(numbers)), 1.0)).sum())


def margins_elsewhere(
    places: Sequence[Labels], values: Mapping[Key, float], outside: Mapping[Key, float]
) -> Sums:
    """Sums over a whole variable whose totals only other tables show, where the numbers agree."""
    found: Sums = []
    for axis in range(max((len(labels) for labels in places), default=0)):
        lines: dict[Key, list[Key]] = {}
        for labels in places:
            if not labels[axis]:
                lines = {}
                break
            key = frozenset(filter(None, labels))
            lines.setdefault(key - {labels[axis]}, []).append(key)
        lines = {total: parts for total, parts in lines.items() if total in outside}
        found += _agreeing(lines, values, outside)
    return found


def _agreeing(
    lines: Mapping[Key, list[Key]], values: Mapping[Key, float], outside: Mapping[Key, float]
) -> Sums:
    """The lines, if those that are shown completely add up to what another table says."""
    whole = {
        total: sum(values[part] for part in parts)
        for total, parts in lines.items()
        if all(part in values for part in parts)
    }
    agree = all(abs(added - outside[total]) <= EXACT * added for total, added in whole.items())
    if not agree or _digits(np.array(list(whole.values()))) < DIGITS:
        return []
    return [(total, tuple(parts)) for total, parts in lines.items() if len(parts) > 1]
