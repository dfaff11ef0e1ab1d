"""Contributions whose largest are known."""

from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.tabulation.rules import PrimaryRule

CONTRIBUTIONS = {
    "one": [100.0],
    "two": [90.0, 10.0],
    "three": [80.0, 20.0],
    "four": [70.0, 30.0],
    "five": [80.0, 10.0, 10.0],
    "six": [70.0, 10.0, 10.0, 10.0],
    "seven": [60.0, 20.0, 10.0, 10.0],
}
"""Seven cells whose largest contribution has weight 2, but in the first (GaussSuppression's test of
the dominance rule)."""


def unsafe(rule: PrimaryRule, *, weighted: bool = True) -> list[str]:
    rows = [
        (cell, value, 2.0 if place == 0 and cell != "one" else 1.0)
        for cell, values in CONTRIBUTIONS.items()
        for place, value in enumerate(values)
    ]
    frame = pl.DataFrame(rows, schema=["cell", "value", "weight"], orient="row")
    table = mv.Tabulation(by=["cell"], value="value", weight="weight" if weighted else None)
    made = mv.tabulate(frame, table, rules=[rule])
    cells = made.families[0].cells
    return [cells.codes_of(int(at)) for at in made.families[0].judged.unsafe.nonzero()[0]]
