"""Outputs: a checker's page for a package of outputs, with a verdict on each."""

from __future__ import annotations

from microveil.errors import InputError
from microveil.tabulation.outputs.appetite import PRESETS, RiskAppetite
from microveil.texts import Message
from microveil.web import table_actions
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    div,
    file_field,
    heading,
    select,
    table,
    text_field,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.project.output_checks import OutputsView

MOST_FINDINGS = 200
"""Cells that are listed."""
MARKS = {"pass": ("✔", "good"), "review": ("?", "warn"), "fail": ("✘", "bad")}


def content(page: Page) -> None:
    """Send outputs, say how careful to be, and see what they give away together."""
    with div():
        heading(page.text("outputs.title"), 1)
        words(page.text("outputs.lead"), "lead")
    _send(page)
    if page.session.outputs_view is not None:
        _result(page, page.session.outputs_view)


def _send(page: Page) -> None:
    session, form = page.session, page.form("outputs")
    preset = str(form.get("appetite", "acro"))
    with card("send"):
        heading(page.text("outputs.package"))
        with div("grid two"):
            for what in ("outputs", "accepted"):
                with div("field"):
                    file_field(page.text(f"outputs.{what}"), what, ".zip")
                    name = session.packages.get(what, (None, ""))[1]
                    words(name or page.text(f"outputs.{what}_hint"), "strong" if name else "hint")
        with div("grid"):
            select(
                page.text("outputs.appetite"),
                {name: page.text(f"outputs.preset_{name}") for name in PRESETS},
                preset,
                page.change(lambda value: form.update(appetite=value, threshold="")),
                hint=page.text("outputs.appetite_hint"),
                key="appetite",
            )
            text_field(
                page.text("outputs.threshold"),
                str(form.get("threshold") or RiskAppetite.preset(preset).threshold),
                page.note(form, "threshold"),
                hint=page.text("outputs.threshold_hint"),
                key="threshold",
                inputmode="numeric",
            )
        button(
            page.text("outputs.check"),
            page.do(lambda: _check(page)),
            kind="primary",
            disabled=session.busy or "outputs" not in session.packages,
            key="check outputs",
        )


def _check(page: Page) -> None:
    form = page.form("outputs")
    typed = str(form.get("threshold") or "").strip()
    if typed and not typed.isdecimal():
        raise InputError(Message("app.threshold_number", "The threshold is a whole number."))
    preset = str(form.get("appetite", "acro"))
    table_actions.check_outputs(page.session, preset, int(typed) if typed else None)


def _mark(page: Page, verdict: str) -> None:
    sign, tone = MARKS[verdict]
    Node("span", sign, f"mark {tone}", role="img", aria_label=page.text(f"outputs.is_{verdict}"))


def _result(page: Page, view: OutputsView) -> None:
    with card("verdicts"):
        heading(page.text("outputs.verdict"))
        with div("verdict"):
            _mark(page, view.verdict)
            Node("div", page.text(f"outputs.all_{view.verdict}"))
        with Node("ul", None, "bars"):
            for name, verdict in view.verdicts:
                with Node("li", None, "verdict"):
                    _mark(page, verdict)
                    Node("span", name)
                    Node("span", page.text(f"outputs.is_{verdict}"), "hint")
    if view.findings:
        with card("findings"):
            heading(page.text("outputs.findings"))
            words(page.text("outputs.findings_hint"), "hint")
            rows = [
                [one.cell, page.say(one.reason), ", ".join(one.outputs)]
                for one in view.findings[:MOST_FINDINGS]
            ]
            heads = [page.text(f"outputs.finding_{name}") for name in ("cell", "why", "where")]
            table(heads, rows, caption=page.text("outputs.findings"), classes="wrap lines")
            if len(view.findings) > MOST_FINDINGS:
                words(page.text("outputs.more", n=len(view.findings) - MOST_FINDINGS), "hint")
