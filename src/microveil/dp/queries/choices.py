"""Quantiles and the most frequent values: chosen among public candidates."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, model_validator

from microveil.dp.keys import BinCode, KeyCode
from microveil.dp.parts import Choice, Part
from microveil.dp.prices.rationals import exact
from microveil.dp.queries.base import Query
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration

FINEST_SHARE = 1000
"""Shares are read to this fraction."""


class Quantile(Query):
    """The value below which a share of the rows lies, chosen among candidates within the bounds.

    Candidates lie evenly between the bounds (each whole number, where these are fewer); each value
    counts as its nearest candidate. The interval is chosen too, from a part of the spend.
    """

    query: Literal["quantile"] = "quantile"
    column: str
    """The column of numbers or dates; it needs bounds."""
    share: float = Field(default=0.5, ge=0, le=1)
    """Share of rows below: 0.5 for the median, to a thousandth."""
    points: int = Field(default=1001, ge=2, le=10_001)
    """Largest number of candidates."""

    def answer_columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def part(self, declaration: Declaration) -> Part:
        """Scores of the candidates by how far their rank is from the one that is wanted."""
        low, high = declaration.ordered_bounds(self.column, self.join)
        kind = declaration.column(self.column, self.join).type
        edges, labels, step = _candidates(float(low), float(high), kind, self.points)
        return Choice(
            BinCode(self.column, edges),
            "quantile",
            labels,
            share=exact(self.share).limit_denominator(FINEST_SHARE),
            step=step,
            complete=(self.column,),
        )

    def words(self) -> str:
        """Which quantile of what."""
        return f"quantile {self.share:g} of {self.column}"


class Median(Quantile):
    """The value below which half of the rows lie."""

    query: Literal["median"] = "median"  # type: ignore[assignment]  # a quantile under its own name
    share: float = Field(default=0.5, ge=0.5, le=0.5)
    """Always one half."""

    def words(self) -> str:
        """Of what."""
        return f"median of {self.column}"


@lru_cache(maxsize=16)
def _candidates(
    low: float, high: float, kind: str, most: int
) -> tuple[tuple[float, ...], tuple[Any, ...], float]:
    """Edges between the candidates, the candidates, and the step from one to the next."""
    n = most
    if kind != "real" and high - low < n:
        n = int(high - low) + 1
    step = (high - low) / (n - 1)
    points = [low + step * number for number in range(n)]
    middles = [(left + right) / 2 for left, right in pairwise(points)]
    edges = (low - 1, *middles, high + 1)
    return edges, tuple(_label(point, kind) for point in points), step


def _label(point: float, kind: str) -> Any:
    if kind == "date":
        return (date(1970, 1, 1) + timedelta(days=round(point))).isoformat()
    return round(point) if kind == "integer" and float(point).is_integer() else point


class TopK(Query):
    """The most frequent keys of a column, best first, without their counts."""

    query: Literal["top_k"] = "top_k"
    column: str
    """The column; it needs public keys."""
    k: int = Field(default=3, ge=1, le=1000)
    """How many."""

    def answer_columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    @model_validator(mode="after")
    def _not_by_itself(self) -> Self:
        if self.column in self.by:
            raise ValueError("The column cannot also be in `by`.")
        return self

    def part(self, declaration: Declaration) -> Part:
        """The counts of the keys are their scores."""
        axis = KeyCode(self.column)
        keys = axis.labels(declaration, self.join)
        if self.k > len(keys):
            raise QueryError(
                f"Column '{self.column}' has {len(keys)} keys; ask for at most that many."
            )
        return Choice(axis, "top", keys, Fraction(1), k=self.k)

    def words(self) -> str:
        """How many of what."""
        return f"the {self.k} most frequent {self.column}"
