"""Tables: choose margins, see unsafe cells in red, protect, audit and fetch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from microveil.tabulation.plan import TablePlan
from microveil.web import table_actions
from microveil.web.parts.cell_grid import cell_grid
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    checkbox,
    div,
    fold,
    heading,
    link,
    select,
    table,
    text_field,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.project.tabulating import TablesView

MOST_CODES = 100
"""Codes up to which a column is offered as a margin."""
PROTECTIONS: dict[str, dict[str, Any]] = {
    "suppress": {"protection": "suppress"},
    "optimal": {"protection": "suppress", "method": "optimal"},
    "round": {"protection": "round_cells"},
    "small": {"protection": "round_small_counts"},
}
"""Protections that a page offers, each with its settings; the base is typed."""
PAPERS = ("xlsx", "html", "csv", "plan", "record")


def content(page: Page) -> None:
    """Draft tables, look at them, protect them, and fetch them."""
    with div():
        heading(page.text("tables.title"), 1)
        words(page.text("tables.lead"), "lead")
    _draft(page)
    _terms(page)
    view = page.project.tables
    if view is not None and _is_of_now(page, view):
        _result(page, view)


def _columns(page: Page) -> tuple[list[str], list[str]]:
    """Columns that can be margins, and those that can be added up."""
    found = page.find("table columns", work=lambda: _sort_columns(page.project.frame))
    return ([], []) if found is None else found


def _sort_columns(frame: pl.DataFrame) -> tuple[list[str], list[str]]:
    margins = [one.name for one in frame.get_columns() if _n_codes(one) <= MOST_CODES]
    return margins, [name for name, dtype in frame.schema.items() if dtype.is_numeric()]


def _n_codes(column: pl.Series) -> int:
    return MOST_CODES + 1 if column.dtype.is_nested() else column.n_unique()


def _draft(page: Page) -> None:
    form = page.form("tables")
    chosen: list[str] = form.setdefault("by", [])
    margins, numbers = _columns(page)
    with card("draft"):
        heading(page.text("tables.margins"))
        words(page.text("tables.margins_hint", n=MOST_CODES), "hint")
        with div("chips"):
            for name in margins:
                checkbox(
                    name,
                    name in chosen,
                    page.change(partial(_choose, chosen, name)),
                    classes="chip",
                    key=f"margin {name}",
                )
        with div("row"):
            shows = {"count": page.text("tables.count")}
            for what in ("sum", "mean"):
                shows |= {f"{what} {one}": page.text(f"tables.{what}", name=one) for one in numbers}
            select(
                page.text("tables.shows"),
                shows,
                str(form.get("shows", "count")),
                page.note(form, "shows"),
                key="shows",
            )
            button(
                page.text("tables.add"),
                page.do(lambda: _add(form)),
                disabled=not chosen,
                key="add table",
            )
        _draw_list(page, form.get("tables", []))


def _draw_list(page: Page, tables: list[dict[str, Any]]) -> None:
    for place, one in enumerate(tables):
        with div("row middle"):
            Node("span", _title(page, one), "strong")
            button(
                "×",
                page.do(partial(tables.pop, place)),
                kind="quiet",
                label=page.text("remove_named", name=_title(page, one)),
                key=f"drop table {place}",
            )


def _choose(chosen: list[str], name: str, value: bool) -> None:  # noqa: FBT001  a box's state
    """Put a variable into the table, or take it out; the order is that of the clicks."""
    if name in chosen:
        chosen.remove(name)
    if value:
        chosen.append(name)


def _add(form: dict[str, Any]) -> None:
    if form["by"] and (one := _draft_table(form)) not in form.setdefault("tables", []):
        form["tables"].append(one)
    form["by"] = []


def _draft_table(form: Mapping[str, Any]) -> dict[str, Any]:
    what, _, value = str(form.get("shows", "count")).partition(" ")
    return {"by": [*form["by"]]} | ({"value": value, "statistic": what} if value else {})


def _title(page: Page, one: Mapping[str, Any]) -> str:
    value, by = one.get("value"), " × ".join(one["by"])
    if value is None:
        return page.text("tables.count_by", by=by)
    return page.text(f"tables.{one['statistic']}_by", name=value, by=by)


def plan_of(page: Page) -> TablePlan:
    """The plan that the page's fields say; one being drafted counts, too."""
    form = page.form("tables")
    tables = [*form.get("tables", ())]
    if form.get("by") and _draft_table(form) not in tables:
        tables.append(_draft_table(form))
    rules: list[dict[str, Any]] = [{"rule": "threshold", "n": form.get("n", 3)}]
    if str(form.get("p", "")).strip():
        rules.append({"rule": "p_percent", "p": form["p"]})
    if form.get("zeros"):
        rules.append({"rule": "zeros"})
    kind = str(form.get("protect", "suppress"))
    base = {"base": form["base"]} if kind in ("round", "small") and form.get("base") else {}
    roles = page.project.plan.roles
    people = {"entity": roles.entity} if roles.entity else {}
    return TablePlan.parse(
        {"roles": people, "tables": tables, "rules": rules, "protect": PROTECTIONS[kind] | base}
    )


