"""Roles: what each column means for disclosure, suggested with reasons and set by a click."""

from __future__ import annotations

from functools import partial
from typing import Any

from microveil.app.inspection.result import ColumnProfile
from microveil.methods import Method, SetMissing
from microveil.tables import Roles
from microveil.texts import join, translate
from microveil.web import actions
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    checkbox,
    div,
    fold,
    heading,
    link,
    on_drop,
    radios,
    select,
    text_field,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.project.role_change import LISTS, role_of, with_role, with_single

SINGLES = ("weight", "household", "entity")


def content(page: Page) -> None:
    """One card per column, then columns with a special task, then scenarios."""
    with div():
        heading(page.text("roles.title"), 1)
        words(page.text("roles.lead"), "lead")
    _cautions(page)
    _lanes(page)
    with Node("section", None, "columns-list", name_="columns"):
        for profile in page.project.inspection.columns:
            _card(page, profile)
    _special(page)
    _scenarios(page)
    with div("row"):
        button(page.text("roles.suggested"), page.do(lambda: _take_suggestion(page)))
        link(page.text("next.risk"), "/risk", "button primary")


def _cautions(page: Page) -> None:
    """What was noticed; what a step sees to comes first, with a button that adds the step."""
    taken = [item.step for item in page.project.plan.items]
    noticed = [one for one in page.project.inspection.warnings if one.step not in taken]
    mended = [one for one in noticed if one.step is not None]
    others = [one for one in noticed if one.step is None][: max(0, 5 - len(mended))]
    for caution in (*mended, *others):
        with div("notice"):
            Node("span", page.say(caution.text), "notice-text")
            if caution.step is not None:
                missing = isinstance(caution.step, SetMissing)
                name = page.method(caution.step.kind())
                button(
                    page.text("roles.make_missing")
                    if missing
                    else page.text("release.mend_with", name=name),
                    page.do(partial(_begin_with, page, caution.step)),
                    key=f"mend {caution.topic} {' '.join(caution.columns)}",
                )


def _begin_with(page: Page, step: Method) -> None:
    actions.change(page.session, page.project.plan.beginning_with(step))


def _change(page: Page, roles: Roles) -> None:
    actions.change(page.session, page.project.plan.with_roles(roles))


def _take_suggestion(page: Page) -> None:
    _change(page, page.project.inspection.roles)


def task_of(roles: Roles, column: str) -> str:
    """The special task of a column; empty if it has none."""
    return next((single for single in SINGLES if getattr(roles, single) == column), "")


def _lanes(page: Page) -> None:
    """A place for each role that cards can be dragged to; the keyboard has the cards' buttons.

    A column with a special task and no role is not undecided: its task is shown on its card.
    """
    roles = page.project.plan.roles
    with div("lanes", aria_hidden="true"):
        for role in (*LISTS, "none"):
            names = [name for name in page.project.frame.columns if role_of(roles, name) == role]
            if role == "none":
                names = [name for name in names if not task_of(roles, name)]
            with div("lane", data_lane="column") as lane:
                Node("span", page.text(f"role.{role}"), "strong")
                Node("span", ", ".join(names) or page.text("roles.drag"), "hint")
            on_drop(lane, page.change(partial(_give, page, role)))


def _give(page: Page, role: str, name: str) -> None:
    """Give a column the role of the lane that its card was dropped on."""
    if name in page.project.frame.columns:
        _change(page, with_role(page.project.plan.roles, name, role))


def _card(page: Page, profile: ColumnProfile) -> None:
    roles = page.project.plan.roles
    name = profile.name
    card = Node(
        "article",
        None,
        "col-card",
        draggable="true",
        data_drag="column",
        data_name=name,
        name_=f"column {name}",
    )
    with card:
        with div("row spread middle"):
            heading(name, 2, "column-name")
            words(page.say(profile.dtype), "hint", "span")
        share = profile.separation
        told = page.text(
            "roles.telling", share=page.number(share, "%"), n=page.number(profile.n_distinct)
        )
        with div("meter bad" if profile.uniqueness > 0.5 else "meter", role="img", aria_label=told):  # noqa: PLR2004
            Node("span").style(f"width:{100 * share:.0f}%")
        words(told, "hint")
        if profile.n_missing:
            words(page.text("roles.missing", share=page.number(profile.missing_share, "%")), "hint")
        words(translate(join(profile.reasons, "; "), page.session.language), "hint")
        choices = {role: page.text(f"role.{role}") for role in LISTS}
        choices["none"] = page.text(f"role.{task_of(roles, name) or 'none'}")
        radios(
            page.text("roles.of", column=name),
            f"role {name}",
            choices,
            role_of(roles, name),
            page.change(lambda role: _change(page, with_role(page.project.plan.roles, name, role))),
        )


def _special(page: Page) -> None:
    roles = page.project.plan.roles
    columns = {"": page.text("none")} | {name: name for name in page.project.frame.columns}
    with card("special"):
        heading(page.text("roles.special"))
        with div("grid"):
            for single in SINGLES:
                select(
                    page.text(f"role.{single}"),
                    columns,
                    getattr(roles, single) or "",
                    page.change(partial(_settle, page, single)),
                    hint=page.text(f"role.{single}_hint"),
                    key=single,
                )


def _settle(page: Page, single: str, column: str) -> None:
    _change(page, with_single(page.project.plan.roles, single, column))


def _scenario(page: Page, name: str) -> None:
    """A scenario with its keys, which can be removed."""
    roles = page.project.plan.roles

    def drop() -> None:
        now = page.project.plan.roles
        left = {one: keys for one, keys in now.scenarios.items() if one != name}
        _change(page, now.model_copy(update={"scenarios": left}))

    with div("row middle"):
        Node("span", f"{name}: {', '.join(roles.scenarios[name])}")
        button(
            "×",
            page.do(drop),
            kind="quiet",
            label=page.text("remove_named", name=name),
            key=f"drop {name}",
        )


def _scenarios(page: Page) -> None:
    roles = page.project.plan.roles
    form: dict[str, Any] = page.form("scenario")

    def add() -> None:
        chosen = tuple(form.get("columns", ()))
        name = str(form.get("name", "")).strip() or page.text(
            "scenario.name", n=len(roles.scenarios) + 1
        )
        raw = roles.to_dict() | {"scenarios": {**roles.scenarios, name: chosen}}
        _change(page, Roles.parse(raw))
        form.clear()

    def tick(column: str, on: bool) -> None:  # noqa: FBT001  a box's state
        chosen = [one for one in form.get("columns", []) if one != column]
        form["columns"] = [*chosen, column] if on else chosen

    with fold(page.text("scenario.title"), key="scenarios"):
        words(page.text("scenario.lead"), "hint")
        for name in roles.scenarios:
            _scenario(page, name)
        text_field(page.text("scenario.new"), form.get("name", ""), page.note(form, "name"))
        with div("chips"):
            for column in page.project.frame.columns:
                checkbox(
                    column,
                    column in form.get("columns", []),
                    partial(tick, column),
                    classes="chip",
                    key=f"scenario {column}",
                )
        button(page.text("scenario.add"), page.do(add))
