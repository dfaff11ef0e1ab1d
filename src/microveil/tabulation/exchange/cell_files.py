"""Tables as τ-Argus reads them (``.tab`` with ``.rda``): true values, for the office only."""

from __future__ import annotations

from pathlib import Path

from microveil.files import write_text
from microveil.files.placing import Placing
from microveil.tabulation.cell_table import CellTable
from microveil.tabulation.tables import ProtectedFamily, ProtectedTables

N_TOP = 3
"""Largest contributions that a line holds."""


def write_argus_tables(made: ProtectedTables, folder: str | Path) -> list[Path]:
    """Write each table with its metadata; statuses S, U and M as the protection found them."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    with Placing() as placing:
        for number, (family, table) in enumerate(made.published_tables(), 1):
            stem = folder / f"table_{number}"
            write_text(_lines(family, table), stem.with_suffix(".tab"), placing)
            write_text(_metadata(table), stem.with_suffix(".rda"), placing)
            written += [stem.with_suffix(".tab"), stem.with_suffix(".rda")]
    return written


def _lines(family: ProtectedFamily, table: CellTable) -> str:
    cells, marks = family.cells, {"safe": "S", "unsafe": "U", "secondary": "M"}
    statuses = family.status().to_list()
    lines = []
    for row, cell in enumerate(table.cells.tolist()):
        codes = table.codes_at(row).split(" × ")
        top = [f"{one:.10g}" for one in cells.largest[cell, :N_TOP]]
        numbers = [f"{cells.values[cell]:.10g}", str(int(cells.n[cell])), *top]
        lines.append(";".join([*codes, *numbers, marks[statuses[cell]]]))
    return "\n".join(lines) + "\n"


def _metadata(table: CellTable) -> str:
    lines = ['<SEPARATOR> ";"', '<SAFE> "S"', '<UNSAFE> "U"', '<PROTECT> "P"']
    for dimension in table.dimensions:
        width = max(map(len, dimension.codes))
        lines += [f"{dimension.name} {width}", "  <RECODEABLE>", '  <TOTCODE> "Total"']
    lines += ["value 20", "  <NUMERIC>", "  <DECIMALS> 4", "freq 10", "  <FREQUENCY>"]
    for place in range(1, N_TOP + 1):
        lines += [f"top{place} 20", "  <MAXSCORE>"]
    return "\n".join([*lines, "status 1", "  <STATUS>"]) + "\n"
