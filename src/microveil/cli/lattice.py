"""`microveil lattice`: walks the generalisations that a recipe's search may choose from."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from microveil.cli import options
from microveil.cli.output import console, print_json, progress_bar
from microveil.cli.searches import print_nodes

if TYPE_CHECKING:
    from microveil.search.lattice.result import Node, SearchResult

RecipeFile = Annotated[
    Path, typer.Argument(metavar="RECIPE", help="YAML or JSON recipe.", show_default=False)
]
Page = Annotated[int, typer.Option("--page", min=1, help="Which page of nodes.")]
Size = Annotated[int, typer.Option("--size", min=1, help="Nodes on a page.")]
Around = Annotated[
    str | None,
    typer.Option("--around", help="Show a node (3, or age=1,sex=0) and its neighbours instead."),
]
Every = Annotated[
    bool, typer.Option("--all", help="All nodes in the order of their levels, solutions or not.")
]


@options.takes_reading_options
def lattice(
    recipe: RecipeFile,
    data: options.DataSource,
    page: Page = 1,
    size: Size = 20,
    around: Around = None,
    every: Every = False,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """List the generalisations a recipe's search may choose from, best first; release nothing.

    [bold]microveil run … --node 3[/bold] then releases the third.

    Example: [bold]microveil lattice recipe.yaml patients.csv --page 2[/bold]
    """
    from microveil import app
    from microveil.recipes import Recipe

    with progress_bar() as progress:
        plan = Recipe.read(recipe)
        frame = options.read_data(data, reading, plan)
        found = app.lattice(plan, frame, progress=progress)
        nodes, first = _choose_nodes(found, page, size, around, every=every)
    if as_json:
        named = [{**node._asdict(), "titles": found.titles(node.levels)} for node in nodes]
        print_json({**found.to_dict(), "page": page, "nodes": named})
        return
    out = console()
    out.print(escape(repr(found)))
    out.print()
    what = f"Around {around}" if around else "All nodes" if every else "Solutions, best first"
    where = "" if around else f", page {page}"
    print_nodes(out, f"{what}{where}", found, nodes, first)


def _choose_nodes(
    found: SearchResult, page: int, size: int, around: str | None, *, every: bool
) -> tuple[tuple[Node, ...], int | None]:
    """The nodes to show, and the rank of the first where they go by rank."""
    if around is not None:
        return (found.node(around), *found.around(around)), None
    start = (page - 1) * size
    if every:
        return tuple(islice(found.nodes(), start, start + size)), None
    return found.first(start + size)[start:], start + 1
