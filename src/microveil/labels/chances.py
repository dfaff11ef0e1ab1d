"""What a released label says about original values: which of them it stands for.

A release may show ``[30, 40)``, ``80***``, ``{nurse, doctor}`` or ``*`` where the original has a
value. An intruder reads such a label as the values it stands for, and so do the attacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

STAR = "*"
_NUMBER = r"([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|inf|∞))"
_SET_MEMBER = re.compile(r"((?:[^\\,{}]|\\.)*)(?:, |$)")
_TEXT_PAIR = re.compile(r"[\[(](.+), (.+)[\])]")


class Span(NamedTuple):
    """Numbers between two ends."""

    low: float
    high: float
    low_in: bool = True
    high_in: bool = True


def parse_span(label: str) -> Span | None:
    """The numbers a label stands for; none for a text that is no number, range or mask.

    >>> parse_span("[30, 40)")
    Span(low=30.0, high=40.0, low_in=True, high_in=False)
    """
    for pattern, read in _SPANS:
        if found := pattern.fullmatch(label.strip()):
            return read(found)
    return None


def _number(text: str) -> float:
    return float(text.replace("∞", "inf"))


def _mask_span(found: re.Match[str]) -> Span:
    """What begins with some digits and goes on with as many unknown ones as there are stars."""
    step = 10.0 ** len(found[3])
    low = int(found[2]) * step
    if found[1]:
        return Span(-low - step, -low, low_in=False)
    return Span(low, low + step, high_in=False)


_SPANS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Span]], ...] = (
    (re.compile(_NUMBER), lambda found: Span(_number(found[1]), _number(found[1]))),
    (re.compile(r"\*"), lambda _: Span(-np.inf, np.inf)),
    (
        re.compile(rf"([\[(])\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*([\])])"),
        lambda found: Span(_number(found[2]), _number(found[3]), found[1] == "[", found[4] == "]"),
    ),
    (
        re.compile(rf"(>=|≥|>)\s*{_NUMBER}"),
        lambda found: Span(_number(found[2]), np.inf, low_in=found[1] != ">"),
    ),
    (
        re.compile(rf"(<=|≤|<)\s*{_NUMBER}"),
        lambda found: Span(-np.inf, _number(found[2]), high_in=found[1] != "<"),
    ),
    (re.compile(rf"{_NUMBER}\s*\+"), lambda found: Span(_number(found[1]), np.inf)),
    (re.compile(r"(-?)(\d+)(\*+)"), _mask_span),
    (
        re.compile(rf"{_NUMBER}\s*(?:-|–|to|\.\.)\s*{_NUMBER}"),
        lambda found: Span(_number(found[1]), _number(found[2])),
    ),
)
"""How labels over numbers are written."""


def set_members(label: str) -> list[str] | None:
    r"""The members of a set as labels write it, ``{a, b}``; none for other text.

    >>> set_members(r"{a, b\, c}")
    ['a', 'b, c']
    """
    if not (label.startswith("{") and label.endswith("}")):
        return None
    found = _SET_MEMBER.findall(label[1:-1])
    return [re.sub(r"\\(.)", r"\1", member) for member in found if member]


Learned = Mapping[str, Sequence[int]]
"""Codes of the original values that records with a label had, where rows are linked."""


@dataclass(frozen=True, eq=False)
class NumberLabels:
    """Labels over numbers: each stands for the numbers of a span, all equally likely."""

    values: Floats
    """The distinct original numbers, ascending."""
    spans: tuple[Span | None, ...]
    """What each label stands for; none for a label that says nothing readable."""

    @classmethod
    def of(cls, labels: Sequence[str], values: Floats, learned: Learned) -> NumberLabels:
        """Read each label; one that cannot be read spans the values it replaced, if known."""
        return cls(values, tuple(_number_span(label, values, learned) for label in labels))

    def contains(self, label: int) -> Flags:
        """Which of the values a label stands for."""
        span = self.spans[label]
        if span is None:
            return np.zeros(len(self.values), dtype=np.bool_)
        above = self.values >= span.low if span.low_in else self.values > span.low
        below = self.values <= span.high if span.high_in else self.values < span.high
        return above & below

    def _ends(self) -> tuple[Floats, Floats]:
        """Ends of the spans within what occurs; nan where a label cannot be read."""
        least = float(self.values.min()) if len(self.values) else 0.0
        most = float(self.values.max()) if len(self.values) else 0.0
        ends = np.array(
            [(np.nan, np.nan) if span is None else (span.low, span.high) for span in self.spans]
        ).reshape(-1, 2)
        low = np.where(np.isneginf(ends[:, 0]), np.minimum(least, ends[:, 1]), ends[:, 0])
        high = np.where(np.isposinf(ends[:, 1]), np.maximum(most, low), ends[:, 1])
        return low, np.maximum(low, high)

    def width(self) -> tuple[float, float]:
        """Smallest and largest number among values and ends of spans."""
        every = np.concatenate([self.values, *self._ends()])
        every = every[np.isfinite(every)]
        return (float(every.min()), float(every.max())) if len(every) else (0.0, 0.0)

    def distances(self, chosen: NDArray[np.int64]) -> Floats:
        """Mean distance of each chosen value to the numbers of each label, over the whole width."""
        low, high = self._ends()
        least, most = self.width()
        # An infinite number is read as the outermost finite one.
        x = np.clip(self.values[chosen], least, most)[:, None]
        low, high = np.clip(low, least, most), np.clip(high, least, most)
        length = np.where(high > low, high - low, 1.0)
        inside = ((x - low) ** 2 + (high - x) ** 2) / (2 * length)
        outside = np.abs(x - (low + high) / 2)
        found = np.where((x > low) & (x < high), inside, outside)
        return np.nan_to_num(found / ((most - least) or 1.0), nan=1.0)

    def chances(self, chosen: NDArray[np.int64], tolerance: float) -> Floats:
        """Chance that a number drawn from a label is within the tolerance of each chosen value."""
        low, high = self._ends()
        least, most = self.width()
        low, high = np.clip(low, least, most), np.clip(high, least, most)
        x = np.clip(self.values[chosen], least, most)[:, None]
        slack = tolerance * np.abs(x)
        overlap = np.minimum(high, x + slack) - np.maximum(low, x - slack)
        length = np.where(high > low, high - low, 1.0)
        single = (np.abs(x - low) <= slack).astype(np.float64)
        spread = np.clip(overlap / length, 0.0, 1.0)
        return np.nan_to_num(np.where(high > low, spread, single), nan=0.0)


def _number_span(label: str, values: Floats, learned: Learned) -> Span | None:
    span = parse_span(label)
    if span is not None:
        return span
    members = [parse_span(member) for member in set_members(label) or ()]
    ends = [end for member in members if member is not None for end in member[:2]]
    if not ends:
        ends = [float(values[code]) for code in learned.get(label, ())]
    return Span(min(ends), max(ends)) if ends else None


@dataclass(frozen=True, eq=False)
class TextLabels:
    """Labels over categories and dates: each stands for some values, all equally likely."""

    n_values: int
    covers: tuple[NDArray[np.int64], ...]
    """Codes of the values each label stands for."""

    @classmethod
    def of(cls, labels: Sequence[str], values: Sequence[str], learned: Learned) -> TextLabels:
        """Read each label; one that cannot be read stands for the values it replaced, if known."""
        codes = {value: code for code, value in enumerate(values)}
        covers = (_cover(label, values, codes, learned) for label in labels)
        return cls(len(values), tuple(np.array(cover, dtype=np.int64) for cover in covers))

    def contains(self, label: int) -> Flags:
        """Which of the values a label stands for."""
        flags = np.zeros(self.n_values, dtype=np.bool_)
        flags[self.covers[label]] = True
        return flags

    def distances(self, chosen: NDArray[np.int64]) -> Floats:
        """Chance that a value drawn from each label differs from each chosen value."""
        return 1.0 - self.chances(chosen, 0.0)

    def chances(self, chosen: NDArray[np.int64], tolerance: float) -> Floats:  # noqa: ARG002  values match or not
        """Chance that a value drawn from each label is each chosen value."""
        place = np.full(self.n_values, -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        table = np.zeros((len(chosen), len(self.covers)))
        for number, cover in enumerate(self.covers):
            rows = place[cover]
            table[rows[rows >= 0], number] = 1.0 / max(len(cover), 1)
        return table


def _cover(
    label: str, values: Sequence[str], codes: Mapping[str, int], learned: Learned
) -> Sequence[int]:
    if label in codes:
        return [codes[label]]
    if label == STAR:
        return range(len(values))
    members = set_members(label)
    if members is not None:
        return [codes[member] for member in members if member in codes]
    return _readable(label, values) or learned.get(label, ())


def _readable(label: str, values: Sequence[str]) -> list[int]:
    """Values that a mask, a range or the beginning of a date stands for."""
    if STAR in label:
        pattern = re.compile(".".join(re.escape(part) for part in label.split(STAR)), re.DOTALL)
        found = [code for code, value in enumerate(values) if pattern.fullmatch(value)]
        start = label.rstrip(STAR)
        if found or STAR in start:
            return found
        return [code for code, value in enumerate(values) if value.startswith(start)]
    if found_pair := _TEXT_PAIR.fullmatch(label):
        low, high = found_pair[1], found_pair[2]
        return [code for code, value in enumerate(values) if low <= value <= high]
    if re.fullmatch(r"\d{4}(-\d{2})?", label):
        return [code for code, value in enumerate(values) if value.startswith(f"{label}-")]
    return []


Labels = NumberLabels | TextLabels
