"""Requirements as a list with marks, and a form for a further one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from microveil.privacy import MODELS
from microveil.web import actions
from microveil.web.parts.elements import Node, button, div, folded, select, words
from microveil.web.parts.spec_fields import collected
from microveil.web.parts.spec_form import spec_form
from microveil.web.texts.specs import summary

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def in_words(spec: Any) -> str:
    """A requirement with its parameters: ``k anonymity (k 5)``."""
    plain = spec.to_dict()
    tag = type(spec).tag
    name = str(plain.pop(tag, "")) if tag else ""
    said = ", ".join(f"{key} {value}" for key, value in plain.items())
    return f"{name.replace('_', ' ')} ({said})" if name else said


def requirements(page: Page) -> None:
    """What the result must keep; each can be taken away, others added."""
    plan = page.project.plan
    if not plan.require:
        words(page.text("require.none"), "hint")
    for one in plan.require:
        with div("row middle"):
            Node("span", in_words(one))
            button(
                "×",
                page.do(partial(_drop, page, one)),
                kind="quiet",
                label=page.text("remove_named", name=in_words(one)),
                key=f"drop require {in_words(one)}",
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
        model = MODELS.parse(collected(MODELS[kind], typed))
        plan = page.project.plan
        actions.change(page.session, plan.with_require([*plan.require, model]))
        form.pop(kind, None)

    with folded(page.text("require.add"), key="require add"):
        options = {one.kind(): one.kind().replace("_", " ") for one in MODELS}
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
