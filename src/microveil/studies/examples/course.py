"""The tables that the course prints, as data to load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from microveil.studies.uoc import tables
from microveil.studies.uoc.losses import TEST_FLOWERS, TOLD


@dataclass(frozen=True)
class Printed:
    """A table as it is printed: its rows are given."""

    title: str
    frame: pl.DataFrame


def _people_of(name: str) -> pl.DataFrame:
    """A neighbouring table of the course: who has schizophrenia."""
    rows = list(tables.SCHIZOPHRENIA[name].items())
    return pl.DataFrame(rows, schema=["name", "schizophrenia"], orient="row")


def _flowers() -> pl.DataFrame:
    widths = pl.DataFrame(
        [row[:2] for row in TEST_FLOWERS], schema=["petal_width", "sepal_width"], orient="row"
    )
    return widths.with_columns(pl.Series(tree, told) for tree, told in TOLD.items())


COURSE: Mapping[str, Printed] = {
    "course_table_2": Printed("nine people with their names", tables.NAMED),
    "course_table_3": Printed("nine people, to be made 3-anonymous", tables.PEOPLE),
    "course_table_4": Printed("a 3-anonymous table", tables.THREE_ANONYMOUS),
    "course_table_5": Printed("3-anonymous, but one income in a class", tables.HOMOGENEOUS),
    "course_table_6a": Printed("2-diverse incomes", tables.DIVERSE),
    "course_table_7": Printed("ten ages", pl.DataFrame({"age": tables.AGES})),
    "course_table_9": Printed("record linkage: the original", tables.LINKED),
    "course_table_9_first": Printed("record linkage: protected, the first way", tables.LINKED_1),
    "course_table_9_second": Printed("record linkage: protected, the second way", tables.LINKED_2),
    "course_table_11": Printed("divergence: the original", tables.DIVERGING),
    "course_table_11_first": Printed("divergence: protected, the first way", tables.DIVERGING_1),
    "course_table_11_second": Printed("divergence: protected, the second way", tables.DIVERGING_2),
    "course_table_13": Printed("test flowers, and the species that three trees tell", _flowers()),
    "course_table_15": Printed("nine people, to be generalised", tables.TO_GENERALIZE),
    "course_table_16": Printed("the nine people generalised", tables.GENERALIZED),
    "course_table_17": Printed("ages and incomes, to be noised", tables.NOISE),
    "course_table_17_uncorrelated": Printed("uncorrelated noise added", tables.NOISE_UNCORRELATED),
    "course_table_18": Printed("correlated noise added", tables.NOISE_CORRELATED),
    **{
        f"course_table_20_{name.lower()}": Printed(f"neighbouring table {name}", _people_of(name))
        for name in tables.SCHIZOPHRENIA
    },
    "course_table_21": Printed("ages, to be swapped", tables.SWAPPED),
    "course_table_21_swapped": Printed("ages swapped within 30 per cent", tables.SWAPPED_1),
    "course_table_22": Printed("ages, to be microaggregated", tables.AGGREGATED),
    "course_table_22_aggregated": Printed(
        "ages microaggregated", pl.DataFrame({"age": tables.AGGREGATED_1})
    ),
    "course_table_23": Printed("exercise 1: a release", tables.RELEASED),
    "course_table_24": Printed("exercise 1: what an intruder has", tables.AWARDED),
    "course_table_25": Printed("exercise 2: the original", tables.EXERCISE),
    "course_table_25_first": Printed("exercise 2: protected, the first way", tables.EXERCISE_1),
    "course_table_25_second": Printed("exercise 2: protected, the second way", tables.EXERCISE_2),
}
"""By the name that ``microveil example`` takes; ``course`` stands for all of them."""
