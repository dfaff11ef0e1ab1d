"""Local recoding: classes with labels of their own, at the smallest loss that is found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.cores import shared_pool
from microveil.errors import InternalError
from microveil.progress import Progress, silent
from microveil.search.local_recoding.mend import N_ORDERS, merge_small
from microveil.search.local_recoding.nodes import best_node
from microveil.search.local_recoding.orders import levels_by_cost, orders_by_likeness
from microveil.search.local_recoding.space import RecodingSpace

if TYPE_CHECKING:
    from microveil.kernels.lattice.rules import Rules

BLOCK = 40_000
"""Distinct rows that are recoded together; more are divided into blocks of similar rows."""
LEVELS_OF_BLOCKS = 5_000
"""Level combinations that are tried if there are several blocks."""
STEPS_PER_ROW, MOST_STEPS = 60, 20_000_000
SWEEPS = ((1.0, 0.0), (2.0, 0.0), (1.0, 0.01))
"""The sweeps to choose from: the power of the costs by which levels are ordered, and the share of
the remaining records that an attempt must help. None is the best on all tables."""

BUDGETS = (0.01, 0.05, 0.2)
"""Shares of the records up to which suppression is tried if more is allowed."""


@dataclass(frozen=True)
class Effort:
    """How far to go: class size, allowed suppression, and number of improvement steps."""

    k: int
    most_suppressed: int = 0
    steps: int | None = None

    def allowing(self, most: int) -> Effort:
        """The same effort with another limit on suppressed records."""
        return replace(self, most_suppressed=most)

    def steps_for(self, n_rows: int) -> int:
        """Number of proposals for the rows of a table or a block."""
        return min(STEPS_PER_ROW * n_rows, MOST_STEPS) if self.steps is None else self.steps


def recode(
    space: RecodingSpace, effort: Effort, rng: np.random.Generator, progress: Progress = silent
) -> Ints:
    """Class of each record, −1 if suppressed; every class has at least k records.

    Rows with k peers at cheap levels become classes first (`sweep_levels`). Annealing then moves
    and swaps records between nearby classes, dissolves classes and forms new ones. Blocks are
    processed by as many threads as the settings allow; the result does not depend on them.
    """
    blocks = _blocks(space, effort.k)
    words = rng.integers(0, 2**63, size=len(blocks), dtype=np.uint64)
    n_rows = len(space.codes)
    tasks = [
        (block, word, _share(effort, len(block), n_rows))
        for block, word in zip(blocks, words, strict=True)
    ]
    labels = np.full(space.n_records, -1, dtype=np.int32)
    space.trees  # noqa: B018  made once, before the threads ask for it
    sweeps = _sweeps(space, len(blocks))
    records = _Records.of(space)
    n_classes = 0
    with shared_pool(len(blocks)) as pool:
        done = pool.map(lambda task: _recode_block(space, sweeps, *task), tasks)
        for i, (block, (rows, weights, classes)) in enumerate(zip(blocks, done, strict=True)):
            shifted = np.where(classes < 0, -1, classes + n_classes)
            records.hand_out(labels, block[rows], weights, shifted.astype(np.int32))
            n_classes += int(classes.max(initial=-1)) + 1
            progress(i + 1, len(blocks), "blocks")
    return labels


def sweep(space: RecodingSpace, k: int, share: float = 0.0, rules: Rules | None = None) -> Ints:
    """Class of each record from one sweep over the levels, cheapest first; −1 without one.

    With a ``share`` this is repeated full-domain generalisation of the remaining records, where
    each round uses the cheapest levels that give classes to that share of them. With ``rules``,
    classes also satisfy them.
    """
    from microveil.kernels.recoding.sweep import sweep_levels, sweep_levels_where

    levels = levels_by_cost(space, 1.0 if share else 2.0)
    if rules is None:
        labels = sweep_levels(space.codes, space.weights, k, space.trees, levels, share)
    else:
        rules = rules._replace(least=max(k, rules.least))
        groups = space.groups
        labels = sweep_levels_where(space.codes, groups, space.trees, levels, rules, share)
    return labels[space.row_of_record]


@dataclass(frozen=True, eq=False)
class _Records:
    """The records of each row."""

    by_row: Longs
    """Records sorted by row."""
    starts: Longs

    @classmethod
    def of(cls, space: RecodingSpace) -> _Records:
        by_row = np.argsort(space.row_of_record, kind="stable")
        return cls(by_row, np.cumsum(space.weights) - space.weights)

    def hand_out(self, labels: Ints, rows: Longs, weights: Longs, classes: Ints) -> None:
        """Assign the classes of rows to their records; a row may occur in several parts."""
        order = np.argsort(rows, kind="stable")
        rows, weights, classes = rows[order], weights[order], classes[order]
        ends = np.cumsum(weights)
        begins = ends - weights
        # Start of the first part of the same row among all parts.
        first = np.searchsorted(rows, rows, side="left")
        places = np.arange(ends[-1]) + np.repeat(self.starts[rows] - begins[first], weights)
        labels[self.by_row[places]] = np.repeat(classes, weights)


def _blocks(space: RecodingSpace, k: int) -> list[Longs]:
    """Rows in blocks of similar rows, each with many times k records."""
    n_rows = len(space.codes)
    n_blocks = min(-(-n_rows // BLOCK), max(space.n_records // (20 * k), 1))
    if n_blocks <= 1:
        return [np.arange(n_rows)]
    order = orders_by_likeness(space.codes, space, 1, np.random.default_rng(0)).order[0]
    return [np.sort(part).astype(np.int64) for part in np.array_split(order, n_blocks)]


Sweep = tuple[Ints, float]
"""Levels in the order in which they are tried, and the share of records to help."""


def _sweeps(space: RecodingSpace, n_blocks: int) -> list[Sweep]:
    """All sweeps for a table in one block; for a larger one the usual best, and a shorter one."""
    if n_blocks == 1:
        return [(levels_by_cost(space, power), share) for power, share in SWEEPS]
    power, share = SWEEPS[1]
    return [(levels_by_cost(space, power, LEVELS_OF_BLOCKS), share)]


def _share(effort: Effort, n_rows: int, n_all: int) -> Effort:
    """A block's share of an effort."""
    if n_rows == n_all:
        return effort
    share = n_rows / n_all
    steps = int(effort.steps_for(n_all) * share)
    return Effort(effort.k, int(effort.most_suppressed * share), steps)


