"""The report as one HTML page that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from microveil.reports.figures import Figure
from microveil.reports.markup import Markup, element, together
from microveil.reports.page_parts import column_list, figure_row, note, section, side_by_side, table
from microveil.reports.page_risk import risk_section
from microveil.reports.page_steps import steps_section
from microveil.reports.summary import Requirement, Summary, Utility
from microveil.reports.wording import count, number, percent

# No script may run on this page and nothing may be fetched, whatever a column is called.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

AUDIENCES = {
    "internal": "Internal report: confidential, holds risk values and rare combinations",
    "public": "Public report",
}
MANY_COLUMNS = 30


def page(summary: Summary, figures: Sequence[Figure] = (), remark: str | None = None) -> str:
    """The page; ``remark`` says why figures are missing."""
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
        _utility(summary.utility, [one for one in figures if one.about == "utility"]),
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
        element("p", "Made on ", element("time", summary.date, datetime=summary.date)),
    )


def _verdict(summary: Summary) -> Markup:
    verdict = summary.verdict
    cautions = [element("p", note("Caution", text), class_="caution") for text in summary.cautions]
    return element(
        "section",
        element("h2", verdict.headline, id="verdict"),
        element("p", verdict.sentence),
        *cautions,
        _requirements(summary.requirements) if summary.requirements else None,
        class_=f"verdict {verdict.tone}",
        aria_labelledby="verdict",
    )


def _requirements(requirements: Sequence[Requirement]) -> Markup:
    numbers = all(one.required is not None for one in requirements)
    heads = [
        "Requirement",
        "Verdict",
        *(["Required", "Reached", "Records that break it"] * numbers),
    ]
    rows = [
        [_promise(one), _holds(one), *(_numbers(one) if numbers else ())] for one in requirements
    ]
    return table(heads, rows, numeric_from=2)


def _promise(one: Requirement) -> Markup:
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
        "Columns nobody decided about": content.columns_undecided,
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
        element("h3", "Further tables") if parts else None,
        table(["Table", "Records", "Columns"], parts) if parts else None,
    )


def _utility(utility: Utility | None, figures: Sequence[Figure]) -> Markup:
    if utility is None:
        return section("Utility", element("p", "No utility was measured."))
    rounded = utility.rounded
    lost = element("strong", percent(utility.lost_share, rounded=rounded))
    detail = None
    if utility.parts is not None:
        part = {
            name: percent(utility.parts[f"{name}_share"])
            for name in ("changed", "suppressed", "removed")
        }
        detail = (
            f" {part['changed']} hold another value, {part['suppressed']} are missing now, "
            f"{part['removed']} went with their row or column."
        )
    rows = [
        [element("code", name), percent(share, rounded=rounded)]
        for name, share in utility.kept.items()
    ]
    columns = element(
        "details",
        element("summary", "Numbers by column"),
        table(["Column", "Cells kept as they were"], rows, numeric_from=1),
        open=len(rows) <= MANY_COLUMNS,
    )
    return section(
        "Utility",
        element(
            "p", "Of the original's cells, ", lost, " are no longer shown as they were.", detail
        ),
        side_by_side(figure_row(figures), columns if rows else None),
        _scores(utility),
    )


def _scores(utility: Utility) -> Markup | None:
    if not utility.scores:
        return None
    rows = [
        [
            element("code", name),
            number(score["value"]),
            score["scale"],
            f"{score['better']} is better",
        ]
        for name, score in utility.scores.items()
    ]
    return table(["Measure", "Value", "Unit", "Reading"], rows)


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
