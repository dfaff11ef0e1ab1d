"""`microveil gate`: a check for pipelines, against the last accepted release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json
from microveil.errors import RequirementNotMetError

RecipeFile = Annotated[
    Path, typer.Argument(metavar="RECIPE", help="YAML or JSON recipe.", show_default=False)
]
Baseline = Annotated[
    str,
    typer.Option("--baseline", help="last (of the registry), or a file that --accept wrote."),
]
Accept = Annotated[
    Path | None, typer.Option("--accept", help="Write the new baseline here if it passes.")
]
RiskMargin = Annotated[float, typer.Option("--risk-margin", min=0, help="How far risks may rise.")]
UtilityMargin = Annotated[
    float, typer.Option("--utility-margin", min=0, help="How far losses of utility may rise.")
]
NewCategories = Annotated[
    int, typer.Option("--new-categories", min=0, help="New categories that a column may have.")
]
RareMargin = Annotated[
    float, typer.Option("--rare-margin", min=0, help="How far the share of rare records may rise.")
]


@options.takes_reading_options
def gate(
    recipe: RecipeFile,
    data: options.DataSource,
    baseline: Baseline,
    accept: Accept = None,
    expect: options.Expect = None,
    risk_margin: RiskMargin = 0.0,
    utility_margin: UtilityMargin = 0.05,
    new_categories: NewCategories = 0,
    rare_margin: RareMargin = 0.05,
    registry: options.RegistryPlace = None,
    registry_key: options.RegistryKey = None,
    person: options.Person = None,
    source: options.SourceName = None,
    seed: options.Seed = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Check new data before they are released: exit code 3 if a risk rose or the data drifted.

    Nothing is written but the new baseline (--accept). Findings name columns and counts, no values.

    Example: [bold]microveil gate recipe.yaml june.csv --baseline may.json --accept june.json[/bold]
    """
    from microveil.app.file_runs.gating import gate as pass_gate
    from microveil.recipes import Recipe
    from microveil.registry.gating import Margins

    terms = None
    if registry is not None:
        terms = options.registry_terms(registry, registry_key, person, source, None)
    found = pass_gate(
        options.expecting(Recipe.read(recipe), expect),
        data,
        baseline=baseline,
        registry=terms,
        key_file=registry_key,
        margins=Margins(risk_margin, utility_margin, new_categories, rare_margin),
        accept=accept,
        seed=seed,
        options=reading,
    )
    if as_json:
        print_json(found.to_dict())
    if not found.holds:
        raise RequirementNotMetError(" ".join(found.sentences()))
    if not as_json:
        console().print(f"It may pass, compared with {found.baseline}.", markup=False)
