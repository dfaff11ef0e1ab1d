"""`microveil protect`: a first release of a file in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from microveil.cli import options
from microveil.cli.output import console, print_cautions, print_json, progress_bar

if TYPE_CHECKING:
    from microveil.app.suggesting import Audience


@options.takes_reading_options
def protect(
    data: options.DataSource,
    out: Annotated[str, typer.Option("--out", "-o", help="Target for the protected file.")],
    k: Annotated[int | None, typer.Option("-k", "--k", min=2, help="Smallest class size.")] = None,
    audience: Annotated[
        str | None,
        typer.Option(
            "--audience",
            help="Who will read the data, if k is not given: public (k = 11), research (5) or "
            "internal (3); by default k follows from the number of people.",
        ),
    ] = None,
    quasi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    recipe: Annotated[
        str | None, typer.Option("--recipe", help="Write the recipe here, to review and change.")
    ] = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Inspect a file, suggest steps, apply them, and write the result if it holds.

    Examples: microveil protect patients.csv -k 5 --out released.csv
    · microveil protect patients.csv --audience public --out released.csv
    """
    from microveil.app import protect as protect_frame
    from microveil.files.columns.column_reading import Reading

    frame, labels = options.read_labelled_data(data, reading)
    roles = options.roles_of(quasi, sensitive) if quasi else None
    with progress_bar() as progress:
        release = protect_frame(
            frame,
            roles,
            k=k,
            audience=cast("Audience | None", audience),
            labels=labels,
            progress=progress,
        )
    written = release.write(out)
    if recipe is not None:
        said = Reading.of_options(reading).with_columns(release.recipe.reading.columns)
        release.recipe.model_copy(update={"reading": said}).write(recipe)
    checks = [check.to_dict() for check in release.checks]
    cautions = (*release.cautions, *release.attacks)
    if as_json:
        told = {
            "warnings": [*map(str, cautions), *release.warnings],
            "cautions": [one.to_dict() for one in cautions],
        }
        notes = list(release.notes)
        print_json({"checks": checks, "notes": notes, **told, "written": written.to_dict()})
        return
    for note in release.notes:
        console().print(note, markup=False)
    for check in release.checks:
        console().print(check.sentence(), style="green" if check.holds else "red", markup=False)
    noted = set(release.notes)
    print_cautions(console(), [one for one in cautions if one.sentence not in noted])
    console().print(f"Written: {out}", markup=False)
