"""Answering: count, add noise, and give the error bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np

from microveil import noise
from microveil.arrays import Floats, Longs
from microveil.dp.answers import Answer
from microveil.dp.declaration import Declaration
from microveil.dp.parts import Choice, Term, Vector
from microveil.dp.prepared import Prepared, prepare
from microveil.dp.prices.bills import Bill, Draw, Keys, Pick, bill, is_public
from microveil.dp.prices.loss import Loss
from microveil.dp.queries import QUERIES, Query
from microveil.dp.sentences import sentence
from microveil.dp.spread import Spread
from microveil.dp.tallies import (
    Groups,
    count_observed_keys,
    found_groups,
    frequencies,
    public_groups,
    tally,
)
from microveil.errors import QueryError

Row = dict[str, Any]


def answer(
    query: Any,
    table: Any,
    declaration: Any = None,
    spend: Any = None,
    *,
    confidence: float = 0.95,
    public: Mapping[str, Any] | None = None,
) -> Answer:
    """Answer a single query for ``spend``. No budget is kept here: see :class:`Session`.

    ``table`` is any data frame, or the result of :func:`prepare`, which is faster for many queries
    and needs no declaration.
    """
    query = as_query(query)
    spend = as_loss(spend)
    if not 0 < confidence < 1:
        raise QueryError("The confidence must be between 0 and 1, such as 0.95.")
    ready = table if isinstance(table, Prepared) else prepare(table, declaration, public)
    query = query.fit(ready.declaration)
    return answer_bill(query, ready, bill(query, ready.declaration, spend), confidence)


def answer_bill(query: Query, ready: Prepared, paid: Bill, confidence: float) -> Answer:
    """Answer a fitted query with the noise that its bill bought."""
    rows = tuple(_rows(query, ready, paid, confidence))
    return Answer(
        query=query,
        rows=rows,
        loss=paid.loss,
        noises=paid.noises,
        events=paid.events,
        confidence=confidence,
        unit=ready.declaration.unit,
        relation=ready.declaration.relation,
        sentence=sentence(query, rows, paid, ready.declaration, confidence),
    )


def as_query(raw: Any) -> Query:
    """A query unchanged, or parsed from plain data."""
    return raw if isinstance(raw, Query) else QUERIES.parse(raw)


def as_loss(raw: Any) -> Loss:
    """A loss unchanged, from plain data, or from a number, which is an ε."""
    if isinstance(raw, Loss):
        return raw
    if isinstance(raw, Mapping):
        return Loss.parse(raw)
    if raw is None:
        raise QueryError("Give what may be spent, for example spend=Loss(epsilon=0.1).")
    return Loss.parse({"epsilon": raw})


def _rows(query: Query, ready: Prepared, paid: Bill, confidence: float) -> Iterator[Row]:
    part = paid.part
    counts: Longs | None = None
    if paid.keys is None:
        into = public_groups(query, part, ready)
    else:
        shown = _select_keys(count_observed_keys(ready, query, part), paid.keys)
        into = found_groups(query, part, ready, list(shown))
        counts = np.array(list(shown.values()), dtype=np.int64)
    if isinstance(part, Choice):
        yield from _choose_rows(query, ready, part, paid, into, confidence)
        return
    noisy = _noisy(query, ready, part, paid, into, counts)
    yield from _estimate_rows(query, part, paid, into, noisy, confidence)


def _select_keys(counts: dict[tuple[Any, ...], int], keys: Keys) -> dict[tuple[Any, ...], int]:
    """Keys whose noisy count reaches the threshold, in an order that reveals nothing."""
    numbered = {str(at): key for at, key in enumerate(counts)}
    given = {at: counts[key] for at, key in numbered.items()}
    found = noise.frequent(given, keys.scale, keys.threshold, is_gaussian=keys.way == "gaussian")
    shown = {numbered[at]: count for at, count in found.items()}
    return {key: shown[key] for key in sorted(shown, key=_sort_key)}


def _sort_key(key: tuple[Any, ...]) -> tuple[tuple[bool, str, Any], ...]:
    return tuple((part is None, type(part).__name__, "" if part is None else part) for part in key)


def _noisy(
    query: Query,
    ready: Prepared,
    part: Vector,
    paid: Bill,
    into: Groups,
    counts: Longs | None,
) -> Floats:
    """The terms of every group with their noise, in their own units."""
    if not paid.draws and counts is not None:
        return counts.astype(np.float64).reshape(-1, 1)
    if is_public(query, ready.declaration):
        return np.full((1, 1), float(ready.declaration.size or 0))
    true = tally(ready, query, part, into)
    columns = [
        _with_noise(true[:, at], term, draw)
        for at, (term, draw) in enumerate(zip(part.terms, paid.draws, strict=True))
    ]
    return np.stack(columns, axis=1)


def _with_noise(true: Longs, term: Term, draw: Draw) -> Floats:
    add = noise.gaussian if draw.way == "gaussian" else noise.laplace
    # Clamping a number to limits moves no two numbers further apart.
    room = noise.LARGEST >> draw.shift
    noisy = add(np.clip(true, -room, room) << draw.shift, draw.scale)
    found: Floats = noisy.astype(np.float64) * (float(term.unit) / 2**draw.shift)
    return found


def _estimate_rows(
    query: Query,
    part: Vector,
    paid: Bill,
    into: Groups,
    noisy: Floats,
    confidence: float,
) -> Iterator[Row]:
    found = part.finish(noisy, Spread(paid.noises, confidence))
    names = (*query.by, *(axis.column for axis in part.axes))
    several = len(part.outputs) > 1
    for at, labels in enumerate(into.rows()):
        keys = dict(zip(names, (_plain(label) for label in labels), strict=True))
        for out, term in enumerate(part.outputs):
            value, low, high = (one[at, out] for one in (found.value, found.low, found.high))
            numbers: Row = {"value": float(value), "low": float(low), "high": float(high)}
            if part.whole:
                numbers = {
                    "value": round(value),
                    "low": math.floor(low),
                    "high": math.ceil(high),
                }
            yield {**keys, **({"term": term} if several else {}), **numbers}


def _plain(label: Any) -> Any:
    return label.isoformat() if isinstance(label, date) else label


def _choose_rows(
    query: Query,
    ready: Prepared,
    part: Choice,
    paid: Bill,
    into: Groups,
    confidence: float,
) -> Iterator[Row]:
    counted = frequencies(ready, query, part, into)
    for labels, counts in zip(into.rows(), counted, strict=True):
        keys = dict(zip(query.by, (_plain(label) for label in labels), strict=True))
        if part.kind == "top":
            yield from _top(keys, part, counts, paid.picks[0])
        else:
            yield keys | _quantile(part, counts, paid.picks, confidence, ready.declaration, query)


def _top(keys: Row, part: Choice, counts: Longs, pick: Pick) -> Iterator[Row]:
    places = noise.noisy_top(
        counts, part.k, pick.scale, monotonic=pick.monotonic, gumbel=pick.gumbel
    )
    for rank, at in enumerate(places, start=1):
        yield {**keys, "rank": rank, "value": part.labels[at], "low": None, "high": None}


def _quantile(
    part: Choice,
    counts: Longs,
    picks: tuple[Pick, ...],
    confidence: float,
    declaration: Declaration,
    query: Query,
) -> Row:
    """The quantile and its interval, each a choice of its own.

    A choice among m candidates is worse than the best by more than scale·ln(m / β) with a
    probability of β at most. So a choice that aims lower by that much is not above the
    quantile, and one that aims higher by as much not below it. The ends are chosen among
    stretches of candidates that grow with their distance from the quantile.
    """
    n, a, b = int(counts.sum()), part.share.numerator, part.share.denominator
    middle = min(max(_pick_nearest(counts, a * n, b, picks[0]), 0), len(counts) - 1)
    miss = (1 - confidence) / 2
    ends: list[Any] = []
    for sign, pick in zip((-1, 1), picks[1:], strict=True):
        starts = _stretches(len(counts), middle, sign)
        off = math.ceil(pick.scale * math.log((len(starts) + 2) / miss))
        at = _pick_nearest(np.add.reduceat(counts, starts), a * n + sign * off, b, pick)
        ends.append(_end(_outer(at, starts, len(counts), sign), sign, part, declaration, query))
    value = part.labels[middle]
    return {"value": value, "low": min(ends[0], value), "high": max(ends[1], value)}


def _stretches(n: int, middle: int, sign: int) -> Longs:
    """First candidates of stretches: one by one near the middle on one side, longer further off."""
    offsets = np.unique(np.concatenate([np.arange(9), (8 * 1.25 ** np.arange(40)).astype(int)]))
    # A stretch below the quantile counts as its first candidate, one above as its last, which is
    # just before the next one's first.
    starts = middle - offsets if sign < 0 else middle + offsets + 1
    inside = starts[(starts > 0) & (starts < n)]
    return np.unique(np.concatenate([[0], inside])).astype(np.int64)


def _outer(at: int, starts: Longs, n: int, sign: int) -> int:
    """The outer candidate of a stretch; what lies beyond all stays beyond."""
    if not 0 <= at < len(starts):
        return -1 if at < 0 else n
    if sign < 0:
        return int(starts[at])
    return int(starts[at + 1]) - 1 if at + 1 < len(starts) else n - 1


def _pick_nearest(counts: Longs, aim: int, b: int, pick: Pick) -> int:
    """The candidate whose ranks come nearest to ``aim`` (in b-ths of a row); −1 and m lie beyond.

    Candidates beyond both ends hold all ranks beyond the table's, so that an aim below the first
    or above the last row is met there.
    """
    upto = counts.cumsum()
    over, under = (upto - counts) * b - aim, aim - upto * b
    scores = np.zeros(len(counts) + 2, dtype=np.int64)
    scores[1:-1] = -np.maximum(np.maximum(over, under), 0)
    scores[0], scores[-1] = -max(aim, 0), -max(b * int(upto[-1]) - aim, 0)
    return noise.noisy_max(scores, pick.scale, gumbel=pick.gumbel) - 1


def _end(at: int, sign: int, part: Choice, declaration: Declaration, query: Query) -> Any:
    """An end of the interval: half a step further out, because values count as their candidate."""
    low, high = declaration.ordered_bounds(part.axis.column, query.join)
    if not 0 <= at < len(part.labels):
        point = low if at < 0 else high
    else:
        point = min(max(low + part.step * at + sign * part.step / 2, low), high)
    kind = declaration.column(part.axis.column, query.join).type
    if kind == "real":
        return float(point)
    whole = math.ceil(point - 1e-9) if sign < 0 else math.floor(point + 1e-9)
    return (date(1970, 1, 1) + timedelta(days=whole)).isoformat() if kind == "date" else whole
