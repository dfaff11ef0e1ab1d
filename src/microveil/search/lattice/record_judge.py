"""Judging classes record by record, for every model, including those that need more than counts."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.privacy import PrivacyModel
from microveil.tables import Classes, Table
from microveil.tables.names import free_name

Judge = Callable[[NDArray[np.int32], int], NDArray[np.bool_]]
"""Given the class of each record and the number of classes, returns which satisfy all models."""

MEMORY = 1 << 22
"""Number of classes whose results are remembered, over all partitions."""


class RecordJudge:
    """Judges classes of a table's records, and remembers the results.

    Each judgement counts the classes anew and asks every model. If a model of the table as a whole
    fails and no class is to blame, all classes fail; a model of people fails in every class with a
    record of theirs. Many nodes of a lattice are the same partition of the records, so hierarchy
    levels that merge nothing are judged only once.
    """

    def __init__(self, table: Table, models: Sequence[PrivacyModel]) -> None:
        """Start without any results."""
        self._table = table
        self._models = tuple(models)
        self._known: OrderedDict[bytes, NDArray[np.bool_]] = OrderedDict()
        self._n_known = 0

    def __call__(
        self, of_record: NDArray[np.int32], n_classes: int, kept: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Which classes satisfy all models, among the records that are kept: by default all."""
        keeps = np.ones(n_classes, dtype=np.bool_)
        there = of_record if kept is None else of_record[kept]
        if not len(there):
            return keeps
        numbers, first, same = np.unique(there, return_index=True, return_inverse=True)
        # Numbered by first appearance, so that equal partitions are equal, whatever their labels.
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        partition = place[same]
        keeps[numbers] = self._judge(partition, kept)[place]
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


def judge_of(table: Table, models: Sequence[PrivacyModel]) -> Judge:
    """A judge of classes of this table's records."""
    return RecordJudge(table, models)


def labelled_classes(table: Table, of_record: NDArray[np.int32] | NDArray[np.int64]) -> Classes:
    """Classes of a table's records, given their numbers alone."""
    name = free_name("class", table.columns)
    roles = table.roles.model_copy(update={"quasi_identifiers": (name,), "scenarios": {}})
    return Classes.of(table.with_columns([pl.Series(name, of_record)]).with_roles(roles))
