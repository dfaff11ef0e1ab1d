"""Replicated uniques: people who are unique in the original and again in the release."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from microveil.measures.base import RiskMeasure
from microveil.pairs.columns import Column, read_column
from microveil.pairs.reading import Reading, Steps
from microveil.risk.attacks.base import attack_columns, readable_table
from microveil.scores import Score
from microveil.tables import Roles, Table
from microveil.tables.codes import Codes, combined
from microveil.tables.roles import Columns

Longs = NDArray[np.int64]


class ReplicatedUniques(RiskMeasure):
    """Share of people who are unique on their keys in the original and again in the release.

    An intruder who sees one released record with a person's keys believes that this is the person.
    ``parts`` has the unique records of both tables, the original uniques that occur in the release
    at all (``n_occurring``) or as a unique record (``n_replicated``), and the latter as a share of
    the uniques; ``records`` marks the released records concerned. 30, 30.0 and "30" are equal, a
    missing key is a value of its own, and a label that stands for several values matches none (the
    repU of Raab, Nowok & Dibben 2024).

    >>> before, after = {"age": [20, 30, 30, 40]}, {"age": [20, 20, 30, 40]}
    >>> ReplicatedUniques().measure(before, after).value
    0.25
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Unique before and after"
    plain: ClassVar[str] = "Share of people who are alone with their keys before and again after."
    headline: ClassVar[bool] = True
    name: Literal["replicated_uniques"] = "replicated_uniques"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_original: ClassVar[bool] = True
    columns: Columns = ()
    """Keys; by default the quasi-identifiers that both tables have, otherwise all columns."""

    def measure(
        self,
        first: Any,
        second: Any = None,
        *,
        roles: Roles | None = None,
        recipe: Steps | None = None,
    ) -> Score:
        """``measure(original, released)``; a key that the release dropped is left out."""
        if second is None:
            raise TypeError("ReplicatedUniques().measure(original, released) takes two tables")
        before, after = readable_table(first, roles), readable_table(second, roles)
        return self.score_reading(Reading.of(before, after, recipe=recipe))

    def score(self, original: Table | None, table: Table) -> Score:
        """Count the key combinations of both tables and compare them."""
        if original is None:
            raise TypeError("ReplicatedUniques().measure(original, released) takes two tables")
        released = table
        names = self._keys(original, released)
        before, after = _combinations(original, released, names)
        n_keys = max(int(before.max(initial=-1)), int(after.max(initial=-1))) + 1
        often = np.bincount(before, minlength=n_keys), np.bincount(after, minlength=n_keys)
        alone = often[0] == 1
        again = alone & (often[1] == 1)
        n_unique, n_again, n = int(alone.sum()), int(again.sum()), original.height
        return Score(
            measure=self.kind(),
            value=n_again / n if n else 0.0,
            parts={
                "risk": n_again / n if n else 0.0,
                "n_unique": n_unique,
                "n_unique_released": int((often[1] == 1).sum()),
                "n_occurring": int((alone & (often[1] > 0)).sum()),
                "n_replicated": n_again,
                "replicated_share": n_again / n_unique if n_unique else 0.0,
                "columns": list(names),
            },
            records=again[after].astype(np.float64),
        )

    def _keys(self, original: Table, released: Table) -> list[str]:
        tables = (original, released)
        if self.columns:
            return attack_columns(tables, self.columns, attack="Replicated uniques")
        keys = [name for name in original.roles.quasi_identifiers if name in released.columns]
        return attack_columns(tables, keys, attack="Replicated uniques")


def _combinations(original: Table, released: Table, names: list[str]) -> tuple[Longs, Longs]:
    """The number of each record's combination of keys, equal for equal ones in both tables."""
    packed = Codes(np.zeros(original.height + released.height, dtype=np.int64), 1)
    for name in names:
        # By the labels' text, not by paired rows: a category that nobody had belongs to nobody.
        column = read_column(original.frame[name], released.frame[name])
        codes = np.concatenate([column.codes[0], _as_values(column)]).astype(np.int64)
        codes -= codes.min(initial=0)
        packed = combined(packed, Codes(codes, int(codes.max(initial=0)) + 1))
    _, places = np.unique(packed.values, return_inverse=True)
    return places[: original.height], places[original.height :]


def _as_values(column: Column) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Codes of the release in the original's numbering; a label for several values has its own."""
    codes = column.codes[1]
    labels = column.labels
    if labels is None:
        return codes
    meaning = np.empty(len(column.label_texts) + 1, dtype=np.int32)
    for label in range(len(meaning) - 1):
        stands_for = np.flatnonzero(labels.contains(label))
        meaning[label] = stands_for[0] if len(stands_for) == 1 else -2 - label
    meaning[-1] = -1
    return meaning[codes]
