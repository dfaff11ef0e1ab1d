"""The codebook as one HTML page that fetches nothing, and as CSV that labels can be read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

import polars as pl

from microveil.files.formulas import neutralize_formulas
from microveil.metadata.model import DataTable, Metadata, Variable
from microveil.reports.markup import Markup, element, together
from microveil.reports.page import POLICY

HEADS = ("table", "column", "code", "label", "kind", "missing", "universe", "range", "protection")
_KINDS = {
    "boolean": "yes or no",
    "integer": "whole numbers",
    "number": "numbers",
    "date": "dates",
    "datetime": "dates and times",
    "time": "times",
    "text": "text",
    "other": "other",
}


def codebook_page(metadata: Metadata) -> str:
    """The codebook as one page."""
    style = files("microveil.reports").joinpath("style.css").read_text("utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", _plain(f"Codebook: {metadata.title}")),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element(
            "main",
            element("header", element("h1", _plain(metadata.title)), _about(metadata)),
            _protection(metadata),
            *(_table(metadata, one) for one in metadata.tables),
            element("footer", element("p", _plain(f"{metadata.software}, {metadata.date}"))),
        ),
    )
    lang = metadata.study.language
    return f"<!doctype html>\n{element('html', head, body, lang=Markup(escape(lang)))}\n"


def codebook_csv(metadata: Metadata) -> str:
    """The codebook as CSV: a line for each column, and one for each of its codes."""
    lines = [
        line
        for table in metadata.tables
        for variable in table.variables
        for line in _lines(table, variable)
    ]
    schema = dict.fromkeys(HEADS, pl.String())
    frame = pl.DataFrame(lines, schema=schema, orient="row")
    return neutralize_formulas(frame)[0].write_csv()


def _lines(table: DataTable, variable: Variable) -> Iterator[Sequence[str | None]]:
    done = " ".join(one.sentence for one in variable.treatments)
    ends = " to ".join(variable.range) if variable.range is not None else None
    yield (
        table.name,
        variable.name,
        None,
        variable.label or variable.role_words or variable.name,
        variable.kind,
        "yes" if variable.has_missing else "no",
        variable.universe,
        ends,
        done or None,
    )
    for one in variable.categories:
        gap = "yes" if one.missing else None
        label = one.label or one.value
        yield table.name, variable.name, one.value, label, None, gap, None, None, None


def _plain(text: str) -> Markup:
    """Text of the data, which is not translated."""
    return Markup(escape(text))


def _about(metadata: Metadata) -> Markup:
    study = metadata.study
    told = [
        ("About", study.description),
        ("Population", study.universe),
        ("Unit", study.unit),
        ("Covers", " · ".join(one for one in (study.country, study.period) if one)),
        ("Collected", study.collection),
        ("By", study.creator),
        ("Published by", study.publisher),
        ("License", study.license),
        ("Access", study.access),
        ("Cite as", study.citation),
        ("Version", study.version),
        ("Contact", study.contact),
    ]
    rows = [
        together(element("dt", _plain(name)), element("dd", _plain(text)))
        for name, text in told
        if text
    ]
    return element("dl", *rows) if rows else Markup("")


def _protection(metadata: Metadata) -> Markup:
    sentences = [*metadata.protection, *metadata.limitations]
    if not sentences:
        return Markup("")
    items = [element("li", _plain(one)) for one in sentences]
    return element("section", element("h2", _plain("Protection")), element("ul", *items))


def _table(metadata: Metadata, table: DataTable) -> Markup:
    count = f"{table.n_records:,}" if isinstance(table.n_records, int) else table.n_records
    size = f"{count} records, {len(table.variables)} columns"
    if table.file is not None:
        size = f"{table.file.name}: {size}"
    title = table.name if len(metadata.tables) > 1 else "Columns"
    heads = ("Column", "Holds", "Values", "Protection")
    head = element("tr", *(element("th", _plain(one), scope="col") for one in heads))
    rows = [_row(one) for one in table.variables]
    grid = element("table", element("thead", head), element("tbody", *rows))
    return element(
        "section",
        element("h2", _plain(title)),
        element("p", _plain(size)),
        element("div", grid, class_="scroll", tabindex="0", role="group"),
    )


def _row(variable: Variable) -> Markup:
    """A column: its name and meaning, its kind, its values, and what was done to it."""
    extra = [variable.label, variable.role_words]
    if variable.universe:
        extra.append(f"Universe: {variable.universe}")
    if variable.references is not None:
        extra.append(f"Repeats {'.'.join(variable.references)}")
    told = [piece for one in extra if one for piece in (element("br"), _plain(one))]
    done = [element("div", _plain(one.sentence)) for one in variable.treatments]
    cells = (
        ("Column", together(element("code", _plain(variable.name)), *told)),
        ("Holds", _plain(_KINDS[variable.kind])),
        ("Values", _values(variable)),
        ("Protection", together(*done) if done else _plain("as it was")),
    )
    return element(
        "tr",
        *(
            element("td", element("div", cell, class_="cell"), data_label=_plain(head))
            for head, cell in cells
        ),
    )


def _values(variable: Variable) -> Markup:
    pieces = []
    for one in variable.categories:
        words = one.value if one.label is None else f"{one.value} {one.label}"
        pieces.append(element("div", _plain(f"{words} (missing)" if one.missing else words)))
    if not variable.complete:
        pieces.append(element("em", _plain("and values that few records have")))
    if variable.range is not None:
        pieces.append(_plain(" to ".join(variable.range)))
    if variable.has_missing:
        pieces.append(element("div", _plain("some missing")))
    return together(*pieces)
