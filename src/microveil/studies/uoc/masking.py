"""Protection methods: section 1.4."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods import (
    AdditiveNoise,
    Generalize,
    GroupRare,
    Mask,
    Method,
    Microaggregate,
    RankSwap,
)
from microveil.studies.cells import Cell, Experiment
from microveil.studies.uoc import tables
from microveil.tables import Table

OCCUPATIONS = {
    "Sports": ["Runner", "Boxer", "Horse rider"],
    "Education": ["School teacher", "Professor", "Student"],
    "Law enforcement": ["Police det.", "Police capt.", "Military lt."],
}
"""Figure 10."""
STEPS: tuple[Method, ...] = (
    Generalize(column="occupation", hierarchy={"tree": OCCUPATIONS}, level=1),
    Mask(columns=["zip"], keep_start=2),
    Generalize(
        column="age", hierarchy={"hierarchy": "intervals", "width": 20, "origin": 10}, level=1
    ),
    GroupRare(columns=["status"], min_count=3, label="Divorced or Widow/er"),
)
_SLIP = (
    "A slip of the course: it finds a variance of 294.21 and goes on with 284.21, of which 142.105 "
    "is the half; the half of 294.21 is 147.105."
)
N_DRAWS = 400
"""Draws of our noise; the course prints one."""


def generalization() -> Experiment:
    """An ontology, digits, intervals, rare categories (tables 15 and 16)."""
    table = Table(tables.TO_GENERALIZE)
    for step in STEPS:
        table = step.apply(table, np.random.default_rng(0)).table
    cells = [
        Cell({"column": name}, "rows of nine grouped as printed", _alike(table.frame, name))
        for name in tables.GENERALIZED.columns
    ]
    return Experiment.of(
        "Generalisation",
        "Tables 15 and 16, figure 10",
        cells,
        note="A check of ours: the course prints labels, not a number. Our intervals are written "
        "[30, 50); the course writes [30, 49].",
    )


def _alike(frame: pl.DataFrame, name: str) -> int:
    """Rows that share their label with the same rows as in the printed table."""
    both = pl.DataFrame({"ours": frame[name], "printed": tables.GENERALIZED[name]})
    n_ours, n_printed, n_both = (
        pl.len().over(columns) for columns in ("ours", "printed", both.columns)
    )
    same = both.with_columns(a=n_ours, b=n_printed, c=n_both)
    return same.filter((pl.col("a") == pl.col("c")) & (pl.col("b") == pl.col("c"))).height


def noise() -> Experiment:
    """Moments and correlations of the tables with noise (tables 17 to 19)."""
    variance = float(tables.NOISE["age"].to_numpy().var())
    frames = {
        "original": (tables.NOISE, "41.7", "28100", "0.149701"),
        "uncorrelated": (tables.NOISE_UNCORRELATED, "39.5", "24094", "0.3623301"),
        "correlated": (tables.NOISE_CORRELATED, "40.9", "28511", "0.1483453"),
    }
    cells = []
    for name, (frame, age, income, correlation) in frames.items():
        values = frame.to_numpy()
        where = {"table": name}
        cells += [
            Cell(where, "mean age", float(values[:, 0].mean()), age),
            Cell(where, "mean income", float(values[:, 1].mean()), income),
            Cell(where, "correlation", float(np.corrcoef(values.T)[0, 1]), correlation),
        ]
    cells += _noise_of_ours()
    cells.append(Cell({"table": "original"}, "variance of age", variance, "294.21"))
    cells.append(Cell({"table": "original"}, "variance of noise, p = .5", variance / 2, "142.105"))
    return Experiment.of("Additive noise", "Tables 17 to 19", cells, why=lambda _: _SLIP)


def _noise_of_ours() -> list[Cell]:
    """Our step, drawn often, beside the one draw that the course prints."""
    printed = {"uncorrelated": "0.3623301", "correlated": "0.1483453"}
    means = {"uncorrelated": ("39.5", "24094"), "correlated": ("40.9", "28511")}
    cells = []
    for name, correlation in printed.items():
        step = AdditiveNoise(
            columns=["age", "income"], variance_share=0.5, correlated=name == "correlated"
        )
        draws = [
            step.apply(Table(tables.NOISE), np.random.default_rng([17, i])).table.frame.to_numpy()
            for i in range(N_DRAWS)
        ]
        found = np.array([[*x.mean(axis=0), np.corrcoef(x.T)[0, 1]] for x in draws])
        names = ("mean age", "mean income", "correlation")
        for j, text in enumerate((*means[name], correlation)):
            where = {"table": f"{name}, our step over {N_DRAWS} draws"}
            spread = float(found[:, j].std(ddof=1))
            cells.append(Cell(where, names[j], float(found[:, j].mean()), text, spread))
    return cells


def swapping() -> Experiment:
    """Rank swapping within 30 per cent (table 21): the printed swap, and one of ours."""
    step = RankSwap(columns=["age"], range_share=0.3)
    ours = step.apply(Table(tables.SWAPPED), np.random.default_rng(21)).table.frame
    cells = []
    for name, released in (("printed", tables.SWAPPED_1), ("ours", ours)):
        before, after = _ranks(tables.SWAPPED), _ranks(released)
        where = {"table": name}
        farthest = int(np.abs(before - after).max())
        cells += [
            Cell(where, "farthest swap, ranks", float(farthest)),
            Cell(where, "values kept, of ten", float(len(set(before) & set(after)))),
        ]
    return Experiment.of(
        "Rank swapping",
        "Table 21",
        cells,
        note="A swap is chance, and the course prints no number of it: a check of ours. p = 30 per "
        "cent of ten values are three ranks.",
    )


def _ranks(frame: pl.DataFrame) -> NDArray[np.int64]:
    order = {value: rank for rank, value in enumerate(sorted(tables.SWAPPED["age"].to_list()))}
    return np.array([order[value] for value in frame["age"].to_list()])


def microaggregation() -> Experiment:
    """Groups of three, replaced by their rounded mean (table 22)."""
    step = Microaggregate(columns=["age"], k=3, keep_integers=True)
    ours = step.apply(Table(tables.AGGREGATED), np.random.default_rng(0)).table.frame["age"]
    return Experiment.of(
        "Microaggregation",
        "Table 22",
        [
            Cell({"row": i + 1}, "age", float(value), str(tables.AGGREGATED_1[i]))
            for i, value in enumerate(ours.to_list())
        ],
    )


def exercise_3() -> Experiment:
    """MDAV beyond numbers: another distance, another aggregation (exercise 3)."""
    asked = {
        "cosine, binary vectors": (
            "cosine",
            pl.Series([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]),
        ),
        "Jaccard, sets": ("jaccard", pl.Series([["a"], ["a", "b"], ["c"], ["c", "d"]])),
        "edit distance, strings": ("edit", pl.Series(["runner", "runners", "boxer", "boxers"])),
    }
    cells = []
    for name, (distance, column) in asked.items():
        step = Microaggregate.parse({"k": 2, "distance": distance})
        after = step.protect(column).to_list()
        pairs = float(after[0] == after[1] and after[2] == after[3] and after[0] != after[2])
        cells.append(Cell({"distance": name}, "near pairs share a centre", pairs))
    return Experiment.of(
        "Exercise 3: MDAV for other kinds of data",
        "Exercise 3",
        cells,
        note="The course answers in words: replace the distance and the aggregation. Checks of "
        "ours: four records, two near pairs each, k = 2; 1 where each pair became one group.",
    )
