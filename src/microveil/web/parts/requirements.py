"""Requirements as a list with marks, and a form for a further one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from microveil.privacy import MODELS
from microveil.texts.naming import name_of, summary
from microveil.web import actions
from microveil.web.parts.elements import Node, button, div, fold, select, words
from microveil.web.parts.spec_fields import collect_values, in_words
from microveil.web.parts.spec_form import spec_form

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def describe_requirement(spec: Any, language: str) -> str:
    """A requirement with its parameters: ``k-anonymity (k = 5)``."""
    tag = type(spec).tag
    said = ", ".join(f"{name} = {value}" for name, value in in_words(spec, language))
    return f"{name_of(language, str(spec.to_dict()[tag]))} ({said})" if tag else said


def requirements(page: Page) -> None:
    """What the result must keep; each can be taken away, others added."""
    plan, language = page.project.plan, page.session.language
    if not plan.require:
        words(page.text("require.none"), "hint")
    for one in plan.require:
        with div("row middle"):
            Node("span", describe_requirement(one, language))
            button(
                "×",
                page.do(partial(_drop, page, one)),
                kind="quiet",
                label=page.text("remove_named", name=describe_requirement(one, language)),
                key=f"drop require {describe_requirement(one, language)}",
            )
    _add(page)


def _drop(page: Page, dropped: Any) -> None:
    plan = page.project.plan
    left = [one for one in plan.require if one != dropped]
    actions.change(page.session, plan.with_require(left))


def _add(page: Page) -> None:
    form = page.form("require")
    kind = str(form.get("kind", "k_anonymity"))
    typed: dict[str, Any] = form.setdefault(kind, {})

    def add() -> None:
        model = MODELS.parse(collect_values(MODELS[kind], typed))
        plan = page.project.plan
        actions.change(page.session, plan.with_require([*plan.require, model]))
        form.pop(kind, None)

    with fold(page.text("require.add"), key="require add"):
        language = page.session.language
        options = {one.kind(): name_of(language, one.kind()) for one in MODELS}
        select(
            page.text("require.model"),
            options,
            kind,
            page.change(lambda v: form.update(kind=v)),
            hint=summary(page.session.language, MODELS[kind]),
            key="require kind",
        )
        spec_form(page, MODELS[kind], typed, page.project.frame.columns, "require")
        button(page.text("require.do"), page.do(add), kind="primary")
