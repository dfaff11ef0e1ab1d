"""The page's checklists: what a published rule asks, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from microveil.reports.contents.checklists import Checklist, Item
from microveil.reports.markup import Markup, element
from microveil.reports.page_parts import section, table
from microveil.texts import Message

STATES = {
    "met": Message("checklist.met", "met"),
    "not met": Message("checklist.not_met", "not met"),
    "open": Message("checklist.open", "for a person to decide"),
}
HEADS = (
    Message("checklist.clause", "Where"),
    Message("checklist.asks", "What is asked"),
    Message("checklist.evidence", "Evidence"),
    Message("checklist.state", "State"),
)


def checklist_section(found: Sequence[Checklist] | None) -> Markup | None:
    """All checklists of a release; the lines are in English, as the rules are cited."""
    if not found:
        return None
    parts: list[str | None] = []
    for one in found:
        left = Message(
            "checklist.left",
            "1 line is for a person to decide.",
            many="{n} lines are for a person to decide.",
            n=one.n_open,
        )
        parts += [
            element("h3", one.title),
            element("p", one.source),
            table(HEADS, [_row(item) for item in one.items]),
            element("p", left),
        ]
    return section(Message("checklist.title", "Checklists of the rules it follows"), *parts)


def _row(item: Item) -> list[str]:
    mark = "✔ " if item.state == "met" else "✘ " if item.state == "not met" else "○ "
    state = element("span", mark, STATES[item.state], class_=item.state.replace(" ", "-"))
    return [item.clause, item.text, item.evidence, state]
