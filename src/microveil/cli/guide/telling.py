"""What the guide says about a table's risk, in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.cli.inspect import show_inspection
from microveil.cli.output import console, print_grid
from microveil.cli.risk import show_risk
from microveil.texts import join
from microveil.texts.naming import label, method_name

if TYPE_CHECKING:
    from microveil.app import Inspection
    from microveil.app.inspection.result import Role
    from microveil.cli.guide.language import Speaker
    from microveil.methods import Method
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
        (say("records"), say.number(assessment.n_records)),
        (say("classes"), say.number(assessment.n_classes)),
        ("K", say("k_found", k=assessment.k, acceptable=least)),
        (say("unique"), say.number(assessment.n_unique)),
        (
            say("below", acceptable=least),
            f"{say.number(assessment.n_below)} ({say.number(assessment.below_share, '%')})",
        ),
    ]
    keys = ", ".join(assessment.quasi_identifiers)
    heading = say("risk_of", keys=keys)
    print_grid(out, f"{title}: {heading}" if title else heading, ("", ""), rows)
    columns = assessment.quasi_identifiers
    worst = [
        (one.size, say.number(one.share, "%"), *map(_format_value, one.values.values()))
        for one in assessment.worst
    ]
    if worst:
        print_grid(out, say("worst"), (say("class_size"), say("share"), *columns), worst)
    if assessment.k == 1:
        unique = assessment.unique_records.head(n_uniques)
        shown = [tuple(map(_format_value, row)) for row in unique.rows()]
        print_grid(out, say("unique_rows"), unique.columns, shown)


def tell_inspection(say: Speaker, inspection: Inspection) -> None:
    """What a table holds, and which roles its columns might have; as ``microveil inspect`` does."""
    if say.language == "en":
        show_inspection(inspection)
        return
    out = console()
    rows = [
        (
            column.name,
            say.tell(column.dtype),
            say.number(column.missing_share, "%"),
            say.number(column.n_distinct),
            say.number(column.uniqueness, "%"),
            role_words(say, column.role),
        )
        for column in inspection.columns
    ]
    heads = tuple(map(say, ("column", "type", "missing", "distinct", "unique_share", "role")))
    print_grid(out, say("suggested_roles"), heads, rows)
    out.print(say("why"), style="bold")
    for column in inspection.columns:
        why = say.tell(join(column.reasons, "; ")) or say("nothing_known")
        out.print(f"  {column.name}: {why}", markup=False)
    dates = inspection.dates.items()
    _list_under(say("dates"), [f"{name}: {say.tell(one.sentence())}" for name, one in dates])
    others = [one for one in inspection.warnings if one.topic != "dates"]
    _list_under(say("careful"), [say.tell(one.text) for one in others])


def _list_under(heading: str, lines: list[str]) -> None:
    out = console()
    if lines:
        out.print(f"\n{heading}", style="bold")
    for line in lines:
        out.print(f"• {line}", markup=False)


def role_words(say: Speaker, role: Role | None) -> str:
    """A role as the language calls it."""
    from microveil.app.inspection.role_names import ROLE_NAMES

    return "—" if role is None else say.tell(ROLE_NAMES[role])


def _format_value(value: object) -> str:
    return "—" if value is None else str(value)


def step_words(say: Speaker, step: Method) -> str:
    """A step as the language calls it, with its columns and settings."""
    told = {
        name: value
        for name, value in step.to_dict().items()
        if name != "method" and not isinstance(value, dict)
    }
    name = method_name(say.language, step.kind())
    settings = [f"{label(say.language, one)}: {_setting(value)}" for one, value in told.items()]
    words = f"{name} ({'; '.join(settings)})" if settings else name
    return f"{words} [{step.kind()}]"


def _setting(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
