"""Figures of the columns that changed, for internal readers only."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from microveil.errors import InputError
from microveil.reports.figure import Figure

if TYPE_CHECKING:
    from microveil.release import Release

MOST = 6
"""Number of columns that are drawn: those that kept least."""


def column_figures(release: Release) -> list[Figure]:
    """Distributions, errors and correlations of the columns that changed, where they apply."""
    changed = changed_columns(release)
    if not changed or not release.table.height:
        return []
    figures = _distributions(release, changed[:MOST])
    moved = [name for name in _numeric(release) if name in set(changed)]
    if moved:
        figures += [_errors(release, moved), *_correlations(release)]
    return figures


def changed_columns(release: Release) -> list[str]:
    """Columns with changed values, those that kept least first."""
    cells = release.utility.get("cell_changes")
    kept = {} if cells is None else dict(cells.parts["kept"])
    # Removed rows take a share of every column with them, which is not a change of the column.
    whole = release.table.height / max(1, release.original.height)
    return sorted((name for name in kept if kept[name] < whole - 1e-9), key=kept.__getitem__)


def _distributions(release: Release, columns: list[str]) -> list[Figure]:
    from microveil.plots import marginals_chart, to_svg

    return [
        Figure(
            "columns",
            f"{name}: original (orange) and release (blue).",
            to_svg(marginals_chart(release, columns=[name]).properties(title=name)),
        )
        for name in columns
    ]


def _errors(release: Release, moved: list[str]) -> Figure:
    from microveil.plots import error_curves_chart, to_svg

    words = "How far numbers moved, from the least moved record to the most."
    return Figure("columns", words, to_svg(error_curves_chart(release, columns=moved)))


def _numeric(release: Release) -> tuple[str, ...]:
    from microveil.pairs.numbers import paired_numbers

    return paired_numbers(release.original, release.table, ()).columns


def _correlations(release: Release) -> list[Figure]:
    from microveil.plots import to_svg
    from microveil.plots.correlations import correlation_map_chart, correlation_maps

    with suppress(InputError):  # fewer than two columns of numbers
        maps = correlation_maps(release)
        return [
            Figure(
                "columns",
                f"{title}: pairwise correlations.",
                to_svg(correlation_map_chart(title, values, maps.columns)),
            )
            for title, values in maps.by_title
        ]
    return []
