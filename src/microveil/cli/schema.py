"""`microveil schema`: the JSON Schema of recipe files."""

from __future__ import annotations

from microveil.cli.output import print_json


def schema() -> None:
    """Print the JSON Schema of recipe files, for editors and forms.

    Example: [bold]microveil schema > recipe.schema.json[/bold]
    """
    from microveil.recipes import recipe_schema

    print_json(recipe_schema())
