"""Judging classes record by record: for every model, also those that look at more than counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.privacy import PrivacyModel
from microveil.tables import Classes, Table
from microveil.tables.names import free_name

Judge = Callable[[NDArray[np.int32], int], NDArray[np.bool_]]
"""Told the class of each record and the number of classes, tells which keep all promises."""


def judge_of(table: Table, models: Sequence[PrivacyModel]) -> Judge:
    """A judge of classes of this table's records.

    Each judgement counts the classes anew and asks every model. A promise about the table as a
    whole that no class is to blame for is broken by all; one about people, by every class that
    has a record of theirs.
    """

    def judge(of_record: NDArray[np.int32], n_classes: int) -> NDArray[np.bool_]:
        classes = labelled_classes(table, of_record)
        keeps = np.ones(n_classes, dtype=np.bool_)
        for model in models:
            check = model.verify(classes)
            if check.holds:
                continue
            blamed = np.zeros(classes.n_classes, dtype=np.bool_)
            blamed[check.broken_in] = True
            whole = not len(check.broken_in)
            keeps[of_record[whole | blamed[classes.record_class]]] = False
        return keeps

    return judge


def labelled_classes(table: Table, of_record: NDArray[np.int32]) -> Classes:
    """Classes of a table's records by their numbers alone."""
    name = free_name("class", table.columns)
    roles = table.roles.model_copy(update={"quasi_identifiers": (name,), "scenarios": {}})
    return Classes.of(table.with_columns([pl.Series(name, of_record)]).with_roles(roles))
