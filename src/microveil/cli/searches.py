"""How searches are printed: what was chosen, and pages of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microveil.cli.output import print_grid

if TYPE_CHECKING:
    from rich.console import Console

    from microveil.release.release import StepFacts
    from microveil.search.lattice.result import Node, SearchResult

MOST_KEYS = 5
"""Keys that have a column of their own."""


def search_lines(steps: Sequence[StepFacts]) -> Iterator[str]:
    """What each searching step of a run chose, in words.

    >>> from microveil.release.release import StepFacts
    >>> facts = {"levels": {"age": 1}, "level_titles": {"age": "width 10"}, "loss": 0.25,
    ...          "proved": True, "n_checked": 4, "n_nodes": 8, "node": 1, "n_suppressed": 1}
    >>> for line in search_lines([StepFacts("incognito", facts)]):
    ...     print(line)
    incognito chose age 1 (width 10)
      loss 0.25: no other solution costs less; 1 record removed; 4 of 8 nodes looked at
    """
    for step in steps:
        levels = step.facts.get("levels")
        if not levels:
            continue
        rank = step.facts.get("node", 1)
        which = "" if rank == 1 else f"node {rank}: "
        named = _name_levels(levels, step.facts.get("level_titles", {}))
        yield f"{step.method} chose {which}{named}"
        if details := "; ".join(_details(step.facts)):
            yield f"  {details}"


def _name_levels(levels: Mapping[str, int], titles: Mapping[str, str]) -> str:
    return ", ".join(
        f"{name} {level} ({titles[name]})" if name in titles else f"{name} {level}"
        for name, level in levels.items()
    )


def _details(facts: Mapping[str, Any]) -> Iterator[str]:
    if facts.get("loss") is not None:
        yield f"loss {facts['loss']:.4g}: {_how_sure(facts)}"
    removed = facts.get("n_suppressed", 0)
    yield f"{removed:,} record{'' if removed == 1 else 's'} removed"
    if facts.get("n_nodes", 1) > 1:
        yield f"{facts['n_checked']:,} of {facts['n_nodes']:,} nodes looked at"
    if facts.get("interrupted"):
        yield "interrupted"


def _how_sure(facts: Mapping[str, Any]) -> str:
    """Whether a solution is the best; where all levels were given, none was compared."""
    if facts.get("n_nodes") == 1:
        return "its levels were given"
    if facts.get("node", 1) != 1:
        return "chosen by its rank"
    return "no other solution costs less" if facts["proved"] else "not proved to be the best"


def print_nodes(
    out: Console, title: str, found: SearchResult, nodes: Sequence[Node], first: int | None
) -> None:
    """A page of nodes: rank, loss, records removed, whether the goal is reached, and the levels."""
    rows = [
        (
            "–" if first is None else str(first + position),
            "–" if node.loss is None else f"{node.loss:.4g}",
            "–" if node.n_suppressed is None else f"{node.n_suppressed:,}",
            _holds(node),
            *_levels(found, node),
        )
        for position, node in enumerate(nodes)
    ]
    keys = found.columns if len(found.columns) <= MOST_KEYS else ("levels",)
    print_grid(out, title, ("node", "loss", "removed", "holds", *keys), rows)
    if len(found.columns) > MOST_KEYS:
        out.print(f"Levels in the order of {', '.join(found.columns)}.", markup=False)


def _levels(found: SearchResult, node: Node) -> list[str]:
    """A cell for each key; of many keys, one for all of them."""
    if len(node.levels) > MOST_KEYS:
        return [",".join(map(str, node.levels.values()))]
    titles = found.titles(node.levels)
    return [f"{level} {titles[name]}" for name, level in node.levels.items()]


def _holds(node: Node) -> str:
    return {True: "yes", False: "no", None: "not looked at"}[node.solution]
