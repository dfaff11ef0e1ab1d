"""`microveil schema`: the JSON Schema of recipe files, and the expected schema of data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json

Linked = Annotated[bool, typer.Option("--linked", help="Of recipes for linked tables.")]
Goals = Annotated[bool, typer.Option("--goals", help="Of goal files for `microveil advise`.")]
Tables = Annotated[bool, typer.Option("--tables", help="Of files for `microveil table`.")]
RecipeFile = Annotated[
    Path | None, typer.Option("--recipe", help="Read the data as this recipe says.")
]
Fewest = Annotated[
    int,
    typer.Option(
        "--fewest", min=1, help="Records that share a category or limit before it is written down."
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Target for the schema, YAML.")]

schema = typer.Typer(help="JSON Schema of recipe files; expected schema of data.")


@schema.callback(invoke_without_command=True)
def print_schema(
    context: typer.Context,
    tables: Tables = False,
    goals: Goals = False,
    linked: Linked = False,
) -> None:
    """Print the JSON Schema of recipe files, for editors; `infer` writes what data should be.

    Example: [bold]microveil schema > recipe.schema.json[/bold]
    """
    if context.invoked_subcommand is not None:
        return
    if goals:
        from microveil.app import goal_schema

        print_json(goal_schema())
        return
    if tables:
        from microveil.tabulation.plan import table_plan_schema

        print_json(table_plan_schema())
        return
    if linked:
        from microveil.linked.recipe import linked_recipe_schema

        print_json(linked_recipe_schema())
        return
    from microveil.recipes import recipe_schema

    print_json(recipe_schema())


@schema.command("infer")
@options.takes_reading_options
def infer(
    data: options.DataSource,
    recipe: RecipeFile = None,
    fewest: Fewest = 10,
    out: Out = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Write what data should look like, from data that do: columns, types, categories, ranges.

    Rare categories are not listed, and limits that few records have are rounded outwards. Correct
    the file, and name it in the recipe (`expect: schema.yaml`) or with --expect.

    Example: [bold]microveil schema infer may.csv --recipe recipe.yaml --out schema.yaml[/bold]
    """
    from microveil.files.columns.derived_columns import derived_names
    from microveil.files.columns.expected.inferring import infer_schema
    from microveil.recipes import Recipe

    plan = None if recipe is None else Recipe.read(recipe)
    new = [] if plan is None else derived_names(plan.reading.columns)
    found = infer_schema(options.read_data(data, reading, plan).drop(new), fewest=fewest)
    if out is not None:
        found.write(out)
    if as_json:
        print_json(found.to_dict())
    elif out is None:
        typer.echo(found.to_yaml(), nl=False)
    else:
        n_listed = sum(one.categories is not None for one in found.columns.values())
        told = f"Written: {out}, {len(found.columns)} columns, categories of {n_listed}."
        console().print(told, markup=False, soft_wrap=True)
