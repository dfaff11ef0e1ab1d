"""Data: open a file, preview it, and correct how its columns are read."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from microveil.files import FORMATS, Labels, format_of
from microveil.files.columns.finding_dates import other_order
from microveil.tables.kinds import is_nested
from microveil.tables.values import as_text
from microveil.web import actions
from microveil.web.parts.database_form import database_form
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    checkbox,
    div,
    file_field,
    fold,
    heading,
    link,
    select,
    table,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.parts.several_tables import draw_tables, send_tables
from microveil.web.project.examples import EXAMPLES
from microveil.web.project.project import new_name
from microveil.web.project.sheets import sheets_of

ROWS = 10
"""Rows of a preview."""
TYPES = ("", "text", "integer", "number", "boolean", "date", "datetime")
SEPARATORS = {"": "", ",": ",", ";": ";", "\t": "tab", "|": "|"}
ENCODINGS = ("", "utf-8", "utf-16", "windows-1252", "windows-1251", "iso-8859-15", "koi8-r")


def content(page: Page) -> None:
    """What is open, or how to open something."""
    session = page.session
    with div():
        heading(page.text("data.title"), 1)
        words(page.text("data.lead"), "lead")
    if session.project is not None:
        _draw_opened(page)
    _open(page)
    _several(page)
    _project(page)


def _open(page: Page) -> None:
    with card("open"):
        heading(page.text("data.another" if page.session.project else "data.open"))
        with div("drop", data_files="data"):
            words(page.text("data.drop"), "strong")
            file_field(
                page.text("data.choose"),
                "data",
                ",".join(suffixes()),
                aria_describedby="data-formats",
            )
            Node(
                "progress",
                None,
                id="data-progress",
                max=100,
                value=0,
                hidden=True,
                aria_label=page.text("data.sending"),
            )
            size = page.server.largest_upload / 1024**2
            Node(
                "p",
                page.text("data.formats", size=page.number(size, ",.0f")),
                "hint",
                id="data-formats",
            )
        database_form(page)
        with div("row middle"):
            words(page.text("data.examples"), "hint", "span")
            for name in EXAMPLES:
                button(
                    page.text(f"example.{name}"),
                    page.do(partial(actions.open_example, page.session, name)),
                    key=f"example {name}",
                )


def _several(page: Page) -> None:
    """Several linked tables, with their links drawn; they are protected on a page of their own."""
    work = page.session.linked
    with card("several"):
        heading(page.text("data.several"))
        if work is not None:
            draw_tables(page, work)
        send_tables(page)
        if work is not None:
            link(page.text("next.linked"), "/linked", "button primary")


def suffixes() -> list[str]:
    """Endings of the names of files that can be opened."""
    return [suffix for known in FORMATS for suffix in known.suffixes]


def _draw_opened(page: Page) -> None:
    project = page.project
    frame = project.frame
    with card("opened"):
        with div("row spread"):
            heading(project.source)
            words(
                page.text("data.size", rows=page.number(frame.height), columns=frame.width), "hint"
            )
        if page.session.upload is not None or page.session.read_options:
            _reading(page)
        _preview(page, frame)
        with div("row spread middle"):
            _turn_pages(page, frame.height)
            link(page.text("next.roles"), "/roles", "button primary")


def _preview(page: Page, frame: pl.DataFrame) -> None:
    start = int(page.form("preview").get("start", 0))
    shown = frame.slice(start, ROWS)
    cells = [
        _cells(column, page.project.labels).fill_null("∅").to_list()
        for column in shown.get_columns()
    ]
    rows = [list(row) for row in zip(*cells, strict=True)]
    numeric = [place for place, dtype in enumerate(frame.dtypes) if dtype.is_numeric()]
    said = page.project.labels.columns
    headers = [
        "\n".join(filter(None, [name, said.get(name), _kind(page, dtype)]))
        for name, dtype in frame.schema.items()
    ]
    table(headers, rows, caption=page.text("data.preview"), numeric=numeric, classes="preview")
    if any(column.null_count() for column in shown.get_columns()):
        words(page.text("data.missing"), "hint")


def _cells(column: pl.Series, labels: Labels) -> pl.Series:
    """Cells as a page shows them: codes with their labels."""
    if column.name in labels.values:
        return labels.tell_all(column)
    if is_nested(column.dtype):
        told = [None if cell is None else str(cell) for cell in column.to_list()]
        return pl.Series(column.name, told, dtype=pl.String)
    return as_text(column).cast(pl.String)


def _kind(page: Page, dtype: Any) -> str:
    """The type of a column in a word."""
    if dtype.is_integer():
        return page.text("type.integer")
    if dtype.is_numeric():
        return page.text("type.number")
    if dtype.is_temporal():
        return page.text("type.date")
    return page.text("type.boolean") if dtype == pl.Boolean else page.text("type.text")


def _turn_pages(page: Page, height: int) -> None:
    form = page.form("preview")
    start = int(form.get("start", 0))

    def go(by: int) -> None:
        to = int(form.get("start", 0)) + by
        form["start"] = min(max(to, 0), max(height - 1, 0) // ROWS * ROWS)

    with div("row middle"):
        button(
            "‹",
            page.do(lambda: go(-ROWS)),
            label=page.text("data.before"),
            disabled=start == 0,
            key="rows before",
        )
        last = min(start + ROWS, height)
        words(
            page.text(
                "data.rows", first=page.number(min(start + 1, height)), last=page.number(last)
            ),
            "hint",
            "span",
        )
        button(
            "›",
            page.do(lambda: go(ROWS)),
            label=page.text("data.after"),
            disabled=last >= height,
            key="rows after",
        )


def _reading(page: Page) -> None:
    """How the file is read: sheet, separator, encoding, types."""
    session = page.session
    options = session.read_options
    reads = format_of(session.upload_name).reads if session.upload else ()

    def again(name: str, value: Any) -> None:
        others = {key: one for key, one in options.items() if key != name}
        actions.read_again(session, others if value in ("", None) else {**others, name: value})

    with fold(page.text("data.reading")), div("grid"):
        if "separator" in reads:
            select(
                page.text("data.separator"),
                {one: name or page.text("auto") for one, name in SEPARATORS.items()},
                options.get("separator", ""),
                page.change(lambda v: again("separator", v)),
            )
            select(
                page.text("data.decimal"),
                {"": page.text("auto"), ".": ".", ",": ","},
                options.get("decimal", ""),
                page.change(lambda v: again("decimal", v)),
            )
            select(
                page.text("data.encoding"),
                {one: one or page.text("auto") for one in ENCODINGS},
                options.get("encoding", ""),
                page.change(lambda v: again("encoding", v)),
            )
        for option, names in sheets_of(session.upload, session.upload_name).items():
            select(
                page.text(f"data.{option}"),
                {name: name for name in names},
                options.get(option, names[0]),
                page.change(partial(again, option)),
            )
        _types(page, again)


def _types(page: Page, again: Any) -> None:
    project = page.project
    types: dict[str, Any] = dict(page.session.read_options.get("types", {}))
    read = {name: one.to_plain() for name, one in project.opened.reading.columns.items()}

    def retype(column: str, kind: str) -> None:
        others = {name: one for name, one in types.items() if name != column}
        again(
            "types",
            {**others, column: _kinds(read.get(column)).get(kind, kind)} if kind else others,
        )

    for column in project.frame.columns:
        named = {kind: page.text(f"type.{kind}") if kind else page.text("auto") for kind in TYPES}
        formats = _kinds(read.get(column))
        now = next((text for text, one in formats.items() if one == read.get(column)), None)
        select(
            page.text("data.type", column=column),
            named | {text: text for text in formats},
            now or str(read.get(column, "")),
            page.change(partial(retype, column)),
        )
    for name, found in project.inspection.dates.items():
        words(f"{name}: {page.say(found.sentence())}", "hint")


def _kinds(read: str | dict[str, Any] | None) -> dict[str, Any]:
    """The ways to read dates that a page offers beside the types: as found, and the other order."""
    if read is None or (isinstance(read, str) and "%" not in read):
        return {}
    formats = read if isinstance(read, str) else read.get("format")
    if formats is None:
        return {str(read): read}
    text = formats if isinstance(formats, str) else " / ".join(formats)
    found: dict[str, Any] = {text: read}
    if isinstance(formats, str) and (other := other_order(formats)) is not None:
        found[other] = other if isinstance(read, str) else {**read, "format": other}
    return found


def _project(page: Page) -> None:
    session = page.session
    form = page.form("project")
    with fold(page.text("project.title")), div("grid two"):
        with div("field"):
            file_field(page.text("project.open"), "project", ".json,.yaml,.yml")
            words(page.text("project.open_hint"), "hint")
        if session.project is not None:
            with div("field"):
                checkbox(
                    page.text("project.with_data"),
                    bool(form.get("data")),
                    page.note(form, "data"),
                    hint=page.text("project.with_data_hint"),
                )
                button(page.text("project.save"), page.do(lambda: _save(page)))
                saved = session.offered.get("project")
                if saved:
                    link(page.text("download", name=saved[1]), saved[0], download=saved[1])


def _save(page: Page) -> None:
    session = page.session
    with_data = bool(page.form("project").get("data"))
    path = session.folder / new_name(".json")
    path.write_text(page.project.to_saved(with_data=with_data).to_text(), encoding="utf-8")
    name = "microveil-project.json"
    session.offered["project"] = (session.offer(path, name), name)