def _recode_block(
    space: RecodingSpace, sweeps: list[Sweep], block: Longs, word: np.uint64, effort: Effort
) -> Recoded:
    """Rows of a block, the number of records of each, and their classes.

    More suppression than necessary can start better and end worse, so little suppression is tried
    first: allowing more never loses more.
    """
    codes, weights = np.ascontiguousarray(space.codes[block]), space.weights[block]
    rng = np.random.default_rng(word)
    starts = _Starts.of(space, codes, weights, sweeps, effort, rng)
    best, least = None, np.inf
    for most in _budgets(effort.most_suppressed, int(weights.sum())):
        start = starts.best(most)
        found = _anneal(space, codes, weights, start.labels, word, effort.allowing(most), rng)
        paid = _total_cost(space, codes, found)
        if best is None or paid < least:
            best, least = found, paid
        n_gone = int(found[1][found[2] < 0].sum())
        if n_gone < most and starts.best(effort.most_suppressed) is start:
            break  # more is allowed, but not needed
    if best is None:
        raise InternalError("Local recoding tried nothing.")
    return best


Recoded = tuple["Longs", "Longs", "Ints"]
"""Rows, the number of records of each, and their classes; −1 if suppressed."""


def _budgets(most: int, n: int) -> list[int]:
    """Numbers of records that may be suppressed, from none up to the limit."""
    some = {0, *(int(share * n) for share in BUDGETS)}
    return [*sorted(one for one in some if one < most), most]


def _total_cost(space: RecodingSpace, codes: Ints, found: Recoded) -> float:
    """Total cost of the records of a block."""
    from microveil.kernels.recoding.merge import paid_by_classes

    rows, weights, classes = found
    kept = classes >= 0
    paid = float(weights[~kept].sum())
    if kept.any():
        there = np.ascontiguousarray(codes[rows[kept]])
        paid += paid_by_classes(there, weights[kept], classes[kept], space.trees)
    return paid


