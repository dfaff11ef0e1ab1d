"""A table read from a database: address, user and password, then the table to choose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from microveil.web import actions
from microveil.web.parts.elements import button, div, fold, select, text_field, words
from microveil.web.project.databases import check_login

if TYPE_CHECKING:
    from microveil.web.parts.page import Page

FIELDS = ("address", "user", "password")


def database_form(page: Page) -> None:
    """Nothing where this app may read neither database servers nor files of its machine."""
    server, session = page.server, page.session
    local = server.address.loopback
    if not (server.databases or local):
        return

    def tables() -> None:
        check_login(session.login, local=local, servers=server.databases or local)
        actions.list_tables(session)

    with fold(page.text("database.title"), key="database"):
        words(page.text("database.lead" if local else "database.lead_servers"), "hint")
        with div("grid"):
            for name in FIELDS:
                _field(page, name)
        with div("row"):
            button(page.text("database.tables"), page.do(tables), disabled=session.busy)
        if session.tables:
            _choose(page)


def _field(page: Page, name: str) -> None:
    """A field; what was typed as a password, or into an address, is not sent back."""
    session, login = page.session, page.session.login
    shown = {"address": login.shown, "user": login.user, "password": ""}[name]

    def note(value: str) -> None:
        if value.strip() != shown:
            session.login = replace(session.login, **{name: value.strip()})
            session.tables = []

    kept = name == "password" and bool(login.password)
    text_field(
        page.text(f"database.{name}"),
        shown,
        note,  # not drawn anew: the next click may be under way
        type_="password" if name == "password" else "text",
        placeholder=page.text("database.kept") if kept else "",
        key=f"database {name}",
    )


def _choose(page: Page) -> None:
    session, form = page.session, page.form("database")
    chosen = str(form.get("table") or session.tables[0])
    chosen = chosen if chosen in session.tables else session.tables[0]
    with div("row"):
        select(
            page.text("data.table"),
            {name: name for name in session.tables},
            chosen,
            page.note(form, "table"),
            key="database table",
        )
        button(
            page.text("database.read"),
            page.do(lambda: actions.read_table(session, str(form.get("table") or chosen))),
            kind="primary",
            disabled=session.busy,
            key="database read",
        )
