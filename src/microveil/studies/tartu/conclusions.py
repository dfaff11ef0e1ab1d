"""The slides' summary: four sentences, asked of the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from microveil.studies.cells import Cell, Experiment

LARGEST = 1000
LITTLE = 1.0
"""Per cent of 1,000 records that guessing may find, and a little more."""
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
    found = {
        (cell.where["variables"], cell.where["method"]): cell.ours
        for cell in cells["identity"]
        if cell.where["n"] == LARGEST
    }
    worst = {
        method: max(share for (_, one), share in found.items() if one == method)
        for method in {method for _, method in found}
    }
    alike = all(
        abs(value - bias[n, rho, "shuffling"]) <= CLOSE
        for (n, rho, method), value in bias.items()
        if method == "C&S" and n == LARGEST
    )
    safe = [method for method, share in worst.items() if share <= LITTLE]
    moved = {
        method: max(value for (n, _, one), value in bias.items() if (n, one) == (LARGEST, method))
        for method in safe
    }
    statements = {
        "C&S is as useful as shuffling (biases within .01 at n = 1,000)": alike,
        "C&S gives identities away (above 90 % by six columns)": worst["C&S"] > MUCH,
        "Swapping is safe when P = 100 % (at most 1 % re-identified)": "swap 100 %" in safe,
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
