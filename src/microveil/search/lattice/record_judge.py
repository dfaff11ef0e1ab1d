"""Judging classes record by record, for every model, including those that need more than counts."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.privacy import KAnonymity, PrivacyModel
from microveil.tables import Classes, Table
from microveil.tables.names import free_name

if TYPE_CHECKING:
    from microveil.kernels.lattice.crowds import Holdings

Judge = Callable[[NDArray[np.int32], int], NDArray[np.bool_]]
"""Given the class of each record and the number of classes, returns which satisfy all models."""

MEMORY = 1 << 22
"""Number of classes whose results are remembered, over all partitions."""


class RecordJudge:
    """Judges classes of a table's records, and remembers the results.

    Each judgement counts the classes anew and asks every model. If a model of the table as a whole
    fails and no class is to blame, all classes fail; a model of people fails in every class with a
    record of theirs. Many nodes of a lattice are the same partition of the records, so hierarchy
    levels that merge nothing are judged only once. Where only people are to be counted, a loop
    does so, and is not slower than remembering.
    """

    def __init__(self, table: Table, models: Sequence[PrivacyModel]) -> None:
        """Start without any results."""
        self._table = table
        self._crowds = Crowds.of(table, models)
        self._models = tuple(
            model for model in models if not (self._crowds and type(model) is KAnonymity)
        )
        self._known: OrderedDict[bytes, NDArray[np.bool_]] = OrderedDict()
        self._n_known = 0

    def __call__(
        self,
        of_record: NDArray[np.int32],
        n_classes: int,
        kept: NDArray[np.bool_] | None = None,
        room: int | None = None,
    ) -> NDArray[np.bool_]:
        """Which classes satisfy all models, among the records that are kept: by default all.

        If classes that fail for too few people have more than ``room`` records, the others are not
        asked about the other models.
        """
        keeps = np.ones(n_classes, dtype=np.bool_)
        there = of_record if kept is None else of_record[kept]
        if not len(there):
            return keeps
        if self._crowds:
            keeps &= ~self._crowds.find_broken(of_record, n_classes, kept)
            if room is not None and np.count_nonzero(~keeps[there]) > room:
                return keeps
        if self._models:
            keeps &= self._by_models(there, n_classes, kept)
        return keeps

    def _by_models(
        self, there: NDArray[np.int32], n_classes: int, kept: NDArray[np.bool_] | None
    ) -> NDArray[np.bool_]:
        keeps = np.ones(n_classes, dtype=np.bool_)
        # Numbered by first appearance, so that equal partitions are equal, whatever their labels.
        first = np.full(n_classes, -1, dtype=np.int64)
        first[there[::-1]] = np.arange(len(there))[::-1]
        numbers = np.flatnonzero(first >= 0)
        numbers = numbers[np.argsort(first[numbers])]
        place = np.empty(n_classes, dtype=np.int64)
        place[numbers] = np.arange(len(numbers))
        keeps[numbers] = self._judge(place[there], kept)
        return keeps

    def _judge(
        self, partition: NDArray[np.int64], kept: NDArray[np.bool_] | None
    ) -> NDArray[np.bool_]:
        digest = hashlib.blake2b(partition.tobytes(), digest_size=16)
        digest.update(b"" if kept is None else np.packbits(kept).tobytes())
        key = digest.digest()
        if key not in self._known:
            self._remember(key, self._ask(partition, kept))
        return self._known[key]

    def _ask(
        self, partition: NDArray[np.int64], kept: NDArray[np.bool_] | None
    ) -> NDArray[np.bool_]:
        table = self._table if kept is None else self._table.filter(kept)
        classes = labelled_classes(table, partition)
        keeps = np.ones(int(partition.max()) + 1, dtype=np.bool_)
        for model in self._models:
            check = model.verify(classes)
            if check.holds:
                continue
            blamed = np.zeros(classes.n_classes, dtype=np.bool_)
            blamed[check.broken_in] = True
            whole = not len(check.broken_in)
            keeps[partition[whole | blamed[classes.record_class]]] = False
        return keeps

    def _remember(self, key: bytes, keeps: NDArray[np.bool_]) -> None:
        self._known[key] = keeps
        self._n_known += len(keeps)
        while self._n_known > MEMORY and len(self._known) > 1:
            _, gone = self._known.popitem(last=False)
            self._n_known -= len(gone)


@dataclass(frozen=True)
class Crowds:
    """Counts the people of classes for k-anonymity."""

    held: Holdings
    least: int
    linked: bool

    @classmethod
    def of(cls, table: Table, models: Sequence[PrivacyModel]) -> Crowds | None:
        """For a table whose rows have an entity and models with a k; otherwise None."""
        # A class of the user's own may count otherwise, whatever it is derived from.
        least = max((model.k for model in models if type(model) is KAnonymity), default=0)
        people = table.people
        # Whether rows are linked may depend on which are kept, if some are linked wrongly.
        if not least or people is None or (table.joined and not table.linked):
            return None
        from microveil.kernels.lattice.crowds import Holdings

        starts = np.concatenate([[0], np.cumsum(np.bincount(people))])
        # Sorting pairs of person and record is several times faster than sorting places.
        records = np.sort(people * len(people) + np.arange(len(people))) % max(len(people), 1)
        return cls(Holdings(starts, records.astype(np.int32)), least, table.linked)

    def find_broken(
        self, of_record: NDArray[np.int32], n_classes: int, kept: NDArray[np.bool_] | None
    ) -> NDArray[np.bool_]:
        """Classes with a kept record whose people are too few."""
        from microveil.kernels.lattice.crowds import lonely_classes, rare_classes

        there = np.ones(len(of_record), dtype=np.bool_) if kept is None else kept
        numbers = np.ascontiguousarray(of_record, dtype=np.int32)
        count = rare_classes if self.linked else lonely_classes
        return count(numbers, n_classes, there, self.held, self.least)


def judge_of(table: Table, models: Sequence[PrivacyModel]) -> Judge:
    """A judge of classes of this table's records."""
    return RecordJudge(table, models)


def labelled_classes(table: Table, of_record: NDArray[np.int32] | NDArray[np.int64]) -> Classes:
    """Classes of a table's records, given their numbers alone."""
    name = free_name("class", table.columns)
    roles = table.roles.model_copy(update={"quasi_identifiers": (name,), "scenarios": {}})
    return Classes.of(table.with_columns([pl.Series(name, of_record)]).with_roles(roles))
