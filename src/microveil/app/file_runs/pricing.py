"""Estimate the cost of a run in parts without running it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microveil.files.formats import source_format
from microveil.files.reading import scanning_source
from microveil.planning import CostEstimate, FileEngine, estimate_cost
from microveil.planning.memory import memory_limit as memory_limit_of
from microveil.recipes import Recipe


def price_file(
    recipe: Recipe,
    source: str | Path,
    out: str | Path = ".",
    *,
    memory_limit: str | int | None = None,
    options: Mapping[str, Any] | None = None,
) -> CostEstimate:
    """Estimated passes, memory, disk and time of a run in parts, and whether it fits.

    ``out`` is the target, whose disk must have enough space.
    """
    reading = {name: value for name, value in (options or {}).items() if value is not None}
    if recipe.reading:
        reading["reading"] = recipe.reading
    limit = memory_limit_of(memory_limit)
    with scanning_source(source, source_format(source)):
        return estimate_cost(recipe, FileEngine(source, recipe.roles, reading, 0, limit), out)
