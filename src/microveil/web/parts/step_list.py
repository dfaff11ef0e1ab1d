"""The steps of the plan: what each does, what it changed, and buttons for it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from microveil.app.effects import Effect
from microveil.web import actions
from microveil.web.parts.elements import Node, button, div, fold, on_drop, words
from microveil.web.parts.facts import facts_in_words
from microveil.web.parts.lattice_view import lattice_picture, levels_in_words
from microveil.web.parts.spec_fields import in_words, typed_of
from microveil.web.project.plan import Item, ProjectPlan

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


SEARCHED = ("strategy", "n_nodes", "n_checked", "proved", "node", "levels")
"""What a search reports about itself; where its lattice is shown, it says so already."""


def step_list(page: Page) -> None:
    """Each step as a card; an invitation where there is none."""
    plan = page.project.plan
    if not plan.items:
        words(page.text("protect.empty"), "hint")
        return
    keys, names = page.project.keys(), step_names(plan)
    place = 0
    with Node("ol", None, "grid two").style("grid-template-columns: 1fr"):
        for position, item in enumerate(plan.items):
            before = keys[place]
            if item.on:
                place += 1
            with _place(page, position, item, names[position]):
                _head(page, position, item, names[position])
                if item.on:
                    _effect(page, item, before, keys[place])
                    _lattice(page, position, keys[place])
    if not page.project.up_to_date() and not page.session.busy:  # the work failed, or was ended
        again = page.do(lambda: actions.refresh(page.session))
        button(page.text("step.work_out"), again, key="work out")


def step_names(plan: ProjectPlan) -> list[str]:
    """A name for each step that it keeps wherever it is moved to."""
    names: list[str] = []
    for item in plan.items:
        name = hashlib.blake2b(item.step.identity.encode(), digest_size=6).hexdigest()
        names.append(f"{name}.{sum(one.startswith(name) for one in names)}")
    return names


def _place(page: Page, position: int, item: Item, name: str) -> Node:
    """A step's card, which can be dragged to another one's place; the keyboard has the arrows."""
    card = Node(
        "li",
        None,
        "step" if item.on else "step off",
        draggable="true",
        data_drag="step",
        data_lane="step",
        data_name=str(position),
        name_=f"step {name}",
    )

    def drop(came: str) -> None:
        plan = page.project.plan
        if came.isdecimal() and int(came) < len(plan.items):
            actions.change(page.session, plan.move(int(came), position - int(came)))

    return on_drop(card, page.change(drop))


def _head(page: Page, position: int, item: Item, name: str) -> None:
    told = f"{position + 1}. {page.method(item.step.kind())}"

    def edit() -> None:
        form = page.form("step")
        form.clear()
        form.update(kind=item.step.kind(), position=position, typed=typed_of(item.step))

    with div("row spread middle"):
        with div():
            Node("div", told, "step-name")
            Node("div", _parameters(item, page.session.language), "hint")
        with div("row"):
            for sign, label, change in (
                ("↑", "step.up", lambda plan, at: plan.move(at, -1)),
                ("↓", "step.down", lambda plan, at: plan.move(at, 1)),
                (
                    page.text("off" if item.on else "on"),
                    "step.off" if item.on else "step.on",
                    lambda plan, at: plan.switch(at),
                ),
                ("×", "remove_named", lambda plan, at: plan.without_step(at)),
            ):
                button(
                    sign,
                    page.do(partial(_change_plan, page, name, change)),
                    kind="quiet",
                    label=page.text(label, name=told),
                    hint=page.text(label, name=told),
                    key=f"{label} {name}",
                )
            button(
                page.text("edit"),
                page.do(edit),
                label=page.text("edit_named", name=told),
                key=f"edit {name}",
            )


def _change_plan(page: Page, name: str, change: Callable[[ProjectPlan, int], ProjectPlan]) -> None:
    """Change the plan as it is now: another click may have moved the step, or removed it."""
    plan = page.project.plan
    names = step_names(plan)
    if name in names:
        actions.change(page.session, change(plan, names.index(name)))


def _parameters(item: Item, language: str) -> str:
    return " · ".join(f"{name}: {value}" for name, value in in_words(item.step, language))


def _effect(page: Page, item: Item, before: str, after: str) -> None:
    """Risk and loss before and after, as soon as they are known."""
    effects = page.project.effects
    first, second = effects.get(before), effects.get(after)
    if second is None:
        words(page.text("step.waiting"), "hint")
        return
    with div("effect"):
        if first is not None and second.k is not None:
            _draw_change(page, "k", first.k, second.k, more_is_better=True)
            _draw_change(page, page.text("risk.unique"), first.n_unique, second.n_unique)
        _share(page, page.text("map.loss"), first, second)
        if first is not None and first.n_records != second.n_records:
            _draw_change(
                page, page.text("records"), first.n_records, second.n_records, more_is_better=True
            )
    view = page.project.lattices.get(after)
    if view is not None and "levels" in second.facts:
        words(levels_in_words(page, view, second.facts["levels"]), "hint")
    said = {*item.step.to_dict(), *(SEARCHED if view is not None else ())}
    told = facts_in_words(second.facts, said, page.session.language)
    if told:
        words(told, "hint")


def _draw_change(
    page: Page, name: str, before: int | None, after: int | None, *, more_is_better: bool = False
) -> None:
    tone = ""
    if before is not None and after is not None and before != after:
        tone = "better" if (after > before) == more_is_better else "worse"
    Node("span", f"{name}: {_number(page, before)} → {_number(page, after)}", tone)


def _share(page: Page, name: str, before: Effect | None, after: Effect) -> None:
    start = 0.0 if before is None else before.loss
    Node("span", f"{name}: {page.number(start, '%')} → {page.number(after.loss, '%')}")


def _number(page: Page, value: int | None) -> str:
    return "–" if value is None else page.number(value)


def _lattice(page: Page, position: int, key: str) -> None:
    view = page.project.lattices.get(key)
    if view is not None:
        told = page.text("lattice.title", n=page.number(view.n_nodes))
        with fold(told, key=f"lattice {position}"):
            lattice_picture(page, position, key, view)
