"""Agreement weights of Fellegi & Sunter (1969), estimated by the EM algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.pairs.known_columns import Pair
from microveil.risk.linkage.compared import (
    Compared,
    RecordComparison,
    Standardize,
    comparison_of,
)
from microveil.risk.linkage.distances import (
    by_category,
    plain_numbers,
    scale_numbers,
    telling_columns,
)
from microveil.risk.linkage.label_comparison import agrees_by_labels
from microveil.risk.linkage.linking import group_rows

PAIRS = 20_000_000
"""Record pairs whose agreement is examined; beyond it originals are sampled."""
STEPS, STILL = 1000, 1e-10
LIKELY = 0.9
"""Probability m before anything is known of a column, and for one that EM turns around."""


class Agreement(NamedTuple):
    """A comparison whose distances are lost agreement weights, and the weights."""

    comparison: RecordComparison
    described: pl.DataFrame
    """By column: m, u, the agreement weight and the loss on disagreement."""


def agreement_comparison(
    pair: Pair,
    standardize: Standardize,
    within: float,
    weights: Mapping[str, float],
) -> Agreement:
    """Columns that agree or disagree, each costing the weight lost on disagreement.

    The probability u that a column agrees in a non-matching pair is counted over all pairs. The
    probability m for a matching pair is estimated by the EM algorithm from the agreement patterns,
    with one pair in n a match; a column whose m falls below u has m = 0.9. Columns are assumed
    independent within either kind of pair. A label agrees with the values it stands for. A value
    missing in one table neither adds nor subtracts weight.
    """
    from microveil.kernels.neighbours.mixed_tree import TABLE

    names = telling_columns(pair, weights)
    columns = [_agreeing(pair, name, standardize) for name in names]
    bare = comparison_of(columns, len(columns), pair.n_records, [within] * len(columns))
    if not columns:
        return Agreement(bare, pl.DataFrame())
    u, m = _chances(bare)
    agree = np.log2(m / u)
    disagree = np.log2((1 - m) / (1 - u))
    lost = np.maximum(agree - disagree, 0) * np.array([weights.get(name, 1.0) for name in names])
    neutral = np.clip(agree, 0, lost)
    tables = bare.metric.tables.copy()
    for number, column in enumerate(columns):
        if column.table is not None and column.kind == TABLE:
            start = bare.metric.starts[number]
            tables[start : start + column.table.size] *= lost[number]
    metric = bare.metric._replace(costs=lost, missing=neutral, tables=tables)
    described = pl.DataFrame({"column": names, "m": m, "u": u, "agree": agree, "lost": lost})
    return Agreement(RecordComparison(bare.queries, bare.records, metric), described)


def _agreeing(pair: Pair, name: str, standardize: Standardize) -> Compared:
    from microveil.kernels.neighbours.mixed_tree import WITHIN

    if plain_numbers(pair, name):
        first, second = scale_numbers(*pair.numbers(name), standardize)
        return Compared(first, second, WITHIN, 1.0, 1.0)
    if pair.reading.column(name).labelled:
        return agrees_by_labels(pair, name)
    return by_category(pair.before.frame[name], pair.after.frame[name], 1.0)


def _chances(bare: RecordComparison) -> tuple[Floats, Floats]:
    """The probabilities u and m of each column."""
    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.neighbours.pair_distances import MOST_COLUMNS, count_patterns

    n, d = bare.records.shape
    if d > MOST_COLUMNS:
        raise InputError(
            "Probabilistic linkage compares at most {most_columns} columns, and there are "
            "{d}. Name the columns the intruder knows.",
            most_columns=MOST_COLUMNS,
            d=d,
        )
    groups = group_rows(bare.records)
    sample = _sample(bare.queries, max(PAIRS // max(len(groups.points), 1), 1))
    counts = count_patterns(bare.metric, sample, Candidates(groups.points, groups.sizes))
    bits = ((np.arange(1 << d)[:, None] >> np.arange(d)) & 1).astype(np.float64)
    seen = counts > 0
    bits, shares = bits[seen], counts[seen] / counts.sum()
    least = 0.5 / (len(sample) * n)
    u = np.clip(shares @ bits, least, 1 - least)
    return u, _estimate_m(bits, shares, u, 1 / n, 0.5 / len(sample))


def _estimate_m(bits: Floats, shares: Floats, u: Floats, prevalence: float, least: float) -> Floats:
    """Estimate m by EM: which pairs match, then what the matches agree on."""
    m = np.full(len(u), LIKELY)
    strangers = np.log(1 - prevalence) if prevalence < 1 else -np.inf
    odds = bits @ np.log(u) + (1 - bits) @ np.log(1 - u) + strangers
    for _ in range(STEPS):
        matched = bits @ np.log(m) + (1 - bits) @ np.log(1 - m) + np.log(prevalence)
        belongs = shares / (1 + np.exp(np.clip(odds - matched, -700, 700)))
        total = belongs.sum()
        now = np.clip(belongs @ bits / total, least, 1 - least) if total > 0 else m
        moved = float(np.abs(now - m).max())
        m = now
        if moved < STILL:
            break
    # Where columns are not independent, as in classes that were cut by one another, EM may take
    # agreement for evidence against a match. No intruder does.
    return np.where(m < u, np.maximum(u, LIKELY), m)


def _sample(queries: Floats, most: int) -> Floats:
    """Records spread evenly over all, sorted by values, so that row order plays no part."""
    if len(queries) <= most:
        return queries
    order = np.lexsort(queries.T[::-1])
    return queries[order[np.linspace(0, len(order) - 1, most).astype(np.int64)]]
