"""Why cells of the slides differ from ours, as far as their numbers alone can tell."""

from __future__ import annotations

from microveil.studies.cells import Cell

SMALLEST = 30
VARIANCES = (
    "The slides' row of SE at n = 1,000 and ρ = .40 prints variances: the squares of its "
    "neighbours' size, and of ours."
)
NARROWER = (
    "The slides' swaps of experiment 2 cannot be those of experiment 1: within 10 % (50 %) of "
    "1,000 ranks two columns leave some 40 (560) candidates for a record, of which no attack on "
    "single records picks the right one in 37 % (1.3 %) of cases. Swaps within about a fifth (a "
    "quarter) of the range would give such shares."
)
SMALL = (
    "With 30 records it matters what the matching knows about the masking, which the slides do not "
    "say: depending on whether its parameters are known or learnt from the records, shares vary by "
    "several per cent."
)
MATCHING = (
    "The slides do not say what the matching knew about the masking, which changes these shares "
    "slightly; the differences are small, and exceed chance only because 1,000 replications leave "
    "so little of it."
)
NEAR_ZERO = 1e-3
"""Shares of variability that the slides print as zero or nearly so."""
SHARED = (
    "Of a hundred cells near zero, a few differ by more than three standard errors; the slides do "
    "not say which rows share random draws, so no reason can be given."
)
CHANCE = (
    "More than three standard errors apart, which may happen by chance to one of a few hundred "
    "cells; no other reason is known."
)


def why(cell: Cell) -> str:
    """The reason that fits a cell's place."""
    if cell.quantity == "SE" and (cell.where["n"], cell.where["ρ"]) == (1000, "0.40"):
        return VARIANCES
    limited = str(cell.where["method"]) in ("swap 10 %", "swap 50 %")
    if "variables" not in cell.where:
        return SHARED if cell.quantity.startswith("of ") and cell.ours < NEAR_ZERO else CHANCE
    return NARROWER if limited else SMALL if cell.where["n"] == SMALLEST else MATCHING
