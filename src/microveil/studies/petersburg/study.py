"""The program's five outputs at three sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from microveil.progress import Progress
from microveil.risk import Assessment, acceptable_k, assess_table
from microveil.studies.ad_views import ad_views, ad_views_recipe
from microveil.studies.base import About, Study
from microveil.studies.cells import Cell, Experiment
from microveil.studies.petersburg.about import ABOUT
from microveil.tables import Table
from microveil.utility import CellChanges

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

SIZES = (51_000, 105_000, 260_000)
ACCEPTABLE = {51_000: "10", 105_000: "7", 260_000: "5"}
FULL = 260_000
PUBLISHED = {"unique rows": "185", "bad rows, per cent": "0.33"}
"""Of 260,000 recoded rows, before rows with a low K are suppressed."""
SECONDS = "159.72"
N_WORST = 5
DATA_DIFFER = (
    "The report's rows are not available; the stand-in has their shape, not their values, and the "
    "count hangs on how many viewing times are rare."
)


@dataclass(frozen=True)
class Stages:
    """Risk of the rows as they are, recoded, and released; and what the release cost."""

    size: int
    original: Assessment
    recoded: Assessment
    released: Assessment
    changed: Mapping[str, float]
    views: pl.DataFrame
    """Views by platform class, season and product: recoded, and as released."""
    seconds: float


class Petersburg(Study):
    """Depersonalise views of advertisements: K, the worst classes, unique rows, utility."""

    name: ClassVar[str] = "petersburg"
    title: ClassVar[str] = "A depersonalisation program"
    document: ClassVar[str] = (
        "Ксения Андреевна Павлова, *Обезличивание данных*, lab report no. 3 in *Algorithms and "
        "data structures* (teacher: А. Г. Дик), Saint Petersburg State University, 2022. Its "
        "260,000 views of advertisements are not available; a seeded stand-in takes their place."
    )

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What the program did, and what became of it."""
        del experiments
        return ABOUT

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """All three sizes; they take seconds, so a quick run leaves none out."""
        del quick
        done = []
        for i, size in enumerate(SIZES):
            progress(i, len(SIZES), f"{size:,} rows")
            done.append(_stages(size))
        return (
            _k_reached(done),
            _before_suppression(done),
            _worst(done[-1]),
            _utility(done),
            _statistics(done[-1]),
        )

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """Class sizes of the recoded and of the released rows."""
        del experiments, quick
        return {"class_sizes": _figure}


def _stages(size: int) -> Stages:
    recipe = ad_views_recipe()
    frame = ad_views(size)
    original = Table(frame, recipe.roles)
    before = assess_table(original, n_worst=N_WORST)
    start = perf_counter()
    recoded = _apply(original, recoded_only=True)
    released = _apply(original, recoded_only=False)
    seconds = perf_counter() - start
    return Stages(
        size,
        before,
        assess_table(recoded, n_worst=N_WORST),
        assess_table(released, n_worst=N_WORST),
        {
            name: value
            for name, value in CellChanges().score(original, released).parts.items()
            if isinstance(value, float)
        },
        _views(recoded.frame, released.frame),
        seconds,
    )


def _apply(table: Table, *, recoded_only: bool) -> Table:
    for i, step in enumerate(ad_views_recipe().steps):
        if recoded_only and step.kind() == "suppress_records":
            break
        table = step.apply(table, np.random.default_rng([2022, i])).table
    return table


def _k_reached(done: list[Stages]) -> Experiment:
    cells = []
    for each in done:
        where = {"rows": each.size}
        full = each.size == FULL
        cells += [
            Cell(where, "acceptable K", acceptable_k(each.size), ACCEPTABLE[each.size]),
            Cell(where, "K as they are", each.original.k, "1" if full else None),
            Cell(where, "K released", each.released.k, "5" if full else None),
            Cell(where, "seconds", each.seconds, SECONDS if full else None, compared=False),
        ]
    return Experiment.of(
        "K before and after",
        "Figures 2 to 4",
        cells,
        note="The report's seconds include reading and writing .xlsx; ours are for both runs of "
        "the steps, from data frame to data frame.",
        why=lambda _: DATA_DIFFER,
    )


def _before_suppression(done: list[Stages]) -> Experiment:
    cells = []
    for each in done:
        recoded = each.recoded
        ours = {
            "K": float(recoded.k),
            "unique rows": float(recoded.n_unique),
            "bad rows, per cent": 100 * recoded.below_share,
            "rows suppressed": float(each.size - each.released.n_records),
        }
        for name, value in ours.items():
            published = PUBLISHED.get(name) if each.size == FULL else None
            cells.append(Cell({"rows": each.size}, name, value, published, why=DATA_DIFFER))
    return Experiment.of("Recoded, before rows are suppressed", "Figures 2 and 3", cells)


def _worst(each: Stages) -> Experiment:
    cells = []
    for rank, worst in enumerate(each.recoded.worst, start=1):
        where = {"worst": rank}
        cells.append(Cell(where, "K", worst.size))
        cells.append(Cell(where, "share, per cent", 100 * worst.share))
    return Experiment.of(
        "The five worst classes of 260,000 recoded rows",
        "Figure 2",
        cells,
        note="The report prints the first five bad classes it meets (K = 3, 4, 4, 3, 2), not the "
        "five worst, and their values; here are the worst, without values.",
    )


def _utility(done: list[Stages]) -> Experiment:
    return Experiment.of(
        "Utility: cells that are not as they were",
        "The fifth output",
        [
            Cell({"rows": each.size}, f"{name}, per cent", 100 * value)
            for each in done
            for name, value in each.changed.items()
        ],
        note="The report only says that counts by platform, product and season remain possible.",
    )


def _views(recoded: pl.DataFrame, released: pl.DataFrame) -> pl.DataFrame:
    """Counts before and after rows were suppressed."""
    by = ["platform", "date", "product"]
    before, after = (
        frame.select(pl.col(by).cast(pl.String)).group_by(by).len(name)
        for frame, name in ((recoded, "recoded"), (released, "released"))
    )
    return before.join(after, on=by, how="left").fill_null(0).sort(by)


def _statistics(each: Stages) -> Experiment:
    """What the report ends with: which product was advertised most, where and in which season."""
    by = ["platform", "date"]
    views = each.views
    most = views.sort("released", "product", descending=[True, False]).group_by(by).first().sort(by)
    same = views.sort("recoded", "product", descending=[True, False]).group_by(by).first().sort(by)
    cells = []
    for row, before in zip(most.rows(named=True), same.rows(named=True), strict=True):
        where = {"platform": row["platform"], "season": row["date"], "product": row["product"]}
        cells += [
            Cell(where, "views released", row["released"]),
            Cell(where, "views in all rows", row["recoded"]),
            Cell(where, "most in all rows as well", float(row["product"] == before["product"])),
        ]
    return Experiment.of(
        "The product advertised most, by class of platform and season",
        "Conclusion",
        cells,
        note=f"The report concludes that its data can still answer this, and prints no number. "
        f"{each.size:,} rows of the stand-in, in which every product of a season is as frequent as "
        "the others but for chance.",
    )


def _figure() -> Chart:
    from microveil.plots import class_sizes_chart

    table = _apply(Table(ad_views(SIZES[0]), ad_views_recipe().roles), recoded_only=False)
    return class_sizes_chart(assess_table(table))
