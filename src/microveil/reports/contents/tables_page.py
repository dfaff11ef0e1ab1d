"""The page's section about linked tables."""

from __future__ import annotations

from microveil.reports.markup import Markup, element, together
from microveil.reports.page_file import file_lines
from microveil.reports.page_parts import column_list, section
from microveil.reports.page_steps import step_list
from microveil.reports.summary import Requirement, Summary, TableSummary
from microveil.reports.words.wording import count
from microveil.texts import Message, compose

PEOPLE = Message(
    "report.records_are_people",
    "A record of this report is a person, with what can be known of them over all tables. Each "
    "table by itself follows under “Tables”.",
)


def people_note(summary: Summary) -> Markup | None:
    """What a record is, where there are several tables."""
    return None if summary.tables is None else element("p", PEOPLE, class_="note")


def tables_section(summary: Summary) -> Markup | None:
    """Each table: what is in it, what was done to it, and its file; then the links."""
    if summary.tables is None:
        return None
    links = [element("li", element("code", link)) for link in summary.links or ()]
    linked = together(
        element("h3", Message("report.links", "Links")), element("ul", *links) if links else None
    )
    return section(
        Message("report.tables", "Tables"),
        *[_one(table) for table in summary.tables],
        linked if links else None,
    )


def _one(table: TableSummary) -> Markup:
    removed = Message(
        "report.table_size",
        "{records} records; {removed} removed.",
        records=count(table.n_records),
        removed=count(table.n_records_removed),
    )
    lists = (
        (Message("report.columns", "Columns"), table.columns),
        (Message("report.removed_columns", "Removed columns"), table.columns_removed),
    )
    return together(
        element("h3", element("code", table.name)),
        element("p", removed),
        *[
            element("p", element("strong", compose("{name}: ", name=name)), column_list(columns))
            for name, columns in lists
            if columns
        ],
        *[element("p", _requirement(one)) for one in table.requirements],
        step_list(table.steps) if table.steps else None,
        file_lines(table.file),
    )


def _requirement(one: Requirement) -> Markup:
    mark = Message("report.holds", "✓ holds") if one.holds else Message("report.broken", "✗ broken")
    return together(
        element("strong", one.title),
        " ",
        element("span", mark, class_="holds" if one.holds else "broken"),
    )
