"""Queries that single somebody out, derived from a release and applied to original records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from microveil.pairs.columns import in_order, released_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microveil.arrays import Ints, Longs
    from microveil.kernels.neighbours.query_matches import Questions, Records
    from microveil.pairs.columns import Column
    from microveil.risk.attacks.people import Scene

BATCH = 4096
SINGLE, SEVERAL = 1, 2
EQUAL, NOT_EQUAL, AT_LEAST, AT_MOST, MORE, LESS = range(6)


@dataclass(frozen=True, eq=False)
class Asker:
    """The released records as codes (0 missing), and which columns are ordered."""

    scene: Scene
    columns: Sequence[Column] = field(init=False)
    released: Ints = field(init=False)
    """(columns, records)."""
    ordered: NDArray[np.bool_] = field(init=False)
    highest: Ints = field(init=False)
    """Largest code of each column."""
    medians: NDArray[np.float64] = field(init=False)
    people: Longs | None = field(init=False)
    """The person of each record; None if each is a person."""

    def __post_init__(self) -> None:
        """Number the released values."""
        columns = list(self.scene.columns.values())
        codes = np.array([released_places(column) + 1 for column in columns], dtype=np.int32)
        # In a canonical order, so that the same records yield the same queries in any row order;
        # and a mixed one, so that a second match, which ends a count, is soon found.
        order = in_order(columns)[np.random.default_rng(0).permutation(codes.shape[1])]
        codes = np.ascontiguousarray(codes[:, order])
        ordered = np.array([column.ordered and not column.labelled for column in columns])
        people = self.scene.people[1]
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "people", None if people is None else people[order])
        object.__setattr__(self, "released", codes)
        object.__setattr__(self, "ordered", ordered)
        object.__setattr__(self, "highest", codes.max(axis=1, initial=0))
        object.__setattr__(self, "medians", _medians(codes))

    def rare_values(self, n_wanted: int, rng: np.random.Generator) -> Questions:
        """Queries on one column that single out a released record, in random order.

        They select a value that occurs once, a missing cell if there is only one, or the lowest or
        highest number.
        """
        columns, low, high = [], [], []
        for column, codes in enumerate(self.released):
            counts = self._n_people(codes)
            once = np.flatnonzero(counts == 1)
            ends = [(int(code), int(code)) for code in once]
            present = codes[codes > 0]
            if self.ordered[column] and len(present):
                least, most = int(present.min()), int(present.max())
                if counts[least] == 1:
                    ends.append((1, least))
                if counts[most] == 1:
                    ends.append((most, int(np.iinfo(np.int32).max)))
            columns += [column] * len(ends)
            low += [end[0] for end in ends]
            high += [end[1] for end in ends]
        chosen = rng.permutation(len(columns))[:n_wanted]
        asked = [_column(part)[chosen] for part in (columns, low, high)]
        return _questions(asked[0], asked[1], asked[2])

    def _n_people(self, codes: Ints) -> Longs:
        """Number of people with each code."""
        if self.people is None:
            return np.bincount(codes)
        width = int(self.people.max(initial=0)) + 1
        return np.bincount(np.unique(codes * np.int64(width) + self.people) // width)

    def combinations(
        self, n_wanted: int, n_columns: int, max_attempts: int, rng: np.random.Generator
    ) -> tuple[Questions, int]:
        """Queries on several columns that single out a released record, and how many were tried.

        Each is built from a random record: its category, or its number and all beyond it, away from
        the median. No query is used twice.
        """
        from microveil.kernels.neighbours.query_matches import count_matches, index_records

        records = index_records(self.released, self.people)
        found: list[Questions] = []
        seen: set[int] = set()
        n_found = n_tried = 0
        while n_found < n_wanted and n_tried < max_attempts:
            batch = self._guesses(min(BATCH, max_attempts - n_tried), n_columns, rng)
            n_tried += len(batch.columns)
            batch = _take(batch, _new(batch, seen))
            if not len(batch.columns):
                break  # All that there are have been asked.
            counts, _ = count_matches(records, batch, _no_sets(), SEVERAL)
            singling = np.flatnonzero(counts == SINGLE)[: n_wanted - n_found]
            found.append(_take(batch, singling))
            n_found += len(singling)
        return _join_queries(found, n_columns), n_tried

    def _guesses(self, n: int, n_columns: int, rng: np.random.Generator) -> Questions:
        d, height = self.released.shape
        rows = rng.integers(0, height, n)
        columns = np.sort(rng.random((n, d)).argpartition(n_columns - 1)[:, :n_columns], axis=1)
        codes = self.released[columns, rows[:, None]]
        beyond = self.ordered[columns] & (codes > 0)
        above = codes > self.medians[columns]
        low = np.where(beyond & ~above, 1, codes)
        high = np.where(beyond & above, np.iinfo(np.int32).max, codes)
        return _questions(columns, low, high)

    def random(self, n: int, n_columns: int, rng: np.random.Generator) -> Questions:
        """Random queries: random columns, comparisons and values."""
        d = len(self.columns)
        columns = np.sort(rng.random((n, d)).argpartition(n_columns - 1)[:, :n_columns], axis=1)
        occurring = [np.unique(codes) for codes in self.released]
        sizes = np.array([len(codes) for codes in occurring])
        width = int(sizes.max())
        table = np.array([np.resize(codes, width) for codes in occurring])
        codes = table[columns, (rng.random(columns.shape) * sizes[columns]).astype(np.int64)]
        kinds = np.where(
            self.ordered[columns] & (codes > 0),
            rng.integers(0, 6, columns.shape),
            rng.integers(0, 2, columns.shape),
        )
        low, high = codes.copy(), codes.copy()
        least, most = 1, np.iinfo(np.int32).max
        low[kinds == AT_MOST], high[kinds == AT_LEAST] = least, most
        low[kinds == MORE], high[kinds == MORE] = codes[kinds == MORE] + 1, most
        low[kinds == LESS], high[kinds == LESS] = least, codes[kinds == LESS] - 1
        return _questions(columns, low, high, kinds == NOT_EQUAL)

    def answers(self, questions: Questions, side: int, limit: int = SEVERAL) -> tuple[Longs, Longs]:
        """Number of people of the original (side 0) or control (2) who match each query.

        Counted up to the limit; if a single person matches, also a row of theirs.
        """
        from microveil.kernels.neighbours.query_matches import count_matches, index_records

        codes = np.array([column.codes[side] + 1 for column in self.columns], dtype=np.int32)
        records: Records = index_records(codes, self.scene.people[side])
        translated, sets = self._translate(questions, records.begins.shape[1])
        return count_matches(records, translated, sets, limit)

    def _translate(self, questions: Questions, width: int) -> tuple[Questions, NDArray[np.uint8]]:
        """Queries on labels translated to queries on the values they stand for."""
        low, high = questions.low.copy(), questions.high.copy()
        set_rows = questions.sets.copy()
        rows: list[NDArray[np.uint8]] = []
        for number, column in enumerate(self.columns):
            if column.labels is None:
                continue
            asked = (questions.columns == number) & (questions.low > 0)
            labels = np.argsort(column.label_order)
            for place in np.unique(questions.low[asked]):
                here = asked & (questions.low == place)
                inside = column.labels.contains(int(labels[place - 1]))
                places = np.flatnonzero(inside) + 1
                if len(places) and places[-1] - places[0] + 1 == len(places):
                    low[here], high[here] = places[0], places[-1]
                    continue
                row = np.zeros((2, width), dtype=np.uint8)
                row[0, 1 : len(inside) + 1] = inside
                row[1, 1 : len(inside) + 1] = ~inside
                set_rows[here] = 2 * len(rows) + questions.negated[here]
                rows.append(row)
        sets = np.concatenate(rows) if rows else _no_sets()
        translated = questions._replace(low=low, high=high, sets=set_rows)
        return translated, sets


def _medians(codes: Ints) -> NDArray[np.float64]:
    return np.array(
        [np.median(one[one > 0]) if (one > 0).any() else 0.0 for one in codes], dtype=np.float64
    )


def _column(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int32).reshape(-1, 1)


def _questions(
    columns: NDArray[np.integer],
    low: NDArray[np.integer],
    high: NDArray[np.integer],
    negated: NDArray[np.bool_] | None = None,
) -> Questions:
    from microveil.kernels.neighbours.query_matches import Questions

    flags = np.zeros(columns.shape) if negated is None else negated
    parts = (columns, low, high, flags, np.full(columns.shape, -1))
    return Questions(*(np.ascontiguousarray(part, dtype=np.int32) for part in parts))


def _take(questions: Questions, places: Longs) -> Questions:
    return type(questions)(*(part[places] for part in questions))


def _new(questions: Questions, seen: set[int]) -> Longs:
    """Positions of queries not used before."""
    fresh = []
    for place, key in enumerate(_hash_queries(questions).tolist()):
        if key not in seen:
            seen.add(key)
            fresh.append(place)
    return np.array(fresh, dtype=np.int64)


def _hash_queries(questions: Questions) -> NDArray[np.uint64]:
    """A number for each query that two queries practically never share (splitmix64)."""
    found = np.zeros(len(questions.columns), dtype=np.uint64)
    for part in (questions.columns, questions.low, questions.high):
        for condition in part.T:
            found = (found ^ condition.astype(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
            found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            found ^= found >> np.uint64(27)
    return found


def _join_queries(found: list[Questions], n_columns: int) -> Questions:
    nothing = np.zeros((0, n_columns), dtype=np.int32)
    found = [_questions(nothing, nothing, nothing), *found]
    return type(found[0])(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _no_sets() -> NDArray[np.uint8]:
    return np.zeros((0, 0), dtype=np.uint8)
