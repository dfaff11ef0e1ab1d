"""Find me the best: what matters, the candidates on the map, and a click that takes one over."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from microveil.app.advising import Advice, Candidate, Goal
from microveil.app.advising.advice import TITLES
from microveil.app.advising.goal import LOSSES
from microveil.app.suggesting import AUDIENCES, K_BY_AUDIENCE, default_ground
from microveil.errors import InputError
from microveil.tables import Table
from microveil.texts import Message
from microveil.texts.naming import choice
from microveil.web import actions
from microveil.web.parts.charts import Point, ru_map
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    div,
    fold,
    heading,
    select,
    text_field,
    words,
)

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def best_recipe(page: Page) -> None:
    """What the best recipe is chosen by, and what was found."""
    with card("best"):
        heading(page.text("best.title"))
        words(page.text("best.lead"), "hint")
        _ask(page)
        advice = page.project.advice
        if advice is None:
            return
        if advice.fits(page.project.recipe):
            _answer(page, advice)
        else:
            words(page.text("best.again"), "hint")


def _ask(page: Page) -> None:
    form = page.form("best")
    chosen = str(form.get("loss", LOSSES[0]))
    with div("grid"):
        select(
            page.text("best.loss"),
            {one: page.text(f"best.{one}") for one in LOSSES},
            chosen,
            page.change(partial(form.__setitem__, "loss")),
            key="best loss",
        )
        if chosen == "prediction":
            columns = {"": page.text("none")} | {name: name for name in page.project.frame.columns}
            target = str(form.get("target", ""))
            note = page.note(form, "target")
            select(page.text("compare.target"), columns, target, note, key="best target")
        for name in ("max_risk", "max_loss"):
            _number(page, form, name, 0, 100)
        if not page.project.plan.require:
            ask_audience(page, form, "best audience")
            _number(page, form, "k", 2, 1_000_000, page.text("protect.k_hint"))
    with div("row"):
        button(
            page.text("best.find"),
            page.do(lambda: actions.find_best(page.session, goal_of(form))),
            kind="primary",
            disabled=page.session.busy,
            key="best find",
        )


def ask_audience(page: Page, form: dict[str, Any], key: str) -> None:
    """Who will read the data, with the k that follows; typing a k goes before."""
    by_size = default_ground(Table(page.project.frame, page.project.plan.roles)).k
    options = {"": page.text("audience.by_size", k=by_size)} | {
        one: page.text(f"audience.{one}", k=K_BY_AUDIENCE[one]) for one in AUDIENCES
    }
    select(
        page.text("audience.who"),
        options,
        str(form.get("audience", "")),
        page.note(form, "audience"),
        hint=page.text("audience.hint"),
        key=key,
    )


def _number(
    page: Page, form: dict[str, Any], name: str, least: int, most: int, hint: str = ""
) -> None:
    text_field(
        page.text(f"best.{name}"),
        str(form.get(name, "")),
        page.note(form, name),
        hint=hint,
        type_="number",
        key=f"best {name}",
        min=least,
        max=most,
    )


def goal_of(form: dict[str, Any]) -> Goal:
    """The goal as it was typed; shares are typed in percent.

    >>> goal_of({"loss": "cell_changes", "max_loss": "5"}).max_loss
    0.05
    """
    k = str(form.get("k", "")).strip()
    risk, loss = _share(form, "max_risk"), str(form.get("loss", LOSSES[0]))
    require: list[Any] = [{"model": "k_anonymity", "k": max(int(k), 2)}] if k.isdigit() else []
    if risk is not None:
        require.append({"measure": "class_sizes", "part": "average_risk", "at_most": risk})
    plain = {
        "require": require,
        "loss": None if loss in (LOSSES[0], "prediction") else loss,
        "max_loss": _share(form, "max_loss"),
        "audience": str(form.get("audience", "")) or None,
        "truthful": True,
        "analyses": _analyses(form) if loss == "prediction" else [],
    }
    return Goal.parse({name: value for name, value in plain.items() if value})


def _analyses(form: dict[str, Any]) -> list[dict[str, str]]:
    target = str(form.get("target", ""))
    if not target:
        raise InputError(
            Message(
                "app.choose_column_models_should", "Choose the column that models should predict."
            )
        )
    return [{"analysis": "prediction", "target": target}]


def loss_of(goal: Goal) -> str:
    """What a goal counts as loss, as the form names it."""
    return goal.loss or ("prediction" if goal.analyses else LOSSES[0])


def _share(form: dict[str, Any], name: str) -> float | None:
    typed = str(form.get(name, "")).strip().replace(",", ".")
    if not typed:
        return None
    try:
        return float(typed) / 100
    except ValueError:
        raise InputError(
            Message("app.type_limit_number_percent", "Type a limit as a number, in percent.")
        ) from None


def _answer(page: Page, advice: Advice) -> None:
    shown = [one for one in advice.candidates if one.risk is not None and one.loss is not None]
    if advice.best is None:
        with div("notice error"):
            Node("span", page.say(advice.problem), "notice-text")
    else:
        with div("notice success"):
            found = page.text(
                "best.found", name=name_candidate(page, advice.best), n=len(advice.candidates)
            )
            Node("span", found, "notice-text")
            button(
                page.text("best.take"),
                page.do(partial(actions.take_over, page.session, advice.best)),
                kind="primary",
                key="best take",
            )
    _offers(page, advice)
    for caution in advice.cautions:
        words(page.say(caution), "hint")
    points = [_point(page, place, one, advice) for place, one in enumerate(shown, 1)]
    points.reverse()  # the best one is drawn last, on top of its neighbours
    if points:
        loss = page.text("best.axis", name=page.text(f"best.{loss_of(advice.goal)}").lower())
        ru_map(
            points,
            page.text("map.risk"),
            loss,
            page.text("best.caption"),
            fitted=True,
            language=page.session.language,
        )
    _list(page, advice)


def _offers(page: Page, advice: Advice) -> None:
    """The recipe for each taste with a click that takes it over, and why it was chosen."""
    for one in advice.offers:
        title = page.say(TITLES[one.taste])
        with fold(f"{title}: {name_candidate(page, one.candidate)}", key=f"best {one.taste}"):
            words(_figures(page, one.candidate), "hint")
            with Node("ul"):
                for reason in advice.why.get(one.taste, ()):
                    Node("li", page.say(reason))
            button(
                page.text("best.take"),
                page.do(partial(actions.take_over, page.session, one.candidate)),
                label=page.text("best.take_named", name=title),
                key=f"best take {one.taste}",
            )
    with Node("ul"):
        for price in advice.prices:
            Node("li", page.say(price.sentence()))


def _point(page: Page, place: int, one: Candidate, advice: Advice) -> Point:
    return Point(
        str(place),
        one.risk or 0.0,
        one.loss or 0.0,
        f"{name_candidate(page, one)}; {_figures(page, one)}",
        "now" if place == 1 and advice.best is not None else "" if one.holds else "failed",
        page.do(partial(actions.take_over, page.session, one)),
    )


def name_candidate(page: Page, one: Candidate) -> str:
    """A candidate in words: its method and its setting."""
    if not one.kind:
        return page.text("best.now")
    detail = ", ".join(_setting(page, part) for part in one.detail.split(", "))
    return f"{page.method(one.kind)} ({detail})"


def _setting(page: Page, part: str) -> str:
    """One of a candidate's settings: a mode, the share it may suppress, or its k."""
    if part.endswith("%"):
        share = page.number(int(part[:-1]) / 100, "%")
        return page.text("best.none_suppressed" if part == "0%" else "best.suppressed", share=share)
    return part.replace("k ", "k = ") if part[:2] == "k " else choice(page.session.language, part)


def _figures(page: Page, one: Candidate) -> str:
    if one.risk is None or one.loss is None:
        return page.say(one.problem) if one.problem else page.text("best.failed")
    told = page.text(
        "best.figures", risk=page.number(one.risk, "%"), loss=page.number(one.loss, "%")
    )
    return told if one.holds else f"{told}; {page.text('best.failed')}"


def _list(page: Page, advice: Advice) -> None:
    with fold(page.text("best.all", n=len(advice.candidates)), key="best all"), Node("ol"):
        for place, one in enumerate(advice.candidates, 1):
            with Node("li", None, "row middle spread"):
                with div():
                    Node("span", f"{place}. {name_candidate(page, one)}", "strong")
                    Node("span", _figures(page, one), "hint block")
                button(
                    page.text("best.take"),
                    page.do(partial(actions.take_over, page.session, one)),
                    label=page.text(
                        "best.take_named", name=f"{place}. {name_candidate(page, one)}"
                    ),
                    key=f"best take {place}",
                )
