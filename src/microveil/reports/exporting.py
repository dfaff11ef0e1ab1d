"""How the released file was written, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from microveil.reports.audience import Audience, public_count
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.files import WriteReport

BY_DEFAULT = Message(
    "report.default_export_shuffles_rows",
    "By default, export shuffles the rows and, in CSV and Excel files, puts an "
    "apostrophe before text that a spreadsheet would execute as a formula.",
)


def export_sentences(
    written: WriteReport | Mapping[str, Any] | None, audience: Audience
) -> tuple[str, ...]:
    """What was reported about row order and formulas on writing; the rule if nothing was."""
    if written is None:
        return (BY_DEFAULT,)
    facts = written if isinstance(written, Mapping) else written.to_dict()
    sentences: list[str] = []
    if "shuffled" in facts:
        random = Message("report.shuffled", "Rows were written in random order.")
        kept = Message("report.in_order", "Rows were written in the order of the original.")
        sentences.append(random if facts["shuffled"] else kept)
    if "n_neutralized" in facts:
        sentences.append(_formulas(facts["n_neutralized"], audience))
    if audience != "public":
        sentences += facts.get("changed", ())
    return tuple(sentences)


def _formulas(neutralized: Mapping[str, int], audience: Audience) -> str:
    """Columns and cells that were neutralised, never their text."""
    total = sum(neutralized.values())
    if not total:
        return Message(
            "report.no_text_cell_had", "No text cell had to be protected from running as a formula."
        )
    count = public_count(total) if audience == "public" else total
    return Message(
        "report.neutralized",
        "1 text cell in {where} got an apostrophe so that no spreadsheet runs it.",
        many="{count} text cells in {where} got an apostrophe so that no spreadsheet runs them.",
        n=total,
        count=count,
        where=tuple(neutralized),
    )
