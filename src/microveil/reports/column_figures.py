"""Figures of the columns that changed, for internal readers only."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from microveil.errors import InputError
from microveil.reports.contents.quantities import quantities_of
from microveil.reports.figure import Figure
from microveil.reports.words.speaking import current_language
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.release import Release

MOST = 6
"""Number of columns that are drawn: those that kept least."""


def column_figures(release: Release) -> list[Figure]:
    """Distributions, errors and correlations of the columns that changed, where they apply."""
    changed = changed_columns(release)
    if not changed or not release.table.height:
        return []
    ids = {*release.original.roles.identifiers, release.original.roles.household}
    ids |= {release.original.roles.entity}
    drawn = [name for name in changed if name not in ids]  # an id has no distribution to keep
    figures = _distributions(release, drawn[:MOST])
    quantities = quantities_of(release).columns
    moved = [name for name in quantities if name in set(changed)]
    if moved:
        figures += [_errors(release, moved), *_correlations(release, quantities)]
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
            Message(
                "report.original_orange_release_blue",
                "{name}: original (orange) and release (blue).",
                name=name,
            ),
            to_svg(
                marginals_chart(release, columns=[name]).properties(title=name), current_language()
            ),
        )
        for name in columns
    ]


def _errors(release: Release, moved: list[str]) -> Figure:
    from microveil.plots import error_curves_chart, to_svg

    words = Message(
        "report.how_far_numbers_moved",
        "How far numbers moved, from the least moved record to the most.",
    )
    return Figure(
        "columns", words, to_svg(error_curves_chart(release, columns=moved), current_language())
    )


def _correlations(release: Release, columns: tuple[str, ...]) -> list[Figure]:
    from microveil.plots import to_svg
    from microveil.plots.correlations import correlation_map_chart, correlation_maps

    with suppress(InputError):  # fewer than two columns of numbers
        maps = correlation_maps(release, columns=columns)
        return [
            Figure(
                "columns",
                Message(
                    "report.pairwise_correlations", "{title}: pairwise correlations.", title=title
                ),
                to_svg(correlation_map_chart(title, values, maps.columns), current_language()),
            )
            for title, values in maps.by_title
        ]
    return []
