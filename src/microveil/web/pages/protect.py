"""Protect: add, change, move, switch off and undo steps, each with its effect."""

from __future__ import annotations

from functools import partial

from microveil.app.effects import Effect
from microveil.methods import METHODS
from microveil.texts.naming import summary
from microveil.web import actions
from microveil.web.parts.best_recipe import ask_audience, best_recipe
from microveil.web.parts.charts import Point, ru_map
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    div,
    fold,
    heading,
    link,
    text_field,
    words,
)
from microveil.web.parts.families import families
from microveil.web.parts.page import Page
from microveil.web.parts.requirements import requirements
from microveil.web.parts.spec_fields import collect_values
from microveil.web.parts.spec_form import spec_form
from microveil.web.parts.step_list import step_list


def content(page: Page) -> None:
    """What must hold, the steps so far, the map, and further steps."""
    with div():
        heading(page.text("protect.title"), 1)
        words(page.text("protect.lead"), "lead")
    with card("require"):
        heading(page.text("require.title"))
        requirements(page)
    best_recipe(page)
    with card("steps"):
        with div("row spread middle"):
            heading(page.text("protect.steps"))
            _history(page)
        step_list(page)
        _why(page)
        _suggest(page)
    _map(page)
    _form(page)
    _choose(page)
    with div("row"):
        link(page.text("next.compare"), "/compare", "button primary")


def _history(page: Page) -> None:
    history = page.project.history
    with div("row"):
        button(
            f"↶ {page.text('undo')}",
            page.do(lambda: actions.undo(page.session)),
            disabled=not history.can_undo,
            key="undo",
        )
        button(
            f"↷ {page.text('redo')}",
            page.do(lambda: actions.redo(page.session)),
            disabled=not history.can_redo,
            key="redo",
        )


def _why(page: Page) -> None:
    """The reasons of suggested steps, as long as nobody has changed them."""
    if not page.project.why:
        return
    with fold(page.text("protect.why"), key="why"), Node("ul"):
        for reason in page.project.why:
            Node("li", page.say(reason))


def _suggest(page: Page) -> None:
    form = page.form("suggest")

    def suggest() -> None:
        typed = str(form.get("k", "")).strip()
        audience = str(form.get("audience", "")) or None
        actions.suggest(page.session, int(typed) if typed.isdigit() else None, audience)

    words(page.text("protect.alternative"), "hint")
    with div("row"):
        ask_audience(page, form, "suggest audience")
        text_field(
            page.text("protect.k"),
            str(form.get("k", "")),
            page.note(form, "k"),
            hint=page.text("protect.k_hint"),
            type_="number",
            min=2,
            key="suggest k",
        )
        button(
            page.text("protect.suggest"),
            page.do(suggest),
            key="suggest",
        )


def _map(page: Page) -> None:
    project = page.project
    keys = project.keys()
    names = [page.text("find.original"), *(f"{i}" for i in range(1, len(keys)))]
    points = [
        point_of(
            name, effect, page, "now" if place == len(keys) - 1 else "start" if not place else ""
        )
        for place, (name, key) in enumerate(zip(names, keys, strict=True))
        if (effect := project.effects.get(key)) is not None and effect.average_risk is not None
    ]
    if len(points) > 1:
        with card("map"):
            heading(page.text("map.title"))
            ru_map(points, page.text("map.risk"), page.text("map.loss"), page.text("map.caption"))


def point_of(name: str, effect: Effect, page: Page, kind: str = "") -> Point:
    """A state as a point of the map."""
    note = page.text(
        "map.note",
        k=effect.k,
        risk=page.number(effect.average_risk or 0, "%"),
        loss=page.number(effect.loss, "%"),
    )
    return Point(name, effect.average_risk or 0.0, effect.loss, note, kind)


def _form(page: Page) -> None:
    """The form of the step that is being added or changed."""
    form = page.form("step")
    kind = form.get("kind")
    if kind is None:
        return
    method, typed, position = METHODS[kind], form.setdefault("typed", {}), form.get("position")

    def add_step() -> None:
        step = METHODS.parse(collect_values(method, typed))
        actions.change(page.session, page.project.plan.with_step(step, position))
        form.clear()

    with card("form", id="step-form"):
        heading(page.method(kind))
        words(summary(page.session.language, method), "hint")
        spec_form(page, method, typed, page.project.frame.columns)
        with div("row"):
            button(
                page.text("protect.add" if position is None else "protect.change"),
                page.do(add_step),
                kind="primary",
                key="step done",
            )
            button(page.text("back"), page.do(form.clear), key="step back")


def _choose(page: Page) -> None:
    form = page.form("step")

    def begin(kind: str) -> None:
        form.clear()
        form["kind"] = kind
        if typed := page.project.plan.prefill(METHODS[kind]):
            form["typed"] = typed

    with card("choose"):
        heading(page.text("protect.further"))
        for family, kinds in families().items():
            with fold(page.text(f"family.{family}"), key=f"family {family}"):
                for kind in kinds:
                    with div("method"):
                        button(
                            page.method(kind),
                            page.do(partial(begin, kind)),
                            key=f"method {kind}",
                        )
                        words(summary(page.session.language, METHODS[kind]), "hint", "span")
