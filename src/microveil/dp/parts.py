"""Parts: what a query releases with noise, and how far one person can change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from microveil.arrays import Floats

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.grids import MomentCode, SumCode
    from microveil.dp.keys import BinCode, KeyCode
    from microveil.dp.spread import Spread


@dataclass(frozen=True)
class Term:
    """An integer per group: the sum over its rows of a product of codes, or a count."""

    name: str
    """What it is, in words: ``rows``, ``sum of income``."""
    low: int = 0
    high: int = 1
    """Least and most that one row adds."""
    unit: Fraction = Fraction(1)
    """What one step is worth."""
    factors: tuple[SumCode | MomentCode, ...] = ()
    """Codes that are multiplied; none for counting."""
    distinct: str | None = None
    """Column whose different values are counted, instead of rows."""
    once: bool = False
    """Whether an entity counts once per group, however many rows it has there."""


@dataclass(frozen=True)
class Estimates:
    """Values with their intervals, one row per group and one column per output."""

    value: Floats
    low: Floats
    high: Floats


Finish = Callable[[Floats, "Spread"], Estimates]


@dataclass(frozen=True)
class Vector:
    """Sums and counts over groups, to which noise is added."""

    terms: tuple[Term, ...]
    finish: Finish
    """From noisy terms (groups × terms) to answers (groups × outputs)."""
    complete: tuple[str, ...] = ()
    """Columns that must not be missing for a row to count."""
    axes: tuple[KeyCode | BinCode, ...] = ()
    """Further breakdowns that are part of the query itself: bins, a table's margins."""
    outputs: tuple[str, ...] = ("value",)
    """Names of the outputs; several have rows of their own."""
    whole: bool = False
    """Whether answers are whole numbers."""


@dataclass(frozen=True)
class Choice:
    """Scores of public candidates, of which the best is chosen with noise."""

    axis: KeyCode | BinCode
    """The candidate that each row falls into."""
    kind: str
    """``top`` or ``quantile``."""
    labels: tuple[Any, ...]
    """The candidates."""
    share: Fraction = Fraction(1, 2)
    """The requested quantile."""
    k: int = 1
    """How many are requested."""
    step: float = 0.0
    """Distance between candidates, if they are numbers."""
    complete: tuple[str, ...] = field(default=())


Part = Vector | Choice


@dataclass(frozen=True)
class Sensitivity:
    """How far apart neighbouring tables are in a vector of sums."""

    l1: int
    """Largest sum of absolute differences."""
    l2_squared: int
    """Largest sum of squared differences."""


def sensitivity(term: Term, declaration: Declaration, *, grouped: bool) -> Sensitivity:
    """How far one protected unit can move a term over all groups.

    *Proof.* A unit has R rows at most; each adds a number of [low, high] to one group, or nothing
    where the filter leaves it out. Let m be the larger of |low| and |high|.

    Adding or removing the unit moves the vector of groups by the sum of its rows' numbers. Their
    absolute values add up to R·m at most, which bounds both norms.

    Changing the unit moves it by a − b, where a and b are such sums. Both norms are convex, so
    their maximum is taken at corners, where each of a and b lies in one group with all R rows at
    low, at high, or left out. In the same group that differs by R·span at most, with span =
    max(high, 0) − min(low, 0); in two groups by R·m in each: 2·R·m in all, squares 2·(R·m)².

    A unit that counts once per group is in G groups at most: G ones, or 2·G when it changes; with
    one group alone the number moves by 1. ∎
    """
    changed = declaration.neighbours == "change_one"
    if term.once:
        groups = declaration.max_groups if grouped else 1
        moved = groups * 2 if changed and grouped else groups
        return Sensitivity(moved, moved)
    rows = declaration.max_rows
    largest = rows * max(abs(term.low), abs(term.high))
    if not changed:
        return Sensitivity(largest, largest**2)
    span = rows * (max(term.high, 0) - min(term.low, 0))
    if not grouped:
        return Sensitivity(span, span**2)
    return Sensitivity(2 * largest, max(span**2, 2 * largest**2))


def choice_sensitivity(choice: Choice, declaration: Declaration, *, grouped: bool) -> int:
    """How far one protected unit can move the scores, added up over groups.

    *Proof.* The score of a candidate in ``top`` is its count, which moves by the unit's R rows.
    For the quantile a/b it is −max(b·L − a·n, a·n − b·(L + E), 0) with L rows below the candidate,
    E at it and n in all. One more row moves either by a or by b − a; so R rows move it by
    R·max(a, b − a), and one that changes by R·b. A unit whose rows lie in several groups moves
    their scores by parts of that. One that changes groups moves two of them; for ``top`` that
    moves each of both in one direction only, which costs half as much each. ∎
    """
    changed = declaration.neighbours == "change_one"
    rows = declaration.max_rows
    if choice.kind == "top":
        return rows
    a, b = choice.share.numerator, choice.share.denominator
    if not changed:
        return rows * max(a, b - a)
    return rows * (2 * max(a, b - a) if grouped else b)
