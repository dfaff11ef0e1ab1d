"""Judging classes record by record: for every model, also those that look at more than counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.privacy import PrivacyModel
from microveil.tables import Classes, Table

Judge = Callable[[NDArray[np.int32], int], NDArray[np.bool_]]
"""Told the class of each record and the number of classes, tells which keep all promises."""


def judge_of(table: Table, models: Sequence[PrivacyModel]) -> Judge:
    """A judge of classes of this table's records.

    Each judgement counts the classes anew and asks every model. A promise about the table as a
    whole that no class is to blame for is broken by all.
    """
    name = "class"
    while name in table.columns:
        name += "_"
    roles = table.roles.model_copy(update={"quasi_identifiers": (name,), "scenarios": {}})

    def judge(of_record: NDArray[np.int32], n_classes: int) -> NDArray[np.bool_]:
        frame = table.frame.with_columns(pl.Series(name, of_record))
        classes = Classes.of(Table(frame, roles))
        numbers = classes.keys[name].to_numpy()
        keeps = np.ones(n_classes, dtype=np.bool_)
        for model in models:
            check = model.verify(classes)
            blamed = check.broken_in if len(check.broken_in) or check.holds else slice(None)
            keeps[numbers[blamed]] = False
        return keeps

    return judge
