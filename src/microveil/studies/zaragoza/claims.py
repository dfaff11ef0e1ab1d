"""What the thesis concludes in words, asked of the runs."""

from __future__ import annotations

import numpy as np

from microveil.studies.cells import Cell, Experiment
from microveil.studies.zaragoza.more_claims import combinations, more_claims, pairs
from microveil.studies.zaragoza.runs import DOCUMENT_ALGORITHMS, KS, Run


def claims(runs: list[Run], people: Experiment, numbers: Experiment) -> Experiment:
    """What the thesis concludes in words, as statements that hold (1) or do not (0)."""
    found = {
        "Mondrian is the same for linear and quadratic values, independent": _insensitive(runs),
        "Both Mondrian modes agree on independent columns": _same_modes(runs),
        "Datafly differs between linear and quadratic values, independent": _sensitive(runs),
        "Relaxed Mondrian varies least in class size, dependent, k = 128": _most_regular(runs),
        "Datafly makes the fewest combinations on average, dependent": _fewest(runs),
        "Mondrian makes more combinations than Datafly, mean over all sets": _better(runs),
        "Mondrian keeps every record; Datafly deletes some": _keeps(runs),
        "Datafly is the faster one on average": _faster(runs),
        "Adult, descriptive keys: relaxed Mondrian makes more than strict, at every k": _on_adult(
            people, "Mondrian relaxed", "Mondrian strict"
        ),
        "Adult, descriptive keys: strict Mondrian makes more than Datafly, at every k": _on_adult(
            people, "Mondrian strict", "Datafly"
        ),
        "Adult, numeric keys: relaxed Mondrian makes more than strict, at every k": _on_adult(
            numbers, "Mondrian relaxed", "Mondrian strict"
        ),
        "Adult, numeric keys: strict Mondrian makes more than Datafly, at every k": _on_adult(
            numbers, "Mondrian strict", "Datafly"
        ),
        "Precise hierarchies bring Datafly near Mondrian (half its combinations, Adult)": _near(
            people
        ),
        **more_claims(runs),
    }
    failing = [text for text, holds in found.items() if not holds]
    verdict = f"Not borne out here: {'; '.join(failing)}." if failing else "All are borne out."
    return Experiment.of(
        "Conclusions",
        "Sections 6 and 7",
        [Cell({"statement": text}, "holds", float(holds)) for text, holds in found.items()],
        note="The thesis says these in words; whether they hold is our number, 1 or 0, over all "
        f"data sets run here, and Adult by its descriptive and by its numeric columns. {verdict}",
    )


def run_times(runs: list[Run]) -> Experiment:
    """Seconds of the processor per run, by algorithm and kind of sets; the thesis took no times."""
    taken: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        if run.algorithm in DOCUMENT_ALGORITHMS:
            taken.setdefault((run.data.kind, run.algorithm), []).append(run.seconds)
    return Experiment.of(
        "Run times",
        "Section 7",
        [
            Cell({"sets": kind, "algorithm": algorithm}, name, float(how(seconds)))
            for (kind, algorithm), seconds in taken.items()
            for name, how in (("mean seconds", np.mean), ("largest", np.max))
        ],
        note="Seconds of the processor. The thesis left times out, for its machine did other work; "
        "it says that Datafly is somewhat the faster on average, and that Mondrian would gain from "
        "threads.",
    )


def _better(runs: list[Run]) -> bool:
    mean = {
        name: np.mean([run.measures["combinations"] for run in runs if run.algorithm == name])
        for name in ("Mondrian strict", "Datafly")
    }
    return bool(mean["Mondrian strict"] > mean["Datafly"])


def _keeps(runs: list[Run]) -> bool:
    kept = {
        name: [
            run.measures["combinations"] * run.measures["mean"] > run.data.n_records - 0.5
            for run in runs
            if run.algorithm == name
        ]
        for name in DOCUMENT_ALGORITHMS
    }
    return (
        all(kept["Mondrian strict"]) and all(kept["Mondrian relaxed"]) and not all(kept["Datafly"])
    )


def _faster(runs: list[Run]) -> bool:
    mean = {
        name: np.mean([run.seconds for run in runs if run.algorithm == name])
        for name in ("Mondrian strict", "Datafly")
    }
    return bool(mean["Datafly"] < mean["Mondrian strict"])


def _on_adult(adult: Experiment, more: str, fewer: str) -> bool:
    found = {
        (cell.where["k"], cell.where["algorithm"]): cell.ours
        for cell in adult.cells
        if cell.quantity == "combinations"
    }
    return all(found[k, more] > found[k, fewer] for k in KS)


def _near(people: Experiment) -> bool:
    found = {
        (cell.where["k"], cell.where["algorithm"]): cell.ours
        for cell in people.cells
        if cell.quantity == "combinations"
    }
    return all(found[k, "Datafly"] >= found[k, "Mondrian strict"] / 2 for k in KS)


def _insensitive(runs: list[Run]) -> bool:
    return all(a == b for a, b in pairs(combinations(runs, "independent", "Mondrian strict")))


def _sensitive(runs: list[Run]) -> bool:
    return any(a != b for a, b in pairs(combinations(runs, "independent", "Datafly")))


def _same_modes(runs: list[Run]) -> bool:
    strict = combinations(runs, "independent", "Mondrian strict")
    return strict == combinations(runs, "independent", "Mondrian relaxed")


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
        name: np.mean(list(combinations(runs, "dependent", name).values()))
        for name in DOCUMENT_ALGORITHMS
    }
    return min(mean, key=lambda name: mean[name]) == "Datafly"
