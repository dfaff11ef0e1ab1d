"""The allowable cuts of a Mondrian partition, best first."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel, kernel_like
from microveil.kernels.mondrian import by_numpy
from microveil.kernels.mondrian.key_space import ALIKE, MISSING, KeySpace, cut_group, width_of
from microveil.kernels.nth_smallest import BUCKETS, select_nth
from microveil.kernels.sorting import sort_integers

WIDEST, NCP, INFORMATION_GAIN = 0, 1, 2
"""The criteria by which a cut is chosen."""
CUTS_PER_COLUMN = 4
"""Cuts per column at most: missing from present, two beside the median, one through it."""


class CutRule(NamedTuple):
    """When a partition may be cut, and how the cut is chosen."""

    k: int
    """Smallest number of records on each side."""
    relaxed: bool
    """Whether records equal to the median may go to both sides."""
    split: int
    n_targets: int = 0
    """Number of distinct targets, for the information gain."""


class Cut(NamedTuple):
    """Codes up to ``edge`` go left, and so do the first ``extra`` records of the next code."""

    column: int
    """The column that is cut; −1 if there is no cut."""
    edge: int
    extra: int
    n_left: int


class Work(NamedTuple):
    """Scratch space for the current partition."""

    low: Ints
    high: Ints
    width: Floats
    ranked: Longs
    """Columns, widest first."""
    scratch: Ints
    """One entry per record of the partition."""
    side: NDArray[np.uint8]
    """Likewise: 1 for records that go left."""
    counts: Longs
    cuts: Longs
    """(cuts, 4) the cuts found so far."""
    score: Floats
    pairs: Longs
    """(size) code and target of each record as one integer; only for the information gain."""
    tally: Longs
    """(2, targets) records of each target left of a cut, and in total; likewise."""


@kernel
def new_work(space: KeySpace, rule: CutRule, size: int) -> Work:
    """Scratch space for partitions of up to ``size`` records."""
    n_columns, n_targets = space.span.size, rule.n_targets
    most = CUTS_PER_COLUMN * n_columns + n_columns
    return Work(
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.float64),
        np.empty(n_columns, np.int64),
        np.empty(size, np.int32),
        np.empty(size, np.uint8),
        np.empty(BUCKETS, np.int64),
        np.empty((most, 4), np.int64),
        np.empty(most, np.float64),
        np.empty(size if n_targets else 0, np.int64),
        np.zeros((2, n_targets), np.int64),
    )


@kernel
def choose_cut(codes: Ints, space: KeySpace, rule: CutRule, work: Work, skip: int) -> Cut:
    """The best cut of a partition that leaves k records on each side, after ``skip`` better ones.

    ``codes`` are those of the partition, one row per column (a last row holds the targets).
    """
    found = find_cuts(codes, space, rule, work, skip)
    return cut_at(work, skip) if found > skip else Cut(-1, 0, 0, 0)


@kernel
def find_cuts(codes: Ints, space: KeySpace, rule: CutRule, work: Work, skip: int) -> int:
    """Collect the cuts, best first, until there are more than ``skip``; return their number."""
    if codes.shape[1] < 2 * rule.k:
        return 0
    measure(codes, space, work)
    if rule.split == WIDEST:
        return _widest_cuts(codes, space, rule, work, skip)
    return _scored_cuts(codes, space, rule, work)


@kernel
def _widest_cuts(codes: Ints, space: KeySpace, rule: CutRule, work: Work, skip: int) -> int:
    """Collect cuts of the columns, widest first, until there are enough."""
    found = 0
    for rank in range(space.span.size):
        if work.width[work.ranked[rank]] == ALIKE or found > skip:
            break
        found = _median_cuts(codes, space, rule, work, work.ranked[rank], found)
    return found


@kernel
def _scored_cuts(codes: Ints, space: KeySpace, rule: CutRule, work: Work) -> int:
    """Collect all cuts, best first; those without information gain are ordered by width."""
    found = 0
    if rule.split == INFORMATION_GAIN:
        for rank in range(space.span.size):
            found = _gain_cut(codes, space, rule, work, work.ranked[rank], found)
        _best_first(work, 0, found)
    scored = found
    for rank in range(space.span.size):
        if work.width[work.ranked[rank]] != ALIKE:
            found = _median_cuts(codes, space, rule, work, work.ranked[rank], found)
    if rule.split == NCP:
        for i in range(scored, found):
            work.score[i] = -_loss_after(codes, space, work, cut_at(work, i))
        _best_first(work, scored, found)
    return found


@kernel_like(by_numpy.mark_sides)
def mark_sides(column: Ints, cut: Cut, side: NDArray[np.uint8]) -> None:
    """1 for each record that goes left."""
    for i in range(column.size):
        side[i] = column[i] <= cut.edge
    extra = cut.extra
    i = 0
    while extra > 0:
        if column[i] == cut.edge + 1:
            side[i] = 1
            extra -= 1
        i += 1


@kernel
def cut_at(work: Work, i: int) -> Cut:
    """One of the cuts that were collected."""
    return Cut(work.cuts[i, 0], work.cuts[i, 1], work.cuts[i, 2], work.cuts[i, 3])


@kernel
def measure(codes: Ints, space: KeySpace, work: Work) -> None:
    """Range and width of each column; rank the columns by width, ties in column order."""
    for j in range(space.span.size):
        low, high = _ends(codes[j])
        work.low[j], work.high[j] = low, high
        width = work.width[j] = width_of(space, j, low, high)
        rank = j
        while rank > 0 and work.width[work.ranked[rank - 1]] < width:
            work.ranked[rank] = work.ranked[rank - 1]
            rank -= 1
        work.ranked[rank] = j


@kernel_like(by_numpy.ends)
def _ends(column: Ints) -> tuple[int, int]:
    """The lowest and the highest code."""
    low = high = column[0]
    for i in range(1, column.size):
        low, high = min(low, column[i]), max(high, column[i])
    return low, high


@kernel
def _median_cuts(
    codes: Ints, space: KeySpace, rule: CutRule, work: Work, j: int, found: int
) -> int:
    """Collect the cuts of a column that leave k on each side; return the number of cuts so far."""
    column = codes[j]
    size = column.size
    low = work.low[j]
    if low == MISSING:
        found = _note(work, rule, size, found, Cut(j, MISSING, 0, _n_up_to(column, MISSING)))
        low = lowest_present(column, work.high[j])
    half = (size + 1) // 2
    median = select_nth(column, work.low[j], work.high[j], half - 1, work.scratch, work.counts)
    first, last = cut_group(space, j, low, work.high[j], median)
    n_below, n_with = _n_up_to(column, first - 1), _n_up_to(column, last)
    whole = not rule.relaxed or space.tree[j] >= 0
    if whole:
        below, with_ = Cut(j, first - 1, 0, n_below), Cut(j, last, 0, n_with)
        if abs(2 * n_with - size) > abs(2 * n_below - size):
            below, with_ = with_, below
        for cut in (with_, below):
            # The cut of missing from present has been tried already.
            if cut.edge != MISSING:
                found = _note(work, rule, size, found, cut)
    if rule.relaxed:
        if first != last or first != median:
            n_below = _n_up_to(column, median - 1)
        found = _note(work, rule, size, found, Cut(j, median - 1, half - n_below, half))
    return found


@kernel
def _note(work: Work, rule: CutRule, size: int, found: int, cut: Cut) -> int:
    if cut.n_left < rule.k or size - cut.n_left < rule.k:
        return found
    work.cuts[found, 0], work.cuts[found, 1] = cut.column, cut.edge
    work.cuts[found, 2], work.cuts[found, 3] = cut.extra, cut.n_left
    return found + 1


@kernel_like(by_numpy.n_up_to)
def _n_up_to(column: Ints, edge: int) -> int:
    count = 0
    for i in range(column.size):
        count += column[i] <= edge
    return count


@kernel_like(by_numpy.lowest_present)
def lowest_present(column: Ints, high: int) -> int:
    """The lowest code of those that have a value."""
    low = high
    for i in range(column.size):
        if column[i] != MISSING and column[i] < low:
            low = column[i]
    return low


@kernel
def _best_first(work: Work, start: int, end: int) -> None:
    """Sort cuts by score, descending and stable."""
    for i in range(start + 1, end):
        score, cut = work.score[i], work.cuts[i].copy()
        j = i - 1
        while j >= start and work.score[j] < score:
            work.score[j + 1] = work.score[j]
            work.cuts[j + 1] = work.cuts[j]
            j -= 1
        work.score[j + 1] = score
        work.cuts[j + 1] = cut


@kernel
def _loss_after(codes: Ints, space: KeySpace, work: Work, cut: Cut) -> float:
    """Normalised certainty penalty of both sides of a cut, summed over records and columns."""
    side = work.side[: codes.shape[1]]
    mark_sides(codes[cut.column], cut, side)
    loss = 0.0
    for j in range(space.span.size):
        ends = _ends_by_side(codes[j], side, work.low[j], work.high[j])
        left_low, left_high, right_low, right_high = ends
        left = width_of(space, j, left_low, left_high)
        right = width_of(space, j, right_low, right_high)
        loss += cut.n_left * min(1.0, max(0.0, left))
        loss += (side.size - cut.n_left) * min(1.0, max(0.0, right))
    return loss


@kernel_like(by_numpy.ends_by_side)
def _ends_by_side(
    column: Ints, side: NDArray[np.uint8], low: int, high: int
) -> tuple[int, int, int, int]:
    """The lowest and the highest code on the left, and on the right, of those from low to high."""
    left_low, left_high, right_low, right_high = high, low, high, low
    for i in range(side.size):
        code = column[i]
        if side[i]:
            left_low, left_high = min(left_low, code), max(left_high, code)
        else:
            right_low, right_high = min(right_low, code), max(right_high, code)
    return left_low, left_high, right_low, right_high


@kernel
def _gain_cut(codes: Ints, space: KeySpace, rule: CutRule, work: Work, j: int, found: int) -> int:
    """Collect the cut of a column with the largest information gain, if any is positive."""
    if work.width[j] == ALIKE:
        return found
    size, low = codes.shape[1], work.low[j]
    if low == MISSING:
        low = lowest_present(codes[j], work.high[j])
    pairs, tally = work.pairs[:size], work.tally
    n_targets = tally.shape[1]
    for i in range(size):
        pairs[i] = np.int64(codes[j, i] - MISSING) * n_targets + codes[-1, i]
        tally[1, codes[-1, i]] += 1
    sort_integers(pairs)
    left_sum, right_sum, best = 0.0, 0.0, 0.0
    for target in range(n_targets):
        right_sum += _x_log_x(tally[1, target])
    apart = _x_log_x(size) - right_sum
    edge, n_left = 0, 0
    for i in range(size - 1):
        target = pairs[i] % n_targets
        there = tally[0, target]
        left_sum += _x_log_x(there + 1) - _x_log_x(there)
        rest = tally[1, target] - there
        right_sum += _x_log_x(rest - 1) - _x_log_x(rest)
        tally[0, target] += 1
        here, following = pairs[i] // n_targets + MISSING, pairs[i + 1] // n_targets + MISSING
        if here == following or i + 1 < rule.k or size - i - 1 < rule.k:
            continue
        if cut_group(space, j, low, work.high[j], here)[1] >= following:
            continue
        gain = apart - (_x_log_x(i + 1) - left_sum) - (_x_log_x(size - i - 1) - right_sum)
        if gain > best:
            best, edge, n_left = gain, here, i + 1
    tally[:] = 0
    # Anything smaller is rounding error.
    if best <= 1e-9 * size:
        return found
    work.score[found] = best
    return _note(work, rule, size, found, Cut(j, edge, 0, n_left))


@kernel
def _x_log_x(x: int) -> float:
    return x * np.log(x) if x > 0 else 0.0
