"""`microveil study`: re-run a source document's experiments beside its published numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_grid, print_json, progress_bar

if TYPE_CHECKING:
    from microveil.studies.base import Study, StudyResult

Name = Annotated[
    str | None, typer.Argument(help="Which study; without it, list them.", show_default=False)
]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer repetitions.")]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", help="Folder for the tables (Markdown, JSON) and figures (SVG)."),
]


def study(
    name: Name = None, quick: Quick = False, out: OutFolder = None, as_json: AsJson = False
) -> None:
    """Re-run a source document's experiments beside its published numbers.

    Examples: microveil study · microveil study uoc · microveil study tartu --quick --out tartu
    """
    from microveil.studies import STUDIES, write_study

    if name is None:
        rows = [[each.name, each.title, each.document] for each in STUDIES]
        if as_json:
            print_json({"studies": [{"name": row[0], "title": row[1]} for row in rows]})
        else:
            print_grid(console(), "Studies", ["name", "what it re-runs", "document"], rows)
        return
    chosen = _ready(name)
    with progress_bar() as progress:
        result = chosen.run(quick=quick, progress=progress)
    written = write_study(result, out) if out is not None else []
    if as_json:
        print_json({**result.to_dict(), "written": [str(path) for path in written]})
        return
    _show(result, written)


def _ready(name: str) -> Study:
    """The study of that name; one of a use case gets what lies above the studies handed down."""
    from microveil.studies import find_study
    from microveil.studies.advise import Advise

    found = find_study(name)
    if isinstance(found, Advise):
        from microveil.app import advise

        found.search = advise
    return found


def _show(result: StudyResult, written: list[Path]) -> None:
    from microveil.studies.writing import columns, legend, reasons, table_rows

    out = console()
    out.print(f"{result.title}\n{result.document}\n", markup=False)
    for experiment in result.experiments:
        print_grid(out, experiment.title, columns(experiment), table_rows(experiment))
        for line in [experiment.note, *(f"≠ {reason}" for reason in reasons(experiment))]:
            if line:
                out.print(line, markup=False)
    out.print(f"\n{legend(result)} {result.seconds:.1f} s.", markup=False)
    for path in written:
        out.print(f"Written: {path}", markup=False)
