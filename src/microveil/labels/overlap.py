"""Whether two descriptions (values, ranges, masks, sets) may mean the same thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.hierarchies.hierarchy import STAR
from microveil.labels.notation import Span, read_set, read_span
from microveil.tables.kinds import numbers_of
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from numpy.typing import NDArray


def overlaps(known: pl.Series, labels: pl.Series) -> NDArray[np.bool_]:
    """Whether each known value (rows) may be meant by each released label (columns).

    A range, mask or set may mean any value in it. Known values may themselves be imprecise, such as
    a postcode of which only the start is known. Text is compared as text and numbers as numbers.
    Missing means unknown, and matches anything.

    >>> overlaps(pl.Series(["970**", "40212"]), pl.Series(["97***", "40***"])).tolist()
    [[True, False], [False, True]]
    """
    if known.dtype.is_numeric() and labels.dtype.is_numeric():
        ours, theirs = (numbers_of(one) for one in (known, labels))
        same: NDArray[np.bool_] = ours[:, None] == theirs
        same |= np.isnan(ours)[:, None] | np.isnan(theirs)
        return same
    by_number = known.dtype.is_numeric() or labels.dtype.is_numeric()
    left = [_Meaning.of(text) for text in as_text(known).cast(pl.String)]
    right = [_Meaning.of(text) for text in as_text(labels).cast(pl.String)]
    return np.array(
        [[one.may_be(other, by_number=by_number) for other in right] for one in left],
        dtype=np.bool_,
    ).reshape(len(left), len(right))


class _Meaning:
    """One description, parsed once."""

    def __init__(self, text: str | None, span: Span | None, members: list[str] | None) -> None:
        self.text, self.span, self.members = text, span, members
        self.anything = text is None or set(text) == {STAR}

    @classmethod
    def of(cls, text: str | None) -> _Meaning:
        if text is None:
            return cls(None, None, None)
        return cls(text, read_span(text), read_set(text))

    def may_be(self, other: _Meaning, *, by_number: bool) -> bool:
        if self.anything or other.anything or self.text == other.text:
            return True
        if self.members is not None or other.members is not None:
            ours = self.members if self.members is not None else [self.text or ""]
            theirs = other.members if other.members is not None else [other.text or ""]
            return any(
                _Meaning.of(one).may_be(_Meaning.of(two), by_number=by_number)
                for one in ours
                for two in theirs
                if (one, two) != (self.text, other.text)
            )
        masked = STAR in (self.text or "") or STAR in (other.text or "")
        if masked and _masks_overlap(self.text or "", other.text or ""):
            return True
        if self.span is None or other.span is None:
            return False
        # "08001" and "8001" are two postcodes, unless one of the columns holds numbers.
        wide = self.span.low != self.span.high or other.span.low != other.span.high
        same_length = not masked or len(self.text or "") == len(other.text or "")
        return (by_number or (wide and same_length)) and _spans_overlap(self.span, other.span)


def _masks_overlap(one: str, other: str) -> bool:
    """Whether some text fits both masks, a star standing for one character."""
    return len(one) == len(other) and all(
        a == b or STAR in (a, b) for a, b in zip(one, other, strict=True)
    )


def _spans_overlap(one: Span, other: Span) -> bool:
    low, high = max(one.low, other.low), min(one.high, other.high)
    if low < high:
        return True
    ends_in = all(
        (end > span.low or span.with_low) and (end < span.high or span.with_high)
        for span in (one, other)
        for end in (low,)
    )
    return low == high and ends_in
