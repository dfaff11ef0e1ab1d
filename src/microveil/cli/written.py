"""What a run wrote, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape

from microveil.cli.output import console, print_json, print_step

if TYPE_CHECKING:
    from microveil.app.file_runs.result import FileRun


def show_written(result: FileRun) -> None:
    """Print what was written where: records, then tables."""
    out = console()
    for report in result.written:
        order = "in random order" if report.shuffled else "in their original order"
        n_cells = sum(report.n_neutralized.values())
        formulas = f", {n_cells} cells neutralised against formulas" if n_cells else ""
        path = escape(report.path)
        out.print(f"Written: {path}, {report.n_rows:,} rows {order}{formulas}")
        for sentence in report.remarks():
            out.print(f"[yellow]![/yellow] {escape(sentence)}")
    for file in result.tables_written:
        out.print(f"Written: {escape(str(file))}, tables")


def show_spark(result: dict[str, Any], *, as_json: bool) -> None:
    """Print what a run on Spark did."""
    if as_json:
        print_json(result)
        return
    out = console()
    for check in result["checks"]:
        mark = "[green]✔[/green]" if check["holds"] else "[red]✘[/red]"
        out.print(f"{mark} {escape(str(check['model']))}: reached {check['achieved']}")
    for caution in result["cautions"]:
        out.print(f"[yellow]![/yellow] {escape(caution['sentence'])}")
        print_step(out, caution.get("details", {}))
    if (told := result.get("registry")) is not None:
        out.print(f"Registered as {told['id']}. {told['sentence']}", markup=False)
    for written in result["written"]:
        out.print(f"Written: {escape(written['path'])}, {written['n_rows']:,} rows")
    out.print(f"{result['seconds']:.2f} s", style="dim")
