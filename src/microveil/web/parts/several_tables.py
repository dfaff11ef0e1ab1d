"""Several tables at once: how to open them, and their links drawn and chosen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from microveil.linked import Link
from microveil.web import linked_actions
from microveil.web.parts.elements import (
    button,
    checkbox,
    div,
    file_field,
    fold,
    heading,
    select,
    words,
)
from microveil.web.parts.link_drawing import draw_links
from microveil.web.project.sheets import sheets_of
from microveil.web.sessions import LinkedWork

if TYPE_CHECKING:
    from microveil.web.parts.page import Page
    from microveil.web.project.linked_tables import LinkedDraft


def send_tables(page: Page) -> None:
    """Send a package of tables, or take all tables of the file that is open."""
    session = page.session
    words(page.text("linked.send_hint"), "hint")
    with div("row middle"):
        file_field(page.text("linked.send"), "linked", ",".join(linked_actions.SUFFIXES))
        path = session.upload
        if path is not None and sheets_of(path, session.upload_name):
            button(
                page.text("linked.take_all", name=session.upload_name),
                page.do(partial(linked_actions.open_tables, session, path, session.upload_name)),
                disabled=session.busy,
                key="take all tables",
            )


def draw_tables(page: Page, work: LinkedWork) -> None:
    """The tables with their links: a picture, and each link to be ticked off."""
    draft = work.draft
    heading(work.source)
    draw_links(page, draft.opened.tables, draft.parsed, draft.people)
    if not draft.opened.links and not draft.links:
        words(page.text("linked.no_links"), "hint")
    for told in dict.fromkeys((*draft.opened.links, *draft.links)):
        checkbox(
            told,
            told in draft.links,
            page.change(partial(_toggle, draft, told)),
            key=f"link {told}",
        )
    with fold(page.text("linked.another"), key="another link"):
        _another(page, draft)


def _toggle(draft: LinkedDraft, told: str, value: object) -> None:
    draft.links = [one for one in draft.links if one != told] + ([told] if value else [])
    draft.counted = draft.direct()


def _another(page: Page, draft: LinkedDraft) -> None:
    """A link that names do not suggest."""
    form = page.form("linked link")
    columns = [f"{one.name}.{column}" for one in draft.opened.tables for column in one.columns]
    options = {name: name for name in columns}
    with div("row"):
        for side in ("from", "to"):
            select(
                page.text(f"linked.link.{side}"),
                options,
                str(form.get(side, columns[0])),
                page.note(form, side),
                key=f"link {side}",
            )
        button(page.text("linked.add_link"), page.do(lambda: _add(draft, form)), key="add link")


def _add(draft: LinkedDraft, form: dict[str, str]) -> None:
    first = next(iter(draft.opened.tables))
    start = f"{first.name}.{next(iter(first.columns))}"
    told = str(Link.parse(f"{form.get('from', start)} -> {form.get('to', start)}"))
    if told not in draft.links:
        draft.links = [*draft.links, told]
        draft.counted = draft.direct()
