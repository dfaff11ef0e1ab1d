"""Attribute disclosure: what an equivalence class reveals about its records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.measures.base import RiskMeasure
from microveil.risk.assessment.class_intervals import class_intervals, interval_parts
from microveil.scores import Score
from microveil.tables import Classes, Table
from microveil.tables.codes import Codes, encode, number_codes
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import is_nested, is_number
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.arrays import Floats


ROUNDING = 1e-12


class AttributeDisclosure(RiskMeasure):
    """Share of records whose sensitive value is disclosed by the records with the same keys.

    An intruder knows the distribution of the sensitive values in the whole table (the prior) and,
    having found a person's equivalence class, their distribution there (the posterior). A value is
    disclosed if its posterior share reaches the ``threshold`` and exceeds the prior; with threshold
    1 all records of a class share the value (homogeneity attack). ``parts`` has for each column the
    share of records in homogeneous classes, the smallest number of distinct values in a class (l,
    missing ones not counted), the largest distance of a class from the table (t, total variation),
    the gains (posterior − prior of a record's own value, mean and highest: skewness), and how often
    guessing the most frequent value of the class (``attack``) or of the table (``baseline``) is
    right. For numbers and dates an interval may be disclosed: ``interval_share`` is the share of
    records whose class spans a short interval, ``narrowest`` and ``mean_width`` are widths as
    shares of the table's range, and ``frames["intervals"]`` has the ends. ``records`` has each
    record's posterior, the highest over the columns; with several columns the value is the highest
    share. A missing value is a value of its own (Machanavajjhala et al. 2007; Li et al. 2007).

    >>> from microveil.tables import Roles
    >>> roles = Roles(quasi_identifiers="town", sensitive="ill")
    >>> ill = {"town": ["a", "a", "b", "b"], "ill": ["flu", "flu", "flu", "cough"]}
    >>> AttributeDisclosure().measure(ill, roles=roles).value
    0.5
    """

    question: ClassVar[str] = "Can something be inferred about somebody?"
    title: ClassVar[str] = "Values given away by their class"
    headline: ClassVar[bool] = True
    name: Literal["attribute_disclosure"] = "attribute_disclosure"
    by_scenario: ClassVar[bool] = True
    counts_classes: ClassVar[bool] = True
    column: Columns = ()
    """Sensitive columns; by default those of the roles, otherwise all that are not keys."""
    threshold: float = Field(default=1.0, gt=0, le=1)
    """Smallest share of a class at which a value counts as disclosed."""
    width: float = Field(default=0.1, ge=0, lt=1)
    """Of numbers and dates: an interval is short if it spans at most this share of the range."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Compare the distribution in each class with the table's."""
        columns = self._columns(table)
        posterior = np.zeros(table.height)
        if not columns or table.height == 0:
            return Score(self.kind(), 0.0, parts={"risk": 0.0}, records=posterior)
        by_all = Classes.of(table)
        found: dict[str, dict[str, Any]] = {}
        intervals = []
        for name in columns:
            column = table.frame[name]
            # Who knows the value has nothing to learn: the other keys lead to it.
            classes = _beside(table, name, by_all)
            parts, of_records = self._of_column(classes, column)
            if is_number(column.dtype):
                ends = class_intervals(classes, column)
                intervals.append(ends)
                parts |= interval_parts(ends, self.width)
            found[name] = parts
            posterior = np.maximum(posterior, of_records)
        worst = max(found, key=lambda name: found[name]["disclosed_share"])
        value = found[worst]["disclosed_share"]
        return Score(
            measure=self.kind(),
            value=value,
            parts={"risk": value, "column": worst, "columns": found},
            records=posterior,
            frames={"intervals": pl.concat(intervals)} if intervals else {},
        )

    def _columns(self, table: Table) -> list[str]:
        roles = table.roles
        if self.column or roles.sensitive:
            chosen = list(self.column or roles.sensitive)
            table.require(chosen)
            refuse_nested(table.frame, chosen, phrase("Attribute disclosure"))
            return chosen
        design = {roles.weight, roles.household, roles.entity, *roles.identifiers}
        return [
            name
            for name, dtype in table.frame.schema.items()
            if name not in design and name not in roles.quasi_identifiers and not is_nested(dtype)
        ]

    def _of_column(self, classes: Classes, column: pl.Series) -> tuple[dict[str, Any], Floats]:
        n = len(column)
        values = number_codes(encode(column)).of_record
        prior = np.bincount(values) / n
        pairs = Codes(classes.record_class * len(prior) + values, classes.n_classes * len(prior))
        packed, _, entry, count = number_codes(pairs)
        of_class, value = np.divmod(packed, len(prior))
        size = np.bincount(of_class, weights=count, minlength=classes.n_classes)
        posterior = count / size[of_class]
        gain = posterior - prior[value]
        disclosed = (posterior >= self.threshold - ROUNDING) & (gain > ROUNDING)
        distinct = np.bincount(of_class, minlength=classes.n_classes)
        # A missing value has the last number, and does not count among the known ones.
        missing = of_class[value == len(prior) - 1] if column.null_count() else of_class[:0]
        n_known = distinct - np.bincount(missing, minlength=classes.n_classes)
        # Values absent from a class lie below their prior, so positive gains sum to the distance.
        apart = np.bincount(of_class, weights=np.maximum(gain, 0.0))
        frequent = np.zeros(classes.n_classes)
        np.maximum.at(frequent, of_class, count)
        attack, baseline = float(frequent.sum() / n), float(prior.max())
        parts = {
            "disclosed_share": float(count[disclosed].sum() / n),
            "homogeneous_share": float(count[distinct[of_class] == 1].sum() / n),
            "l": int(np.maximum(n_known, 1).min()),
            "t": float(apart.max()),
            "mean_gain": float((count * gain).sum() / n),
            "highest_gain": float(gain.max()),
            "attack": attack,
            "baseline": baseline,
            "excess": (attack - baseline) / (1 - baseline) if baseline < 1 else 0.0,
        }
        return parts, posterior[entry]


def _beside(table: Table, name: str, by_all: Classes) -> Classes:
    """The classes by the other keys, where a column is a key itself."""
    keys = table.roles.quasi_identifiers
    if name not in keys:
        return by_all
    return Classes.of(table, [key for key in keys if key != name])
