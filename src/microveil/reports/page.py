"""The report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from microveil.reports.figure import Figure
from microveil.reports.markup import Markup, element, together
from microveil.reports.page_codebook import codebook
from microveil.reports.page_file import file_lines
from microveil.reports.page_parts import column_list, note, section, table
from microveil.reports.page_risk import risk_section
from microveil.reports.page_steps import steps_section
from microveil.reports.page_utility import columns_section, utility_section
from microveil.reports.summary import Requirement, Summary
from microveil.reports.wording import count, number

# No script may run on this page and nothing may be fetched, whatever a column is called.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

AUDIENCES = {
    "internal": "Internal report: confidential, contains risk values and rare combinations",
    "public": "Public report",
}


def page(summary: Summary, figures: Sequence[Figure] = (), remark: str | None = None) -> str:
    """The page; ``remark`` explains why figures are missing."""
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
        steps_section(summary.steps),
        _notes(summary, remark),
    )
    body = element("body", main, _footer(summary))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _header(summary: Summary) -> Markup:
    return element(
        "header",
        element("p", AUDIENCES[summary.audience], class_=f"audience {summary.audience}"),
        element("h1", summary.title),
        element("p", _who_what_when(summary)),
    )


def _who_what_when(summary: Summary) -> Markup:
    content = summary.content
    by = f" by {summary.made_by}" if summary.made_by else ""
    source = together(" from ", element("code", summary.source)) if summary.source else None
    n_steps = len(summary.steps)
    steps = "1 step" if n_steps == 1 else f"{n_steps} steps"
    what = (
        f": {count(content.n_records)} records in {len(content.columns)} columns, after {steps}, "
        f"with Microveil {summary.software.get('microveil', '')}."
    )
    when = element("time", summary.date, datetime=summary.date)
    return together("Made on ", when, by, source, what)


def _verdict(summary: Summary) -> Markup:
    verdict = summary.verdict
    cautions = [element("p", note("Caution", text), class_="caution") for text in summary.cautions]
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
    return element("p", note("Differential privacy", loss["sentence"]), class_=kind)


def _requirements(requirements: Sequence[Requirement]) -> Markup:
    numbers = all(one.required is not None for one in requirements)
    heads = [
        "Requirement",
        "Verdict",
        *(["Required", "Reached", "Records that break it"] * numbers),
    ]
    rows = [
        [_required(one), _holds(one), *(_numbers(one) if numbers else ())] for one in requirements
    ]
    return table(heads, rows, numeric_from=2)


def _required(one: Requirement) -> Markup:
    where = [f"column {one.column}"] if one.column else []
    where += [f"scenario {one.scenario}"] if one.scenario else []
    about = f" ({', '.join(where)})" if where else ""
    return together(
        element("strong", one.title),
        about,
        element("small", one.meaning, class_="meaning") if one.meaning else None,
    )


def _holds(one: Requirement) -> Markup:
    if one.holds:
        return element("span", "✓ holds", class_="holds")
    return element("span", "✗ broken", class_="broken")


def _numbers(one: Requirement) -> list[str]:
    return [number(one.required or 0), number(one.achieved or 0), count(one.n_broken)]


def _content(summary: Summary) -> Markup:
    content = summary.content
    tiles = {
        "records": count(content.n_records),
        "records in the original": count(content.n_records_original),
        "records removed": count(content.n_records_removed),
        "columns": number(len(content.columns)),
        "columns removed": number(len(content.columns_removed)),
    }
    shown = [
        element("div", element("dt", name), element("dd", value)) for name, value in tiles.items()
    ]
    lists = {
        "Columns": content.columns,
        "Removed columns": content.columns_removed,
        "Undeclared columns": content.columns_undecided,
    }
    parts = [
        [part.name, count(part.n_records), column_list(part.columns)] for part in content.parts
    ]
    return section(
        "What was released" if summary.verdict.releasable else "What would have been released",
        element("dl", *shown, class_="tiles"),
        *[
            element("p", element("strong", f"{name}: "), column_list(columns))
            for name, columns in lists.items()
            if columns
        ],
        file_lines(summary.file),
        codebook(content.codebook),
        element("h3", "Further tables") if parts else None,
        table(["Table", "Records", "Columns"], parts) if parts else None,
    )


def _roles(summary: Summary) -> Markup:
    gone = set(summary.content.columns_removed)
    rows = []
    for role, columns in summary.roles.items():
        if isinstance(columns, dict):
            rows += [
                [f"scenario {name}", column_list(keys, gone)] for name, keys in columns.items()
            ]
        else:
            names = [columns] if isinstance(columns, str) else columns
            rows.append([role.replace("_", "-"), column_list(names, gone)])
    if not rows:
        return section("Roles", element("p", "No column has a role."))
    return section("Roles", table(["Role", "Columns"], rows))


def _notes(summary: Summary, remark: str | None) -> Markup:
    notes = [note("Missing values", summary.missing)]
    notes += [note("Export", text) for text in summary.export]
    if summary.hidden:
        notes.append(note("Left out of the public report", f"{'; '.join(summary.hidden)}."))
    notes += [note("Figures", remark)] if remark else []
    return section("Notes", element("ul", *[element("li", text) for text in notes]))


def _footer(summary: Summary) -> Markup:
    software = ", ".join(f"{name} {version}" for name, version in summary.software.items())
    return element("footer", element("p", f"Made on {summary.date} with {software}."))
