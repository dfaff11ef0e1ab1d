"""Bills: which noise a spend buys for a query, and what that costs. No data are accessed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from microveil import noise
from microveil.dp.accounting.events import Event
from microveil.dp.accounting.gaussian import discrete_slack, gaussian_mu
from microveil.dp.parts import (
    Choice,
    Part,
    Term,
    Vector,
    choice_sensitivity,
    sensitivity,
)
from microveil.dp.prices.loss import Loss
from microveil.dp.prices.rationals import as_float_above, as_float_below, up
from microveil.dp.queries.counts import ROWS, Count
from microveil.dp.spread import Noise
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.queries.base import Query

MOST_CELLS = 100_000
"""Largest number of values in one answer."""
FINE_BITS = 30
"""Gaussian noise is drawn on a grid at least 2^30 times finer than itself, where that fits."""
ROOM_BITS = 26
"""Bits by which counts may be refined and still leave room for 2^36 rows."""

Way = Literal["laplace", "gaussian"]


@dataclass(frozen=True)
class Draw:
    """The noise of one term."""

    way: Way
    scale: float
    """In steps of the refined grid."""
    shift: int
    """Each step of the term is cut into 2^shift steps."""
    event: Event


@dataclass(frozen=True)
class Keys:
    """The noise and the threshold by which private keys are found."""

    way: Way
    scale: float
    threshold: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Pick:
    """The noise of one choice."""

    scale: float
    gumbel: bool
    monotonic: bool
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Bill:
    """All noise of an answer, and its cost."""

    part: Part
    loss: Loss
    draws: tuple[Draw, ...] = ()
    keys: Keys | None = None
    picks: tuple[Pick, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """What is drawn, for tight accounting."""
        keys = () if self.keys is None else self.keys.events
        picked = [event for pick in self.picks for event in pick.events]
        return (*keys, *(draw.event for draw in self.draws), *picked)

    @property
    def noises(self) -> tuple[Noise, ...]:
        """The noise of each number, in its own unit."""
        if isinstance(self.part, Choice):
            return tuple(_choice_noise(pick, self.part) for pick in self.picks)
        if not self.draws and self.keys is not None:
            return (Noise("rows", self.keys.way, self.keys.scale, 1.0),)
        if not self.draws:
            return tuple(Noise(term.name, "none", 0.0, 1.0) for term in self.part.terms)
        pairs = zip(self.part.terms, self.draws, strict=True)
        return tuple(_term_noise(term, draw) for term, draw in pairs)


def top_error(paid: Bill, part: Choice, confidence: float) -> float:
    """Rows by which no key left out is ahead of a named one, with this confidence.

    A choice among m keys falls short of the best by more than scale·ln(m / β) with a probability of
    β at most (McSherry & Talwar 2007); k choices by more than scale·ln(m·k / β).
    """
    return paid.picks[0].scale * math.log(len(part.labels) * part.k / (1 - confidence))


def _term_noise(term: Term, draw: Draw) -> Noise:
    step = float(term.unit) / 2**draw.shift
    return Noise(term.name, draw.way, draw.scale * step, step)


def _choice_noise(pick: Pick, choice: Choice) -> Noise:
    unit = choice.share.denominator if choice.kind == "quantile" else 1
    way: Literal["gumbel", "exponential"] = "gumbel" if pick.gumbel else "exponential"
    return Noise("rank" if choice.kind == "quantile" else "rows", way, pick.scale / unit, 1 / unit)


def bill(query: Query, declaration: Declaration, spend: Loss) -> Bill:
    """Which noise ``spend`` buys; its loss never exceeds the spend."""
    part = query.check(declaration)
    if is_public(query, declaration):
        return Bill(part, Loss())
    private = tuple(name for name in query.by if declaration.keys_of(name, query.join) is None)
    _check_spend(spend, private)
    n_cells(query, declaration, part)
    if isinstance(part, Choice):
        return _choice_bill(part, query, declaration, spend, private=bool(private))
    return _vector_bill(part, query, declaration, spend, private=bool(private))


def _choice_bill(
    part: Choice, query: Query, declaration: Declaration, spend: Loss, *, private: bool
) -> Bill:
    share = Fraction(1, 2) if private else Fraction(1)
    keys = _keys(declaration, spend, share) if private else None
    picks = tuple(_pick(part, query, declaration, spend, share * one) for one in _picking(part))
    return Bill(part, _charge(spend, keys), keys=keys, picks=picks)


def _vector_bill(
    part: Vector, query: Query, declaration: Declaration, spend: Loss, *, private: bool
) -> Bill:
    if private and counts_rows(part):
        found = _keys(declaration, spend, Fraction(1))
        return Bill(part, _charge(spend, found), keys=found)
    share = Fraction(1, len(part.terms) + private)
    keys = _keys(declaration, spend, share) if private else None
    draws = _draws(part, query, declaration, spend, share, private=private)
    used = any(draw.way == "gaussian" for draw in draws)
    return Bill(part, _charge(spend, keys, gaussian=used), draws, keys)


def is_public(query: Query, declaration: Declaration) -> bool:
    """Whether the answer is public: the number of rows, if the owner says so."""
    plain = isinstance(query, Count) and query.column is None
    return plain and declaration.size_is_public and query.where is None and not query.by


def counts_rows(part: Vector) -> bool:
    """Whether the answer is the number of rows of each group, which finding the keys tells."""
    return part.terms == (ROWS,) and not part.axes


def n_cells(query: Query, declaration: Declaration, part: Part) -> int:
    """How many groups with public keys there are; too many are refused."""
    n = 1
    axes = () if isinstance(part, Choice) else part.axes
    for axis in axes:
        n *= len(axis.labels(declaration, query.join))
    for name in query.by:
        n *= len(declaration.keys_of(name, query.join) or (None,))
    if n > MOST_CELLS:
        raise QueryError(
            f"The answer would have {n:,} groups, more than {MOST_CELLS:,}: break it down less."
        )
    return n


def _check_spend(spend: Loss, private: tuple[str, ...]) -> None:
    if spend.epsilon and spend.rho:
        raise QueryError("Spend in one currency: ε (with or without δ), or ρ.")
    if not (spend.epsilon or spend.rho):
        raise QueryError("Give what may be spent, for example Loss(epsilon=0.1).")
    if private and not spend.delta:
        raise QueryError(
            f"Column '{private[0]}' has no public keys. Spend a δ so that frequent keys appear "
            "(for example Loss(epsilon=0.1, delta=1e-7)), or let the owner declare its keys."
        )


def _charge(spend: Loss, keys: Keys | None, *, gaussian: bool = False) -> Loss:
    """What is charged: the spend, without a δ that nothing has used."""
    uses_delta = keys is not None or (gaussian and bool(spend.epsilon))
    return spend if uses_delta else Loss.of(spend.epsilon, 0, spend.rho)


def _draws(
    part: Vector,
    query: Query,
    declaration: Declaration,
    spend: Loss,
    share: Fraction,
    *,
    private: bool,
) -> tuple[Draw, ...]:
    grouped = bool(query.by or part.axes)
    cells = MOST_CELLS if private else n_cells(query, declaration, part)
    found = [sensitivity(term, declaration, grouped=grouped) for term in part.terms]
    one_cell = not grouped or (declaration.neighbours == "add_remove" and declaration.max_rows == 1)

    def gaussians(rho: Fraction) -> tuple[Draw, ...]:
        return tuple(
            _gaussian(term, one.l2_squared, rho, cells)
            for term, one in zip(part.terms, found, strict=True)
        )

    if spend.rho:
        return gaussians(spend.rho * share)
    laplaces = tuple(_laplace(one.l1, spend.epsilon * share, one_cell=one_cell) for one in found)
    if not spend.delta or private:
        return laplaces
    rho = _rho_for(spend, share, gaussians)
    if not rho:
        return laplaces
    approximate = gaussians(rho)
    narrow = approximate[0].scale / 2 ** approximate[0].shift < math.sqrt(2) * laplaces[0].scale
    return approximate if narrow else laplaces


def _rho_for(
    spend: Loss, share: Fraction, gaussians: Callable[[Fraction], tuple[Draw, ...]]
) -> Fraction:
    """The ρ of each term whose Gaussian noise together keeps ε and δ."""
    epsilon, delta = as_float_below(spend.epsilon), as_float_below(spend.delta)
    first = Fraction(gaussian_mu(epsilon, delta)) ** 2 / 2 * share
    if not first:
        return first
    drawn = gaussians(first)
    slack = as_float_above(sum((draw.event.slack for draw in drawn), Fraction(0)))
    # With less ρ the noise is wider and the slack smaller, so that this one covers it.
    return Fraction(gaussian_mu(epsilon, delta, slack)) ** 2 / 2 * share


def _laplace(l1: int, epsilon: Fraction, *, one_cell: bool) -> Draw:
    scale = as_float_above(Fraction(l1) / epsilon)
    event = Event(mechanism="laplace" if one_cell else "pure", amount=epsilon, steps=l1)
    return Draw("laplace", _usable(scale), 0, event)


def _gaussian(term: Term, l2_squared: int, rho: Fraction, cells: int) -> Draw:
    if not rho:
        raise QueryError("Such a small loss leaves nothing but noise: spend more on this query.")
    variance = Fraction(l2_squared) / (2 * rho)
    scale = _usable(math.sqrt(as_float_above(variance)))
    while Fraction(scale) ** 2 < variance:
        scale = math.nextafter(scale, math.inf)
    room = max(ROOM_BITS - max(abs(term.low), abs(term.high)).bit_length() + 1, 0)
    shift = min(max(FINE_BITS - math.floor(math.log2(scale)), 0), room)
    fine = scale * 2.0**shift
    slack = up(discrete_slack(fine, cells))
    event = Event(
        mechanism="gaussian",
        amount=l2_squared / Fraction(scale) ** 2,
        slack=min(slack, Fraction(1)),
    )
    return Draw("gaussian", fine, shift, event)


def _usable(scale: float) -> float:
    if not 0 < scale <= noise.WIDEST:
        raise QueryError("Such a small loss leaves nothing but noise: spend more on this query.")
    return scale


def _keys(declaration: Declaration, spend: Loss, share: Fraction) -> Keys:
    """Noise and threshold of private keys: one nobody but one unit has shows with δ at most."""
    twice = 2 if declaration.neighbours == "change_one" else 1
    rows, groups = declaration.max_rows, declaration.max_groups * twice
    is_gaussian = bool(spend.rho)
    if is_gaussian:
        squared = Fraction(rows * rows * twice)
        rho = spend.rho * share
        scale = _usable(math.sqrt(as_float_above(squared / (2 * rho))) * (1 + 1e-15))
        whole = math.sqrt(squared) * (1 + 1e-15)
        event = Event(
            mechanism="gaussian",
            amount=squared / Fraction(scale) ** 2,
            slack=min(up(discrete_slack(scale, MOST_CELLS)), Fraction(1)),
        )
    else:
        epsilon = spend.epsilon * share
        scale = as_float_above(Fraction(rows * twice) / epsilon)
        whole = rows * twice
        event = Event(mechanism="pure", amount=epsilon)
    distance = (groups, whole, rows)
    threshold = _threshold(_usable(scale), distance, spend.delta, is_gaussian=is_gaussian)
    lost = Event(mechanism="delta", amount=spend.delta)
    return Keys("gaussian" if is_gaussian else "laplace", scale, threshold, (event, lost))


def _threshold(
    scale: float, distance: tuple[int, float, int], delta: Fraction, *, is_gaussian: bool
) -> int:
    """The smallest threshold whose δ is not more than what is spent."""

    def enough(threshold: int) -> bool:
        _, lost = noise.threshold_loss(scale, threshold, distance, is_gaussian=is_gaussian)
        return Fraction(lost) <= delta

    low = distance[2]
    high = low + max(math.ceil(scale), 1)
    while not enough(high):
        high = low + 2 * (high - low)
        if high > noise.LARGEST:
            raise QueryError("With such a small δ no key can appear: spend more.")
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _picking(choice: Choice) -> tuple[Fraction, ...]:
    """How a spend is split: half on the quantile, the rest on its interval."""
    if choice.kind == "top":
        return (Fraction(1),)
    return (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def _pick(
    choice: Choice, query: Query, declaration: Declaration, spend: Loss, share: Fraction
) -> Pick:
    moved = choice_sensitivity(choice, declaration, grouped=bool(query.by))
    monotonic = choice.kind == "top" and declaration.neighbours == "add_remove"
    span = Fraction(moved if monotonic else 2 * moved)
    if spend.epsilon:
        each = spend.epsilon * share / choice.k
        scale = as_float_above(span / each)
        event = Event(mechanism="pure", amount=each)
        return Pick(_usable(scale), gumbel=False, monotonic=monotonic, events=(event,) * choice.k)
    squared = as_float_below(8 * spend.rho * share / choice.k)
    scale = _usable(
        as_float_above(span) / math.sqrt(squared) * (1 + 1e-15) if squared else math.inf
    )
    event = Event(mechanism="pure", amount=span / Fraction(scale))
    return Pick(scale, gumbel=True, monotonic=monotonic, events=(event,) * choice.k)
