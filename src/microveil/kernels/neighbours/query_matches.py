"""Number of records that match each of many queries on a few columns."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel, stood_in_for
from microveil.kernels.neighbours.gower_neighbours import in_parts

Bytes = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
MOST_CELLS = 150_000_000
"""Cells that NumPy compares, about a second, before the loop is compiled."""
CELLS_OF_A_QUESTION = 10_000
"""Cells that could be compared in the time that a query takes by itself."""


class Records(NamedTuple):
    """Records as codes, and their sorted order by each column."""

    codes: Ints
    """(columns, n), 0 missing, 1.. ascending with the values."""
    order: Ints
    """(columns, n): records sorted by each column."""
    begins: Longs
    """(columns, codes + 1): where each code begins in the order."""
    people: Longs
    """The person of each record; empty if each record is a person."""


class Questions(NamedTuple):
    """Queries for a range of codes in some columns; arrays of shape (queries, conditions)."""

    columns: Ints
    low: Ints
    high: Ints
    negated: Ints
    """1 if a code must lie outside the range; a missing cell is neither inside nor outside."""
    sets: Ints
    """Row of the table of sets with the wanted codes; −1 for a range."""


def index_records(codes: Ints, people: Longs | None = None) -> Records:
    """Sort records by each column once."""
    d, n = codes.shape
    width = int(codes.max(initial=0)) + 2
    order = np.empty((d, n), np.int32)
    begins = np.zeros((d, width), np.int64)
    for column in range(d):
        order[column] = np.argsort(codes[column], kind="stable")
        counts = np.bincount(codes[column], minlength=width - 1)
        begins[column, 1:] = np.cumsum(counts[: width - 1])
    who = np.zeros(0, np.int64) if people is None else np.ascontiguousarray(people, dtype=np.int64)
    return Records(np.ascontiguousarray(codes, dtype=np.int32), order, begins, who)


def count_matches(
    records: Records, questions: Questions, sets: Bytes, limit: int
) -> tuple[Longs, Longs]:
    """People who match all conditions of each query, counted up to ``limit``; and a last record.

    A person with several matching records counts once. Only the records of the rarest condition
    are examined. If none matches, the last one is −1.

    >>> records = index_records(np.array([[1, 2, 2], [1, 1, 2]], dtype=np.int32))
    >>> one = np.array([[0, 1]], dtype=np.int32)
    >>> asked = Questions(one, *(np.array([row], np.int32) for row in ([2, 1], [2, 1], [0, 0])),
    ...     np.array([[-1, -1]], np.int32))
    >>> [found.tolist() for found in count_matches(records, asked, np.zeros((0, 0), np.uint8), 9)]
    [[1], [1]]
    """
    counts = np.zeros(len(questions.columns), np.int64)
    last = np.full(len(counts), -1, np.int64)

    begins, ends = _runs(records, questions)
    cells = int((ends - begins).min(axis=1, initial=records.codes.shape[1]).sum())
    if stood_in_for(_count_matches, cells + CELLS_OF_A_QUESTION * len(counts), MOST_CELLS):
        for question in range(len(counts)):
            found = _matches(records, questions, sets, question, (begins, ends))
            if len(records.people):
                found = found[np.sort(np.unique(records.people[found], return_index=True)[1])]
            found = found[:limit]
            counts[question] = len(found)
            last[question] = found[-1] if len(found) else -1
        return counts, last

    def part(start: int, stop: int) -> None:
        _count_matches(records, questions, sets, limit, (start, stop), counts, last)

    in_parts(part, len(counts))
    return counts, last


def _runs(records: Records, questions: Questions) -> tuple[Longs, Longs]:
    """What `_run` finds, for all conditions of all queries."""
    top = records.begins.shape[1] - 2
    low, high = np.maximum(questions.low, 0), np.minimum(questions.high, top)
    there = low <= high
    low, high = np.where(there, low, 0), np.where(there, high, -1)
    begins = np.where(there, records.begins[questions.columns, low], 0)
    ends = np.where(there, records.begins[questions.columns, high + 1], 0)
    unordered = (questions.negated != 0) | (questions.sets >= 0)
    return np.where(unordered, 0, begins), np.where(unordered, records.codes.shape[1], ends)


def _matches(
    records: Records, questions: Questions, sets: Bytes, question: int, runs: tuple[Longs, Longs]
) -> Ints:
    """The records that match a query, found with NumPy in the order of the loop."""
    begins, ends = runs[0][question], runs[1][question]
    rarest = int(np.argmin(ends - begins))
    order: Ints = records.order[questions.columns[question, rarest]]
    found = order[begins[rarest] : ends[rarest]]
    for place, column in enumerate(questions.columns[question]):
        codes = records.codes[column, found]
        row = questions.sets[question, place]
        if row >= 0:
            holds = sets[row, codes] == 1
        else:
            holds = (questions.low[question, place] <= codes) & (
                codes <= questions.high[question, place]
            )
            if questions.negated[question, place]:
                holds = (codes != 0) & ~holds
        found = found[holds]
    return found


@kernel
def _run(records: Records, questions: Questions, question: int, place: int) -> tuple[int, int]:
    """Range of a condition's records in its column's order; all records if it has no run."""
    if questions.negated[question, place] or questions.sets[question, place] >= 0:
        return 0, records.codes.shape[1]
    column = questions.columns[question, place]
    top = records.begins.shape[1] - 2
    low = max(questions.low[question, place], 0)
    high = min(questions.high[question, place], top)
    if low > high:
        return 0, 0
    return records.begins[column, low], records.begins[column, high + 1]


@kernel
def _holds(
    records: Records, questions: Questions, sets: Bytes, question: int, place: int, record: int
) -> bool:
    code = records.codes[questions.columns[question, place], record]
    row = questions.sets[question, place]
    if row >= 0:
        return bool(sets[row, code] == 1)
    inside = questions.low[question, place] <= code <= questions.high[question, place]
    if questions.negated[question, place]:
        return bool(code != 0 and not inside)
    return bool(inside)


@kernel
def _is_new(records: Records, record: int, known: Longs, count: int) -> bool:
    """Whether a matching record is of a person not yet counted, who is then remembered."""
    if records.people.size == 0:
        return True
    person = records.people[record]
    for place in range(count):
        if known[place] == person:
            return False
    known[count] = person
    return True


@kernel
def _count_matches(
    records: Records,
    questions: Questions,
    sets: Bytes,
    limit: int,
    part: tuple[int, int],
    counts: Longs,
    last: Longs,
) -> None:
    n_conditions = questions.columns.shape[1]
    for question in range(part[0], part[1]):
        rarest, begin, end = 0, 0, records.codes.shape[1] + 1
        for place in range(n_conditions):
            first, past = _run(records, questions, question, place)
            if past - first < end - begin:
                rarest, begin, end = place, first, past
        order = records.order[questions.columns[question, rarest]]
        count = 0
        known = np.empty(min(limit, end - begin) if records.people.size else 0, np.int64)
        for position in range(begin, end):
            record = order[position]
            matches = True
            for place in range(n_conditions):
                if not _holds(records, questions, sets, question, place, record):
                    matches = False
                    break
            if matches and _is_new(records, record, known, count):
                count += 1
                last[question] = record
                if count >= limit:
                    break
        counts[question] = count
