"""What the thesis concludes in words, asked of the runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from microveil.studies.cells import Cell, Experiment
from microveil.studies.zaragoza.runs import DOCUMENT_ALGORITHMS, KS, Run


def claims(runs: list[Run]) -> Experiment:
    """What the thesis concludes in words, as statements that hold (1) or do not (0)."""
    found = {
        "Mondrian is the same for linear and quadratic values, independent": _insensitive(runs),
        "Both Mondrian modes agree on independent columns": _same_modes(runs),
        "Datafly differs between linear and quadratic values, independent": _sensitive(runs),
        "Relaxed Mondrian varies least in class size, dependent, k = 128": _most_regular(runs),
        "Datafly makes the fewest combinations on average, dependent": _fewest(runs),
    }
    return Experiment.of(
        "Conclusions",
        "Section 6",
        [Cell({"statement": text}, "holds", float(holds), "1") for text, holds in found.items()],
        why=lambda _: (
            "The figures the sentence rests on are printed without numbers; over all data sets "
            "run here it is not borne out."
        ),
    )


def _combinations(
    runs: list[Run], kind: str, algorithm: str
) -> dict[tuple[str, int, int, int], float]:
    return {
        (run.data.growth, run.data.size, run.data.n_columns, run.k): run.measures["combinations"]
        for run in runs
        if run.data.kind == kind and run.algorithm == algorithm
    }


def _pairs(found: Mapping[tuple[str, int, int, int], float]) -> list[tuple[float, float]]:
    """Linear beside quadratic, where both were run."""
    return [
        (value, found["quadratic", *key[1:]])
        for key, value in found.items()
        if key[0] == "linear" and ("quadratic", *key[1:]) in found
    ]


def _insensitive(runs: list[Run]) -> bool:
    return all(a == b for a, b in _pairs(_combinations(runs, "independent", "Mondrian strict")))


def _sensitive(runs: list[Run]) -> bool:
    return any(a != b for a, b in _pairs(_combinations(runs, "independent", "Datafly")))


def _same_modes(runs: list[Run]) -> bool:
    strict = _combinations(runs, "independent", "Mondrian strict")
    return strict == _combinations(runs, "independent", "Mondrian relaxed")


def _most_regular(runs: list[Run]) -> bool:
    """Of the thesis' three, on average over the dependent sets, relative to the mean size."""
    spread = {
        name: np.mean(
            [
                np.sqrt(run.measures["variance"]) / run.measures["mean"]
                for run in runs
                if run.data.kind == "dependent" and run.k == KS[-1] and run.algorithm == name
            ]
        )
        for name in DOCUMENT_ALGORITHMS
    }
    return min(spread, key=lambda name: spread[name]) == "Mondrian relaxed"


def _fewest(runs: list[Run]) -> bool:
    mean = {
        name: np.mean(list(_combinations(runs, "dependent", name).values()))
        for name in DOCUMENT_ALGORITHMS
    }
    return min(mean, key=lambda name: mean[name]) == "Datafly"
