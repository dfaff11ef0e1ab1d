"""Codes of known classifications: coarsened by their structure."""

from __future__ import annotations

from typing import ClassVar, Literal

import polars as pl

from microveil.hierarchies.base import HierarchyBuilder, distinct_values, with_star_on_top
from microveil.hierarchies.code_shapes import SYSTEMS
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.tables.values import as_text
from microveil.texts import phrase

SystemName = Literal["icd10", "nace", "isco", "nuts", "country", "postcode", "ip"]

MOSTLY = 0.9
"""Share of the distinct values that must fit: the rest may be badly typed."""
TELLING = 0.5
"""Share of the values with a mark of the system (a dot, a letter), if the name does not help."""
_MARKS: dict[SystemName, str] = {
    "icd10": r"^[A-Z]\d[0-9AB]\.",
    "nace": r"^([A-U]\d{2}(\.\d{1,2})?|\d{2}\.\d{2})$",
    "nuts": r"^[A-Z]{2}[0-9A-Z]*\d",
    "ip": r"[.:]",
    "country": r"^([A-Z]{3}|\D{4,})$",
}
"""What tells a system from other codes of the same shape, without the column's name."""


class Codes(HierarchyBuilder):
    """Codes of a known classification, coarsened by their structure: C34.1 → C34 → C30-C39.

    Diagnoses (ICD-10), economic activities (NACE), occupations (ISCO), regions (NUTS), countries
    (ISO 3166 or names), postcodes of a dozen countries and IP addresses. Codes of another shape are
    left out.

    >>> Codes(system="icd10").build(pl.Series(["C34.1"])).frame.rows()
    [('C34.1', 'C34', 'C30-C39', 'II (C00-D48)', '*')]
    """

    gap_hint: ClassVar[str] = phrase("Correct codes of another shape")

    hierarchy: Literal["codes"] = "codes"
    system: SystemName
    """The classification: icd10, nace, isco, nuts, country, postcode or ip."""

    def build(self, values: pl.Series) -> Hierarchy:
        """Label the distinct codes; numbers are read as written."""
        values = distinct_values(values)
        labels = _labels(self.system, values)
        fits = labels[labels.columns[0]].is_not_null()
        kept = labels.filter(fits)
        return with_star_on_top(
            [values.filter(fits), *kept.get_columns()], ["code", *labels.columns]
        )


def _labels(system: str, values: pl.Series) -> pl.DataFrame:
    """The label of each value at each level; null if it does not fit."""
    known = SYSTEMS[system]
    text = as_text(values).str.strip_chars().str.to_uppercase().alias("text").to_frame()
    return text.select(
        pl.coalesce(
            pl.when(pl.col("text").str.contains(shape.pattern)).then(shape.labels[place])
            for shape in known.shapes
        ).alias(level)
        for place, level in enumerate(known.levels)
    )


def fitting_share(system: str, values: pl.Series) -> float:
    """Share of the distinct values that are codes of a system.

    >>> fitting_share("country", pl.Series(["ES", "EE", "QQ", "DK"]))
    0.75
    """
    labels = _labels(system, distinct_values(values))
    last = labels.get_column(labels.columns[-1])
    return 1 - last.null_count() / max(len(last), 1)


def recognise_codes(values: pl.Series, hint: SystemName | None = None) -> Codes | None:
    """The system of a column's codes, by a hint (from its name) or by their marks alone.

    >>> recognise_codes(pl.Series(["C34.1", "E11.9", "I10"]))
    Codes(hierarchy='codes', system='icd10')
    >>> recognise_codes(pl.Series(["red", "blue"])) is None
    True
    """
    values = distinct_values(values)
    if not len(values) or values.dtype.is_float() or values.dtype.is_temporal():
        return None
    text = as_text(values).str.to_uppercase().str.strip_chars()
    for system in (hint,) if hint is not None else _MARKS:
        told = hint is not None or int(text.str.contains(_MARKS[system]).sum()) >= TELLING * len(
            text
        )
        if told and fitting_share(system, values) >= MOSTLY:
            return Codes(system=system)
    return None