def _anneal(
    space: RecodingSpace,
    codes: Ints,
    weights: Longs,
    start: Ints,
    word: np.uint64,
    effort: Effort,
    rng: np.random.Generator,
) -> Recoded:
    """Better classes than those at the start."""
    from microveil.kernels.lattice.rules import no_rules
    from microveil.kernels.recoding.anneal import Aim, anneal_recoding
    from microveil.kernels.recoding.classes import Parts

    placed = np.flatnonzero(start >= 0)
    rows, parts = _parts(weights[placed], effort.k)
    rows = placed[rows]
    codes = np.ascontiguousarray(codes[rows])
    nearby = orders_by_likeness(codes, space, N_ORDERS, rng)
    steps = effort.steps_for(len(rows)) if len(codes) > 1 else 0
    seed = np.array([word], dtype=np.uint64)
    gone = np.flatnonzero(start < 0)
    most = effort.most_suppressed - int(weights[gone].sum())
    aim = Aim(effort.k, steps, most, 1.0)
    alike = Parts(codes, parts, np.empty((len(rows), 0), dtype=np.int32))
    classes, out = anneal_recoding(alike, start[rows], space.trees, nearby, seed, aim, no_rules())
    kept = np.unique(classes[out == 0], return_inverse=True)[1]
    numbered = np.full(len(classes), -1, dtype=np.int32)
    numbered[out == 0] = kept
    nowhere = np.full(len(gone), -1, dtype=np.int32)
    return (
        np.concatenate([rows, gone]),
        np.concatenate([parts, weights[gone]]),
        np.concatenate([numbered, nowhere]),
    )


class _Start(NamedTuple):
    """Initial classes."""

    labels: Ints
    """Class of each row; −1 if suppressed."""
    n_gone: int
    paid: float


@dataclass(frozen=True, eq=False)
class _Starts:
    """The results of the sweeps, and full-domain generalisations as far as they are better."""

    found: tuple[_Start, ...]
    space: RecodingSpace
    k: int
    whole: bool
    """Whether the block is the whole table."""
    known: dict[int, _Start] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        space: RecodingSpace,
        codes: Ints,
        weights: Longs,
        sweeps: list[Sweep],
        effort: Effort,
        rng: np.random.Generator,
    ) -> _Starts:
        """Sweep; remaining rows are added to other classes, or suppressed if that is allowed."""
        from microveil.kernels.recoding.merge import paid_by_classes
        from microveil.kernels.recoding.sweep import sweep_levels

        starts = []
        for levels, share in sweeps:
            swept = sweep_levels(codes, weights, effort.k, space.trees, levels, share)
            found, n_left = [swept], int(weights[swept < 0].sum())
            if n_left:
                nearby = orders_by_likeness(codes, space, N_ORDERS, rng)
                placed = merge_small(space, codes, weights, swept, nearby, effort.k)
                found = [swept, placed] if n_left <= effort.most_suppressed else [placed]
            for one in found:
                there = one >= 0
                if there.any():
                    n_gone = int(weights[~there].sum())
                    paid = paid_by_classes(codes[there], weights[there], one[there], space.trees)
                    starts.append(_Start(one, n_gone, n_gone + float(paid)))
        return cls(tuple(starts), space, effort.k, len(codes) == len(space.codes))

    def best(self, most: int) -> _Start:
        """The cheapest start with at most this many records suppressed."""
        if most not in self.known:
            able = [start for start in self.found if start.n_gone <= most]
            best = min(able, key=lambda start: start.paid)
            node = None
            if self.whole:
                below = best.paid / self.space.n_records
                node = best_node(self.space, self.k, most, below)
            if node is not None:
                n_gone = int(self.space.weights[node < 0].sum())
                best = _Start(node, n_gone, 0.0)
                same = [one for one in self.known.values() if np.array_equal(one.labels, node)]
                best = same[0] if same else best
            self.known[most] = best
        return self.known[most]


def _parts(weights: Longs, k: int) -> tuple[Longs, Longs]:
    """Rows as parts that may be separated, and the records of each part.

    A row of many records can spare k − 1 of them, since no class needs more; the rest is one part
    that stays together.
    """
    many = weights >= 2 * k - 1
    loose = np.where(many, k - 1, weights)
    solid = np.flatnonzero(many)
    rows = np.concatenate([solid, np.repeat(np.arange(len(weights)), loose)])
    ones = np.ones(int(loose.sum()), dtype=np.int64)
    return rows, np.concatenate([weights[solid] - (k - 1), ones])
