"""`microveil schema`: the JSON Schema of recipe files."""

from __future__ import annotations

from typing import Annotated

import typer

from microveil.cli.output import print_json

Tables = Annotated[bool, typer.Option("--tables", help="Of files for `microveil table`.")]


def schema(tables: Tables = False) -> None:
    """Print the JSON Schema of recipe files, for editors and forms.

    Example: [bold]microveil schema > recipe.schema.json[/bold]
    """
    if tables:
        from microveil.tabulation.plan import table_plan_schema

        print_json(table_plan_schema())
        return
    from microveil.recipes import recipe_schema

    print_json(recipe_schema())
