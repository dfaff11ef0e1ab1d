"""Both experiments of the slides, and their map of risk and utility."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.cores import shared_pool
from microveil.progress import Progress
from microveil.studies.base import About, Study
from microveil.studies.cells import Cell, Experiment
from microveil.studies.tartu.about import ABOUT
from microveil.studies.tartu.conclusions import conclusions
from microveil.studies.tartu.identity import reidentified_shares
from microveil.studies.tartu.masking import (
    METHODS,
    correlations,
    masked_by,
    normal_data,
    rank_correlations,
)
from microveil.studies.tartu.reasons import why

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

SIZES = (30, 100, 300, 1000)
RHOS = ("0.00", "0.20", "0.40", "0.60", "0.80", "0.95")
WIDTHS = (2, 3, 4, 5, 6)
N_RUNS = 1000
"""Replications of the document, and of a full run."""
QUICK_RUNS = 100
IDENTITY_RHO = 0.0
"""The slides do not say how the variables of experiment 2 are correlated; independent ones give
their shares for C&S."""
BLOCK = 250
"""Replications masked at once: bounds memory, and gives the threads something to share."""

Key = tuple[str, int, str, str, str]


class Tartu(Study):
    """Rank correlation, value disclosure and identity disclosure of five ways to mask."""

    name: ClassVar[str] = "tartu"
    title: ClassVar[str] = "Masking by swapping and shuffling"
    document: ClassVar[str] = (
        "Lauri Rätsep, *Andmete maskeerimise meetodid: vahetus ja ümberpaigutus*, slides, Tartu "
        "Ülikool, on the experiments of Muralidhar & Sarathy (2006): normal data, 1,000 "
        "replications, five methods."
    )

    def about(self, experiments: tuple[Experiment, ...]) -> About:
        """What the slides compare, and what became of it."""
        del experiments
        return ABOUT

    def experiments(self, *, quick: bool, progress: Progress) -> tuple[Experiment, ...]:
        """Experiment 1 (rank correlation, value disclosure) and 2 (identity disclosure)."""
        runs = QUICK_RUNS if quick else N_RUNS
        printed = _read_published()
        cells: dict[str, list[Cell]] = {"rank": [], "value": [], "identity": []}
        jobs = [(n, rho) for n in SIZES for rho in RHOS]
        total = len(jobs) + len(SIZES) * len(WIDTHS)
        for i, (n, rho) in enumerate(jobs):
            progress(i, total, f"n = {n}, ρ = {rho}")
            _first_experiment(n, rho, runs, printed, cells)
        for i, (n, width) in enumerate((n, width) for n in SIZES for width in WIDTHS):
            progress(len(jobs) + i, total, f"n = {n}, {width} variables")
            cells["identity"] += _second_experiment(n, width, runs, printed)
        return (
            Experiment.of(
                "Correlation of two columns", "Experiment 1: usability", cells["rank"],
                note="The slides call it rank correlation; their numbers are those of the plain "
                "(Pearson's) correlation. Ours of the ranks stand in the last columns.", why=why,
            ),
            Experiment.of(
                "Variability explained", "Experiment 1: value disclosure", cells["value"], why=why
            ),
            conclusions(cells),
            Experiment.of(
                "Records re-identified", "Experiment 2: identity disclosure", cells["identity"],
                why=why,
                note="The variables are independent; the slides do not say how theirs are.",
            ),
        )  # fmt: skip

    def figures(
        self, experiments: tuple[Experiment, ...], *, quick: bool
    ) -> Mapping[str, Callable[[], Chart]]:
        """Figure 1: the confidentiality map at n = 100, ρ = .40."""
        del quick
        from microveil.studies.tartu.figures import confidentiality_map

        return {"figure_1": lambda: confidentiality_map(experiments)}


def _read_published() -> Mapping[Key, str]:
    text = resources.files("microveil.studies.tartu") / "published.csv"
    frame = pl.read_csv(text.read_bytes(), infer_schema=False)
    return {
        (quantity, int(n), rho or "", detail or "", method): value
        for quantity, n, rho, detail, method, value in frame.rows()
    }


def _first_experiment(
    n: int, rho: str, runs: int, printed: Mapping[Key, str], cells: dict[str, list[Cell]]
) -> None:
    samples = _masked_by_all(n, float(rho), 2, runs, _compare)
    for method, found in samples.items():
        where: Mapping[str, str | float] = {"n": n, "ρ": rho, "method": method}
        change = found[:, 0]
        spread = float(change.std(ddof=1))
        errors = {
            "bias": spread * np.sqrt(1 / runs + 1 / N_RUNS),
            "SE": spread * np.sqrt(0.5 / runs + 0.5 / N_RUNS),
        }
        for quantity, value in (("bias", float(change.mean())), ("SE", spread)):
            text = printed.get((quantity, n, rho, "", method))
            cells["rank"].append(Cell(where, quantity, value, text, float(errors[quantity])))
        ranks = found[:, 3]
        cells["rank"].append(Cell(where, "bias of ranks", float(ranks.mean())))
        cells["rank"].append(Cell(where, "SE of ranks", float(ranks.std(ddof=1))))
        for i, column in enumerate(("X1", "X2")):
            cells["value"].append(_variability_cell(where, column, found[:, 1 + i], runs, printed))


def _variability_cell(
    where: Mapping[str, str | float], column: str, r: Floats, runs: int, printed: Mapping[Key, str]
) -> Cell:
    """The squared mean correlation of a column with itself masked, as the document's numbers are.

    Its mean of squares would be 1/29 for independent columns of 30 records, where it prints zero.
    """
    mean, spread = float(r.mean()), float(r.std(ddof=1))
    # Shuffled columns are made to be uncorrelated with the original here, by chance there.
    theirs = max(spread, float(where["n"]) ** -0.5) if where["method"] == "shuffling" else spread
    error = np.sqrt(spread**2 / runs + theirs**2 / N_RUNS)
    # Of a square: its slope times the error of the mean, and the square of the error near zero.
    error = 2 * abs(mean) * error + error**2
    key = ("variability explained", int(where["n"]), str(where["ρ"]), column, str(where["method"]))
    return Cell(where, f"of {column}", mean**2, printed.get(key), float(error))


def _second_experiment(n: int, width: int, runs: int, printed: Mapping[Key, str]) -> list[Cell]:
    cells = []
    for method, found in _masked_by_all(
        n,
        IDENTITY_RHO,
        width,
        runs,
        reidentified_shares,
        workers=1,  # matching is parallel by itself
        exact=False,
    ).items():
        shares = 100 * found[:, 0]
        spread, mean = float(shares.std(ddof=1)), float(shares.mean())
        # Matches of well masked records come by chance, here and there.
        theirs = max(spread, np.sqrt(mean * (100 - mean) / n))
        error = float(np.sqrt(spread**2 / runs + theirs**2 / N_RUNS))
        text = printed.get(("re-identified %", n, "", str(width), method))
        where: Mapping[str, str | float] = {"n": n, "variables": width, "method": method}
        cells.append(Cell(where, "per cent", mean, text, error))
    return cells


def _compare(data: Floats, released: Floats) -> Floats:
    """Per run: change of both correlations; correlation of each column with itself masked."""
    return np.column_stack(
        [
            correlations(released[:, :, 0], released[:, :, 1])
            - correlations(data[:, :, 0], data[:, :, 1]),
            correlations(data[:, :, 0], released[:, :, 0]),
            correlations(data[:, :, 1], released[:, :, 1]),
            rank_correlations(released) - rank_correlations(data),
        ]
    )


def _masked_by_all(
    n: int,
    rho: float,
    width: int,
    runs: int,
    measure: Callable[[Floats, Floats], Floats],
    workers: int | None = None,
    *,
    exact: bool = True,
) -> dict[str, Floats]:
    """The value of a measure for every replication, by method; blocks run in parallel."""
    blocks = [(start, min(BLOCK, runs - start)) for start in range(0, runs, BLOCK)]

    def one(method: str, block: tuple[int, int]) -> Floats:
        place = [2006, n, round(100 * rho), width, block[0]]
        data = normal_data(2 * n, rho, width, block[1], np.random.default_rng(place))
        stream = np.random.default_rng([*place, METHODS.index(method)])
        return measure(*masked_by(method, data, stream, exact=exact))

    jobs = [(method, block) for method in METHODS for block in blocks]
    with shared_pool(len(jobs), workers) as pool:
        done = list(pool.map(lambda job: one(*job), jobs))
    return {
        method: np.concatenate(
            [part for job, part in zip(jobs, done, strict=True) if job[0] == method]
        )
        for method in METHODS
    }