def _is_of_now(page: Page, view: TablesView) -> bool:
    form = page.form("tables")
    return bool(form.get("tables") or form.get("by")) and view.plan == plan_of(page)


def _terms(page: Page) -> None:
    form = page.form("tables")
    with card("terms"):
        heading(page.text("tables.rules"))
        with div("grid"):
            for name, default in (("n", "3"), ("p", "")):
                text_field(
                    page.text(f"tables.{name}"),
                    str(form.get(name, default)),
                    page.note(form, name),
                    hint=page.text(f"tables.{name}_hint"),
                    key=f"rule {name}",
                    inputmode="decimal",
                )
            select(
                page.text("tables.protect"),
                {name: page.text(f"tables.protect_{name}") for name in PROTECTIONS},
                str(form.get("protect", "suppress")),
                page.change(lambda value: form.update(protect=value)),
                key="protect",
            )
            if form.get("protect") in ("round", "small"):
                text_field(
                    page.text("tables.base"),
                    str(form.get("base", "")),
                    page.note(form, "base"),
                    key="base",
                    inputmode="numeric",
                )
        checkbox(
            page.text("tables.zeros"),
            bool(form.get("zeros")),
            page.note(form, "zeros"),
            key="zeros",
        )
        _buttons(page)


def _buttons(page: Page) -> None:
    form = page.form("tables")
    ready = bool(form.get("tables") or form.get("by")) and not page.session.busy
    with div("row"):
        for name, act in (("look", table_actions.count), ("do", table_actions.protect)):
            button(
                page.text(f"tables.{name}"),
                page.do(partial(_act, page, act)),
                kind="primary" if name == "do" else "",
                disabled=not ready,
                key=f"tables {name}",
            )


def _act(page: Page, act: Any) -> None:
    act(page.session, plan_of(page))


def _result(page: Page, view: TablesView) -> None:
    with card("result"):
        heading(page.text("tables.protected" if view.protected else "tables.counted"))
        _verdict(page, view)
        for one in view.tables:
            cell_grid(page, one, protected=view.protected)
        if view.intervals:
            with fold(page.text("tables.audit"), key="audit"):
                words(page.text("tables.audit_hint"), "hint")
                rows = [
                    [cell, *(page.number(number, ",.6g") for number in numbers)]
                    for cell, *numbers in view.intervals
                ]
                heads = [
                    page.text(f"tables.interval_{name}")
                    for name in ("cell", "true", "least", "most")
                ]
                table(heads, rows, caption=page.text("tables.audit"), numeric=(1, 2, 3))
        if view.protected and view.holds:
            _files(page, view)


def _verdict(page: Page, view: TablesView) -> None:
    good = view.holds
    facts = {
        name: sum(int(one[name]) for one in view.facts)
        for name in ("n_cells", "n_unsafe", "n_secondary")
    }
    if not view.protected:
        key = "tables.all_safe" if good else "tables.some_unsafe"
    else:
        key = "tables.holds" if good else "tables.broken"
    with div("verdict"):
        page.mark(holds=good)
        Node("div", page.text(key, **{name: page.number(n) for name, n in facts.items()}))
    if view.sentence:
        words(page.say(view.sentence), "strong")


def _files(page: Page, view: TablesView) -> None:
    session = page.session
    if not view.files:
        button(
            page.text("tables.publish"),
            page.do(lambda: table_actions.publish(session, view.plan)),
            kind="primary",
            disabled=session.busy,
            key="publish tables",
        )
        return
    if view.noted:
        words(page.text("releases.noted", id=view.noted))
    with Node("ul", None, "grid"):
        for paper in PAPERS:
            address, name = session.offered[f"tables {paper}"]
            with Node("li", None, "step"):
                link(page.text(f"tables.paper_{paper}"), address, "strong", download=name)
