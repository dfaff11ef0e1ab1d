"""How the released file was written, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from microveil.errors import listing
from microveil.reports.audience import Audience, public_count

if TYPE_CHECKING:
    from microveil.files import WriteReport

BY_DEFAULT = (
    "By default, export shuffles the rows and, in CSV and Excel files, puts an "
    "apostrophe before text that a spreadsheet would execute as a formula."
)


def export_sentences(
    written: WriteReport | Mapping[str, Any] | None, audience: Audience
) -> tuple[str, ...]:
    """What was reported about row order and formulas on writing; the rule if nothing was."""
    if written is None:
        return (BY_DEFAULT,)
    facts = written if isinstance(written, Mapping) else written.to_dict()
    sentences = []
    if "shuffled" in facts:
        order = "random order" if facts["shuffled"] else "the order of the original"
        sentences.append(f"Rows were written in {order}.")
    if "n_neutralized" in facts:
        sentences.append(_formulas(facts["n_neutralized"], audience))
    if audience != "public":
        sentences += facts.get("changed", ())
    return tuple(sentences)


def _formulas(neutralized: Mapping[str, int], audience: Audience) -> str:
    """Columns and cells that were neutralised, never their text."""
    total = sum(neutralized.values())
    if not total:
        return "No text cell had to be protected from running as a formula."
    count = public_count(total) if audience == "public" else total
    cells = "text cell" if count == 1 else "text cells"
    where = listing(neutralized)
    return f"{count} {cells} in {where} got an apostrophe so that no spreadsheet runs them."
