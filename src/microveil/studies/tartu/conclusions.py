"""The slides' summary: four sentences, asked of the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from microveil.studies.cells import Cell, Experiment

LARGEST = 1000
LITTLE = 2.0
"""Times the share that guessing finds, one in n, up to which a method is safe."""
MUCH = 90.0
CLOSE = 0.01
"""Differences of correlations that no reader of a table would see."""


def conclusions(cells: Mapping[str, Sequence[Cell]]) -> Experiment:
    """Whether the cells of this run bear out what the slides conclude."""
    bias = {
        (cell.where["n"], cell.where["ρ"], cell.where["method"]): abs(cell.ours)
        for cell in cells["rank"]
        if cell.quantity == "bias"
    }
    found = cells["identity"]
    methods = {str(cell.where["method"]) for cell in found}
    worst = {
        method: max(cell.ours for cell in found if _is(cell, method) and cell.where["n"] == LARGEST)
        for method in methods
    }
    # Per cent times n, in hundredths: how many times as often as by guessing.
    guessed = {
        method: max(cell.ours * cell.where["n"] / 100 for cell in found if _is(cell, method))
        for method in methods
    }
    safe = [method for method, times in guessed.items() if times <= LITTLE]
    moved = {
        method: max(value for (n, _, one), value in bias.items() if (n, one) == (LARGEST, method))
        for method in safe
    }
    statements = {
        "C&S is as useful as shuffling (biases within .01 at n = 1,000)": _alike(bias),
        "C&S gives identities away (above 90 % by six columns)": worst["C&S"] > MUCH,
        "Swapping is safe when P = 100 % (re-identified at most twice as often as by guessing, "
        "one in n, at every n)": "swap 100 %" in safe,
        "Shuffling is the best: the least bias of the safe ones": bool(moved)
        and min(moved, key=lambda method: moved[method]) == "shuffling",
    }
    return Experiment.of(
        "Conclusions",
        "Summary",
        [Cell({"statement": text}, "holds", float(holds)) for text, holds in statements.items()],
        note="The slides say these in words; 1 where the cells of this run bear them out, 0 where "
        "they do not.",
    )


def _alike(bias: Mapping[tuple[int, str, str], float]) -> bool:
    return all(
        abs(value - bias[n, rho, "shuffling"]) <= CLOSE
        for (n, rho, method), value in bias.items()
        if method == "C&S" and n == LARGEST
    )


def _is(cell: Cell, method: str) -> bool:
    return bool(cell.where["method"] == method)
