"""`microveil` without arguments on a terminal: ask what to do, and guide through it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from microveil.cli import options
from microveil.cli.output import console, print_grid
from microveil.cli.risk import show_risk
from microveil.errors import InputError, MicroveilError, did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from microveil.methods import Method
    from microveil.recipes import Recipe
    from microveil.release import Release
    from microveil.tables import Roles

CHOICES = {
    "1": "Measure the disclosure risk of a file (k-anonymity)",
    "2": "Protect a file",
    "3": "Inspect a file and suggest roles",
    "4": "See the demo",
    "q": "Leave",
}


def guide() -> None:
    """Ask what to do, do it, and show the equivalent command."""
    out = console()
    out.print("[bold]Microveil[/bold]: publish microdata without publishing people.\n")
    for key, text in CHOICES.items():
        out.print(f"  [bold]{key}[/bold]  {text}")
    choice = _choose("What would you like to do?", list(CHOICES))
    if choice == "1":
        _measure()
    elif choice == "2":
        _protect()
    elif choice == "3":
        _look()
    elif choice == "4":
        from microveil.cli.demo import demo

        demo()


def _measure() -> None:
    source, frame = _ask_data()
    keys = _ask_columns("Which columns may an intruder know (quasi-identifiers)?", frame.columns)
    from microveil.app import assess

    show_risk(assess(frame, options.roles_of(list(keys))))
    _same_as(f"microveil risk {source} -q {','.join(keys)}")


def _look() -> None:
    from microveil import app
    from microveil.cli.inspect import show_inspection

    source, frame = _ask_data()
    show_inspection(app.inspect(frame))
    _same_as(f"microveil inspect {source}")


def _protect() -> None:
    from microveil import app

    source, frame = _ask_data()
    recipe = _ask_recipe(frame)
    while True:
        release = app.run(recipe, frame)
        _show_before_after(release)
        k = _largest_k(recipe)
        if (
            release.holds
            or k is None
            or not typer.confirm("Add coarsening and suppression until it holds?", default=True)
        ):
            break
        recipe = app.suggest(frame, recipe.roles, k=k)
    if not release.holds:
        console().print("[red]A requirement is not met: nothing is written.[/red]")
        return
    target, saved = _write(release)
    _same_as(f"microveil run {saved} {source} --out {target}")


def _write(release: Release) -> tuple[Path, Path]:
    """Write the data and the recipe beside them; ask again until the target is valid."""
    while True:
        target = Path(typer.prompt("Where should the protected file go?", default="released.csv"))
        saved = target.with_suffix(".recipe.yaml")
        try:
            release.write(target)
            release.recipe.write(saved)
        except InputError as error:
            console().print(str(error), style="red", markup=False)
            continue
        console().print(f"Written: {target}, and its recipe: {saved}", markup=False)
        return target, saved


def _ask_recipe(frame: pl.DataFrame) -> Recipe:
    """A recipe file, or one built step by step."""
    from microveil import app
    from microveil.recipes import Recipe

    path = typer.prompt("Recipe file (empty: build one now)", default="", show_default=False)
    if path:
        return Recipe.read(path)
    looked = app.inspect(frame)
    rows = [
        (i, c.name, c.role or "—", "; ".join(c.reasons)) for i, c in enumerate(looked.columns, 1)
    ]
    print_grid(console(), "Suggested roles", ("", "column", "role", "why"), rows)
    roles = looked.roles
    if not typer.confirm("Use these roles?", default=True):
        roles = _ask_roles(frame.columns)
    undecided = [name for name in frame.columns if name not in roles.named]
    if undecided and typer.confirm(
        f"Release {', '.join(undecided)} unchanged? (no: they are dropped)", default=False
    ):
        roles = roles.model_copy(update={"insensitive": (*roles.insensitive, *undecided)})
        undecided = []
    from microveil.risk import acceptable_k

    k = typer.prompt("Smallest class size k", default=acceptable_k(frame.height), type=int)
    recipe = app.suggest(frame, roles, k=max(k, 2), inspection=looked)
    kept = [step for step in recipe.steps if _wanted(step)]
    if undecided:
        from microveil.methods import Drop

        kept.insert(0, Drop(columns=tuple(undecided)))
    return recipe.model_copy(update={"steps": tuple(kept)})


def _wanted(step: Method) -> bool:
    parameters = {name: value for name, value in step.to_dict().items() if name != "method"}
    return typer.confirm(f"Step {step.kind()} {parameters}?", default=True)


def _ask_roles(columns: list[str]) -> Roles:
    from microveil.tables import Roles

    return Roles.parse(
        {
            "identifiers": _ask_columns("Identifiers?", columns, needed=False),
            "quasi_identifiers": _ask_columns("Quasi-identifiers?", columns),
            "sensitive": _ask_columns("Sensitive columns?", columns, needed=False),
        }
    )


def _show_before_after(release: Release) -> None:
    show_risk(release.risk_before, "Before", n_uniques=5)
    show_risk(release.risk, "After")
    out = console()
    lost = release.utility["cell_changes"]
    out.print(f"Cells changed, suppressed or left out: {100 * lost.value:.1f} %")
    for check in release.checks:
        out.print(check.sentence(), style="green" if check.holds else "red")


def _largest_k(recipe: Recipe) -> int | None:
    """The k that suppression can reach with certainty; None if there are other requirements."""
    from microveil.privacy import KAnonymity

    asked = [model.k for model in recipe.require if isinstance(model, KAnonymity)]
    return max(asked) if len(asked) == len(recipe.require) else None


def _ask_data() -> tuple[str, pl.DataFrame]:
    """A file that can be read; ask again until there is one."""
    while True:
        source = typer.prompt("Which file?")
        try:
            frame = options.read_data(source)
        except MicroveilError as error:
            console().print(str(error), style="red", markup=False)
            continue
        console().print(f"{frame.height:,} records, {frame.width} columns")
        return source, frame


def _ask_columns(question: str, columns: list[str], *, needed: bool = True) -> tuple[str, ...]:
    """Columns by number or name, comma-separated."""
    out = console()
    for number, name in enumerate(columns, 1):
        out.print(f"  {number:>3}  {name}", markup=False)
    while True:
        default = None if needed else ""
        text = typer.prompt(f"{question} Numbers or names", default=default, show_default=False)
        try:
            return tuple(dict.fromkeys(_column(part, columns) for part in options.names([text])))
        except InputError as error:
            out.print(str(error), style="red", markup=False)


def _column(text: str, columns: list[str]) -> str:
    if text in columns:
        return text
    if text.isdigit() and 1 <= int(text) <= len(columns):
        return columns[int(text) - 1]
    raise InputError(f"No column '{text}'.{did_you_mean(text, columns)}")


def _choose(question: str, keys: list[str]) -> str:
    while True:
        answer: str = typer.prompt(question).strip().lower()
        if answer in keys:
            return answer
        console().print(f"Please answer {', '.join(keys)}.")


def _same_as(command: str) -> None:
    console().print(f"\nNext time, the same without questions: [bold]{command}[/bold]")
