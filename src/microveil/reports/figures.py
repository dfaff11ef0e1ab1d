"""The figures of a report as SVG text; none without the plots extra."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from microveil.reports.column_figures import column_figures
from microveil.reports.figure import Figure
from microveil.reports.risks import assessments_of
from microveil.scores import Score

if TYPE_CHECKING:
    from microveil.release import Release
    from microveil.reports.summary import Summary

NO_FIGURES = "Figures are left out: they need the `plots` extra, pip install 'microveil[plots]'."


def can_draw() -> bool:
    """Whether the plots extra is installed."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def figures_of(release: Release, summary: Summary) -> tuple[Figure, ...]:
    """The figures this audience may see, drawn from the summary's own numbers where it has them."""
    if summary.audience == "public":
        return tuple(_utility_figures(summary))
    return (
        *_risk_figures(release, summary),
        *_utility_figures(summary),
        *column_figures(release),
    )


def _risk_figures(release: Release, summary: Summary) -> list[Figure]:
    from microveil.plots import class_sizes_chart, risk_before_after_chart, to_svg

    before, after = next(iter(assessments_of(release).values()), (None, None))
    doubt = "" if summary.class_sizes_valid else " Not valid evidence after changed values."
    figures = []
    if before is not None and after is not None:
        svg = to_svg(risk_before_after_chart(before, after))
        figures.append(
            Figure("risk", f"Risk of the original (ring) and of the release (dot).{doubt}", svg)
        )
    for which, one in (("Original", before), ("Release", after)):
        if one is not None and one.n_records:
            svg = to_svg(class_sizes_chart(one, title=f"{which}: class sizes"))
            words = f"{which}: records by the number of records that share their keys."
            figures.append(Figure("risk", words + (doubt if which == "Release" else ""), svg))
    return figures


def _utility_figures(summary: Summary) -> list[Figure]:
    from microveil.plots import kept_cells_chart, to_svg

    if summary.utility is None or not summary.utility.kept:
        return []
    told = Score("cell_changes", 0.0, parts={"kept": dict(summary.utility.kept)})
    words = "Share of each column's cells that are as they were."
    return [Figure("utility", words, to_svg(kept_cells_chart(told)))]
