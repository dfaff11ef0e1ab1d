"""`microveil metadata`: codebook, DDI, Croissant and DCAT of a released file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json

if TYPE_CHECKING:
    from microveil.metadata import Study

RecipeFile = Annotated[
    Path, typer.Argument(metavar="RECIPE", help="Recipe that made the file.", show_default=False)
]
Released = Annotated[
    str, typer.Argument(metavar="RELEASED", help="The released file.", show_default=False)
]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        "-o",
        help="Folder for all formats, or a file: .html, .csv, .xml (DDI), .json (Croissant), "
        ".jsonld (DCAT).",
        show_default=False,
    ),
]
MetadataPlace = Annotated[
    Path | None,
    typer.Option(
        "--metadata",
        help="Write codebook, DDI, Croissant and DCAT: a folder, or a file by its suffix.",
    ),
]
StudyFile = Annotated[
    Path | None,
    typer.Option("--study", help="YAML file with title, creator, license … for the metadata."),
]


@options.takes_reading_options
def metadata(
    recipe: RecipeFile,
    released: Released,
    out: Out,
    study: StudyFile = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Describe a released file for archives: codebook, DDI-Codebook 2.6, Croissant 1.1, DCAT.

    Nothing in it helps an intruder: no parameter of a step, no value that few records have.

    Example: [bold]microveil metadata recipe.yaml released.csv --study study.yaml --out about[/bold]
    """
    from microveil.metadata import describe_file
    from microveil.recipes import Recipe

    given = {name: value for name, value in reading.items() if value is not None}
    told = describe_file(Recipe.read(recipe), released, read_study(study), **given)
    paths = [str(path) for path in told.write(out)]
    if as_json:
        print_json({"files": paths, "n_variables": sum(len(one.variables) for one in told.tables)})
    else:
        console().print("Written: " + ", ".join(paths), markup=False, soft_wrap=True)


def read_study(path: Path | None) -> Study | None:
    """The study of a file, if one is named."""
    if path is None:
        return None
    from microveil.metadata import Study

    return Study.read(path)


def metadata_terms(place: Path | None, study: Path | None) -> dict[str, Any]:
    """Where the metadata of a run go, and what they say beyond its columns."""
    return {"metadata": place, "study": read_study(study)}
