"""Several tables: their links, the roles of each table, and one release of all of them."""

from __future__ import annotations

from functools import partial

from microveil.errors import InputError
from microveil.linked import LinkedRecipe
from microveil.texts import Message
from microveil.web import linked_actions
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    checkbox,
    div,
    fold,
    heading,
    link,
    on_typed,
    select,
    table,
    text_field,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.parts.several_tables import draw_tables, send_tables
from microveil.web.project.linked_tables import ROLES, LinkedDraft, LinkedMade, LinkedTable
from microveil.web.sessions import LinkedWork

FORMATS = {"csv": "CSV", "parquet": "Parquet", "xlsx": "Excel", "sqlite": "SQLite"}
PAPERS = {
    "tables": "linked.paper.tables",
    "report_public": "paper.report_public",
    "report_internal": "paper.report_internal",
    "certificate": "paper.certificate",
    "certificate_pdf": "paper.certificate_pdf",
    "recipe": "linked.paper.recipe",
    "record": "linked.paper.record",
    "metadata": "linked.paper.metadata",
}
"""What can be fetched, and how it is called."""


def content(page: Page) -> None:
    """Open several tables, say what their columns mean, and release them together."""
    with div():
        heading(page.text("linked.title"), 1)
        words(page.text("linked.lead"), "lead")
    work = page.session.linked
    if work is None:
        with card("send tables"):
            send_tables(page)
        return
    with card("tables"):
        draw_tables(page, work)
        send_tables(page)
    _people(page, work.draft)
    _roles(page, work.draft)
    _run(page, work)
    if work.made is not None:
        _result(page, work.made)


def _people(page: Page, draft: LinkedDraft) -> None:
    with card("people"):
        heading(page.text("linked.people"))
        with div("grid"):
            select(
                page.text("linked.people_table"),
                {one.name: one.name for one in draft.opened.tables},
                draft.people,
                page.change(partial(_choose_people, draft)),
                hint=page.text("linked.people_hint", column=draft.key),
                key="people table",
            )
            text_field(
                page.text("linked.k"),
                str(draft.k),
                page.change(partial(_set_k, draft)),
                hint=page.text("linked.k_hint"),
                key="k",
                inputmode="numeric",
            )
        for name in draft.children():
            checkbox(
                page.text("linked.counted", table=name),
                name in draft.counted,
                page.change(partial(_toggle, draft.counted, name)),
                key=f"counted {name}",
            )
        checkbox(
            page.text("linked.coarsen"),
            draft.coarsen,
            page.change(lambda value: setattr(draft, "coarsen", bool(value))),
            hint=page.text("linked.coarsen_hint"),
            key="coarsen",
        )


def _choose_people(draft: LinkedDraft, name: str) -> None:
    draft.people = name
    draft.counted = draft.direct()


def _set_k(draft: LinkedDraft, value: str) -> None:
    if not value.strip().isdecimal() or int(value) < 2:  # noqa: PLR2004  k = 1 protects nobody
        raise InputError(Message("app.k_number", "k is a whole number of at least 2."))
    draft.k = int(value)


def _toggle(names: list[str], name: str, value: object) -> None:
    if name in names:
        names.remove(name)
    if value:
        names.append(name)


def _roles(page: Page, draft: LinkedDraft) -> None:
    with card("roles"):
        heading(page.text("linked.roles"))
        words(page.text("linked.roles_hint"), "hint")
        for one in draft.opened.tables:
            with fold(one.name, open_=one.name == draft.people, key=f"roles {one.name}"):
                _table_roles(page, draft, one)


def _table_roles(page: Page, draft: LinkedDraft, one: LinkedTable) -> None:
    keys = draft.key_columns(one.name)
    if keys:
        words(page.text("linked.keys", names=", ".join(sorted(keys))), "hint")
    told = {"": page.text("linked.role.none")} | {
        role: page.text(f"linked.role.{role}") for role in ROLES
    }
    with div("grid"):
        for column in one.columns:
            if column not in keys:
                select(
                    column,
                    told,
                    draft.roles[one.name].get(column, ""),
                    page.change(partial(_set_role, draft, one.name, column)),
                    key=f"role {one.name}.{column}",
                )


def _set_role(draft: LinkedDraft, table_: str, column: str, role: str) -> None:
    draft.roles[table_].pop(column, None)
    if role:
        draft.roles[table_][column] = role


def _run(page: Page, work: LinkedWork) -> None:
    form, session = page.form("linked"), page.session
    with card("run"):
        heading(page.text("linked.run"))
        with div("row"):
            select(
                page.text("release.format"),
                FORMATS,
                str(form.get("suffix", "csv")),
                page.note(form, "suffix"),
                key="linked format",
            )
            button(
                page.text("linked.run_it"),
                page.do(lambda: _start(page, typed=False)),
                kind="primary",
                disabled=session.busy,
                key="run linked",
            )
        with fold(page.text("linked.edit"), key="edit recipe"):
            words(page.text("linked.edit_hint"), "hint")
            shown = form.get("recipe") or (work.made.recipe if work.made else None)
            box = Node("textarea", None, "input recipe", rows=16, spellcheck="false",
                       aria_label=page.text("linked.edit"), data_key="linked recipe")  # fmt: skip
            box.show(shown or work.draft.recipe().to_yaml())
            on_typed(box, page.note(form, "recipe"))
            button(
                page.text("linked.run_typed"),
                page.do(lambda: _start(page, typed=True)),
                disabled=session.busy,
                key="run typed",
            )


def _start(page: Page, *, typed: bool) -> None:
    form, work = page.form("linked"), linked_actions.work_of(page.session)
    text = str(form.get("recipe") or (work.made.recipe if work.made else ""))
    recipe = LinkedRecipe.from_yaml(text) if typed and text else None
    linked_actions.run(page.session, str(form.get("suffix", "csv")), recipe)


def _result(page: Page, made: LinkedMade) -> None:
    with card("linked result"):
        heading(page.text("linked.result"))
        if not made.checks:
            words(page.text("release.nothing_required"), "hint")
        for check in made.checks:
            with div("verdict"):
                page.mark(holds=check.holds)
                Node("div", page.say(check.sentence))
        rows = [[page.text("linked.n_people"), *map(page.number, made.n_people)]]
        rows.append([page.text("linked.alike"), *("–" if k is None else str(k) for k in made.k)])
        rows += [
            [page.text("linked.rows_of", table=name), *map(page.number, sizes)]
            for name, sizes in made.sizes.items()
        ]
        heads = ["", page.text("linked.before"), page.text("linked.after")]
        table(heads, rows, caption=page.text("linked.result"), numeric=(1, 2))
        if not made.holds:
            words(page.text("linked.refused"), "strong")
            return
        if made.noted:
            words(page.text("releases.noted", id=made.noted))
            words(page.say(made.sentence), "strong")
        if made.n_people[1] < made.n_people[0] / 2:
            words(page.text("linked.few_left"), "strong")
        with Node("ul", None, "grid"):
            for paper, told in PAPERS.items():
                offered = page.session.offered.get(f"linked {paper}")
                if offered is not None:
                    with Node("li", None, "step"):
                        link(page.text(told), offered[0], "strong", download=offered[1])
