"""`microveil schema`: the JSON Schema of recipe files."""

from __future__ import annotations

from typing import Annotated

import typer

from microveil.cli.output import print_json

Goals = Annotated[bool, typer.Option("--goals", help="Of goal files for `microveil advise`.")]
Tables = Annotated[bool, typer.Option("--tables", help="Of files for `microveil table`.")]


def schema(tables: Tables = False, goals: Goals = False) -> None:
    """Print the JSON Schema of recipe files, for editors and forms.

    Example: [bold]microveil schema > recipe.schema.json[/bold]
    """
    if goals:
        from microveil.app import goal_schema

        print_json(goal_schema())
        return
    if tables:
        from microveil.tabulation.plan import table_plan_schema

        print_json(table_plan_schema())
        return
    from microveil.recipes import recipe_schema

    print_json(recipe_schema())
