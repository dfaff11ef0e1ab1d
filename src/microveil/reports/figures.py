"""The figures of a report as SVG text; none without the plots extra."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from microveil.reports.column_figures import column_figures
from microveil.reports.figure import Figure
from microveil.reports.risks import assessments_of
from microveil.reports.words.speaking import current_language
from microveil.scores import Score
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.release import Release
    from microveil.reports.summary import Summary

NO_FIGURES = Message(
    "report.figures_left_out_they",
    "Figures are left out: they need the `plots` extra, pip install 'microveil[plots]'.",
)


NOT_VALID = Message(
    "report.valid_evidence_after_changed", " Not valid evidence after changed values."
)
ORIGINAL, RELEASE = Message("report.original", "Original"), Message("report.release", "Release")


def can_draw() -> bool:
    """Whether the plots extra is installed."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def figures_of(release: Release, summary: Summary) -> tuple[Figure, ...]:
    """The figures this audience may see, drawn from the summary's own numbers if possible."""
    if summary.audience == "public":
        return (*_utility_figures(summary), *_trust_figures(release, private_only=True))
    return (
        *_risk_figures(release, summary),
        *_utility_figures(summary),
        *_trust_figures(release, private_only=False),
        *column_figures(release),
    )


def _risk_figures(release: Release, summary: Summary) -> list[Figure]:
    from microveil.plots import class_sizes_chart, risk_before_after_chart, to_svg

    before, after = next(iter(assessments_of(release).values()), (None, None))
    doubt = "" if summary.class_sizes_valid else NOT_VALID
    figures = []
    if before is not None and after is not None:
        svg = to_svg(risk_before_after_chart(before, after), current_language())
        words = Message(
            "report.ring_and_dot",
            "Risk of the original (ring) and of the release (dot).{doubt}",
            doubt=doubt,
        )
        figures.append(Figure("risk", words, svg))
    for which, one in ((ORIGINAL, before), (RELEASE, after)):
        if one is not None and one.n_records:
            title = Message("report.class_sizes", "{which}: class sizes", which=which)
            words = Message(
                "report.class_sizes_words",
                "{which}: records by the number of records that share their keys.{doubt}",
                which=which,
                doubt=doubt if which is RELEASE else "",
            )
            svg = to_svg(class_sizes_chart(one, title=title), current_language())
            figures.append(Figure("risk", words, svg))
    return figures


def _utility_figures(summary: Summary) -> list[Figure]:
    from microveil.plots import kept_cells_chart, to_svg

    if summary.utility is None or not summary.utility.kept:
        return []
    told = Score("cell_changes", 0.0, parts={"kept": dict(summary.utility.kept)})
    words = Message(
        "report.share_each_column_cells", "Share of each column's cells that are unchanged."
    )
    return [Figure("utility", words, to_svg(kept_cells_chart(told), current_language()))]


def _trust_figures(release: Release, *, private_only: bool) -> list[Figure]:
    """The trust map of a synthetic release; the public sees one covered by differential privacy."""
    from microveil.plots import to_svg
    from microveil.plots.trust_map import trust_map_chart, trust_map_of

    if not any(step.facts.get("trust_map") for step in release.facts):
        return []
    trust = trust_map_of(release)
    if private_only and not trust.private:
        return []
    words = Message(
        "report.which_relations_between_columns",
        "Which relations between columns were modelled, are implied, or were lost.",
    )
    return [Figure("utility", words, to_svg(trust_map_chart(trust), current_language()))]
