"""The report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from microveil.reports.contents.checklist_page import checklist_section
from microveil.reports.contents.tables_page import people_note, tables_section
from microveil.reports.figure import Figure
from microveil.reports.markup import Markup, element, together
from microveil.reports.page_codebook import codebook
from microveil.reports.page_file import file_lines
from microveil.reports.page_parts import column_list, note, section, table
from microveil.reports.page_risk import risk_section
from microveil.reports.page_steps import steps_section
from microveil.reports.page_utility import columns_section, utility_section
from microveil.reports.summary import Requirement, Summary
from microveil.reports.words.speaking import current_language, speaking
from microveil.reports.words.spec_words import summary_of
from microveil.reports.words.wording import count, number
from microveil.texts import Message, compose, join

# No script may run on this page and nothing may be fetched, whatever a column is called.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

ROLES = {
    "identifiers": Message("report.role_identifiers", "identifiers"),
    "quasi_identifiers": Message("report.role_quasi_identifiers", "quasi-identifiers"),
    "sensitive": Message("report.role_sensitive", "sensitive"),
    "insensitive": Message("report.role_insensitive", "insensitive"),
    "weight": Message("report.role_weight", "weight"),
    "strata": Message("report.role_strata", "strata"),
    "household": Message("report.role_household", "household"),
    "entity": Message("report.role_entity", "entity"),
}

COLUMNS = Message("report.columns", "Columns")
RELEASED = Message("report.released", "What was released")
WOULD_BE_RELEASED = Message("report.would_be_released", "What would have been released")

AUDIENCES = {
    "internal": Message(
        "report.internal_report_confidential_contains",
        "Internal report: confidential, contains risk values and rare combinations",
    ),
    "public": Message("report.public_report", "Public report"),
}


def page(
    summary: Summary,
    figures: Sequence[Figure] = (),
    remark: str | None = None,
    language: str = "en",
) -> str:
    """The page in a language; ``remark`` explains why figures are missing."""
    with speaking(language):
        return _page(summary, figures, remark)


def _page(summary: Summary, figures: Sequence[Figure], remark: str | None) -> str:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="robots", content="noindex"),
        element("title", summary.title),
        element(
            "style", Markup(files("microveil.reports").joinpath("style.css").read_text("utf-8"))
        ),
    )
    main = element(
        "main",
        _header(summary),
        _verdict(summary),
        _content(summary),
        risk_section(summary, [one for one in figures if one.about == "risk"]),
        utility_section(summary.utility, [one for one in figures if one.about == "utility"]),
        columns_section([one for one in figures if one.about == "columns"]),
        _roles(summary),
        steps_section(summary.steps) if summary.tables is None else tables_section(summary),
        checklist_section(summary.checklists),
        _notes(summary, remark),
    )
    body = element("body", main, _footer(summary))
    return f"<!doctype html>\n{element('html', head, body, lang=current_language())}\n"


def _header(summary: Summary) -> Markup:
    return element(
        "header",
        element("p", AUDIENCES[summary.audience], class_=f"audience {summary.audience}"),
        element("h1", summary.title),
        element("p", _who_what_when(summary)),
    )


def _who_what_when(summary: Summary) -> Markup:
    content = summary.content
    by = Message("report.by", " by {name}", name=summary.made_by) if summary.made_by else ""
    source = None
    if summary.source:
        source = together(Message("report.from", " from "), element("code", summary.source))
    what = Message(
        "report.what",
        ": {records} records in {columns} columns, after 1 step, with Microveil {version}.",
        many=": {records} records in {columns} columns, after {n} steps, with Microveil {version}.",
        records=count(content.n_records),
        columns=len(content.columns),
        n=len(summary.steps),
        version=summary.software.get("microveil", ""),
    )
    if summary.tables is not None:
        what = Message(
            "report.what_linked",
            ": {people} people over {n} linked tables, with Microveil {version}.",
            people=count(content.n_records),
            n=len(summary.tables),
            version=summary.software.get("microveil", ""),
        )
    when = element("time", summary.date, datetime=summary.date)
    return together(Message("report.made_on", "Made on "), when, by, source, what)


def _verdict(summary: Summary) -> Markup:
    verdict = summary.verdict
    cautions = [
        element("p", note(Message("report.caution", "Caution"), text), class_="caution")
        for text in summary.cautions
    ]
    return element(
        "section",
        element("h2", verdict.headline, id="verdict"),
        element("p", verdict.sentence),
        element("p", summary.opening, class_="opening") if summary.opening else None,
        _privacy_loss(summary),
        *cautions,
        _requirements(summary.requirements) if summary.requirements else None,
        class_=f"verdict {verdict.tone}",
        aria_labelledby="verdict",
    )


def _privacy_loss(summary: Summary) -> Markup | None:
    if summary.privacy_loss is None:
        return None
    loss = summary.privacy_loss
    kind = None if not loss["uncovered"] else "caution"
    return element(
        "p",
        note(Message("report.differential_privacy", "Differential privacy"), loss["sentence"]),
        class_=kind,
    )


def _requirements(requirements: Sequence[Requirement]) -> Markup:
    numbers = all(one.required is not None for one in requirements)
    heads = [
        Message("report.requirement", "Requirement"),
        Message("report.verdict", "Verdict"),
        *(
            [
                Message("report.required", "Required"),
                Message("report.reached", "Reached"),
                Message("report.records_break", "Records that break it"),
            ]
            * numbers
        ),
    ]
    rows = [
        [_requirement_cell(one), _holds(one), *(_numbers(one) if numbers else ())]
        for one in requirements
    ]
    return table(heads, rows, numeric_from=2)


def _requirement_cell(one: Requirement) -> Markup:
    where = []
    if one.column:
        where.append(Message("report.column_named", "column {name}", name=one.column))
    if one.scenario:
        where.append(Message("report.scenario_named", "scenario {name}", name=one.scenario))
    about = compose(" ({where})", where=where) if where else ""
    return together(
        element("strong", one.title),
        about,
        element("small", summary_of(one.model, one.meaning), class_="meaning")
        if one.meaning
        else None,
        element("small", one.plainly, class_="meaning") if one.plainly else None,
    )


def _holds(one: Requirement) -> Markup:
    if one.holds:
        return element("span", Message("report.holds", "✓ holds"), class_="holds")
    return element("span", Message("report.broken", "✗ broken"), class_="broken")


def _numbers(one: Requirement) -> list[str]:
    return [number(one.required or 0), number(one.achieved or 0), count(one.n_broken)]


def _content(summary: Summary) -> Markup:
    content = summary.content
    tiles = {
        Message("report.n_records", "records"): count(content.n_records),
        Message("report.records_original", "records in the original"): count(
            content.n_records_original
        ),
        Message("report.records_removed", "records removed"): count(content.n_records_removed),
        Message("report.n_columns", "columns"): number(len(content.columns)),
        Message("report.columns_removed", "columns removed"): number(len(content.columns_removed)),
    }
    shown = [
        element("div", element("dt", name), element("dd", value)) for name, value in tiles.items()
    ]
    lists = {
        COLUMNS: content.columns,
        Message("report.removed_columns", "Removed columns"): content.columns_removed,
        Message("report.undeclared_columns", "Undeclared columns"): content.columns_undecided,
    }
    return section(
        RELEASED if summary.verdict.releasable else WOULD_BE_RELEASED,
        people_note(summary),
        element("dl", *shown, class_="tiles"),
        *[
            element("p", element("strong", compose("{name}: ", name=name)), column_list(columns))
            for name, columns in lists.items()
            if columns
        ],
        file_lines(summary.file),
        codebook(content.codebook),
        _further_tables(summary),
    )


def _further_tables(summary: Summary) -> Markup | None:
    parts = [
        [part.name, count(part.n_records), column_list(part.columns)]
        for part in summary.content.parts
    ]
    if not parts:
        return None
    heads = [Message("report.table", "Table"), Message("report.records", "Records"), COLUMNS]
    return together(
        element("h3", Message("report.further_tables", "Further tables")), table(heads, parts)
    )


def _roles(summary: Summary) -> Markup:
    gone = set(summary.content.columns_removed)
    rows = []
    for role, columns in summary.roles.items():
        if isinstance(columns, dict):
            rows += [
                [
                    Message("report.scenario_named", "scenario {name}", name=name),
                    column_list(keys, gone),
                ]
                for name, keys in columns.items()
            ]
        else:
            names = [columns] if isinstance(columns, str) else columns
            rows.append([ROLES[role], column_list(names, gone)])
    if not rows:
        return section(
            Message("report.roles", "Roles"),
            element("p", Message("report.no_column_role", "No column has a role.")),
        )
    return section(
        Message("report.roles", "Roles"),
        table([Message("report.role", "Role"), Message("report.columns", "Columns")], rows),
    )


def _notes(summary: Summary, remark: str | None) -> Markup:
    notes = [note(Message("report.missing_values", "Missing values"), summary.missing)]
    notes += [note(Message("report.export", "Export"), text) for text in summary.export]
    if summary.hidden:
        hidden = compose("{hidden}.", hidden=join(summary.hidden, "; "))
        notes.append(note(Message("report.left_out", "Left out of the public report"), hidden))
    notes += [note(Message("report.figures", "Figures"), remark)] if remark else []
    return section(
        Message("report.notes", "Notes"), element("ul", *[element("li", text) for text in notes])
    )


def _footer(summary: Summary) -> Markup:
    software = ", ".join(f"{name} {version}" for name, version in summary.software.items())
    return element(
        "footer",
        element(
            "p",
            Message(
                "report.footer",
                "Made on {date} with {software}.",
                date=summary.date,
                software=software,
            ),
        ),
    )
