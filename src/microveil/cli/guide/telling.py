"""What the guide says about a table's risk, in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.cli.output import console, print_grid
from microveil.cli.risk import show_risk
from microveil.display import percent

if TYPE_CHECKING:
    from microveil.cli.guide.language import Speaker
    from microveil.risk.assessment.assessment import Assessment

MOST_UNIQUES = 20
"""Unique rows shown; a table may have thousands."""


def tell_risk(
    say: Speaker, assessment: Assessment, title: str | None = None, n_uniques: int = MOST_UNIQUES
) -> None:
    """K, the worst five with their share, the unique rows: as the program of St Petersburg did.

    In English everything that ``microveil risk`` prints.
    """
    if say.language == "en":
        show_risk(assessment, title or "Disclosure risk", n_uniques=n_uniques)
        return
    out = console()
    least = assessment.acceptable_k
    rows = [
        (say("records"), f"{assessment.n_records:,}"),
        (say("classes"), f"{assessment.n_classes:,}"),
        ("K", say("k_found", k=assessment.k, acceptable=least)),
        (say("unique"), f"{assessment.n_unique:,}"),
        (
            say("below", acceptable=least),
            f"{assessment.n_below:,} ({percent(assessment.below_share)})",
        ),
    ]
    keys = ", ".join(assessment.quasi_identifiers)
    heading = say("risk_of", keys=keys)
    print_grid(out, f"{title}: {heading}" if title else heading, ("", ""), rows)
    columns = assessment.quasi_identifiers
    worst = [
        (one.size, percent(one.share), *map(_shown, one.values.values()))
        for one in assessment.worst
    ]
    if worst:
        print_grid(out, say("worst"), (say("class_size"), say("share"), *columns), worst)
    if assessment.k == 1:
        unique = assessment.unique_records.head(n_uniques)
        shown = [tuple(map(_shown, row)) for row in unique.rows()]
        print_grid(out, say("unique_rows"), unique.columns, shown)


def _shown(value: object) -> str:
    return "—" if value is None else str(value)
