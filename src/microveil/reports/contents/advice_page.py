"""The page of an advice: recipes on offer, verdicts, the map, reasons and prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from microveil.reports.figure import Figure
from microveil.reports.markup import Markup, element
from microveil.reports.page import POLICY
from microveil.reports.page_parts import figure_row, section, table
from microveil.reports.words.speaking import current_language, speaking
from microveil.reports.words.wording import number
from microveil.texts import Message

MOST_ROWS = 40
"""Recipes that were tried and are listed."""


@dataclass(frozen=True)
class OfferPage:
    """One recipe on offer, as the page shows it."""

    title: str
    name: str
    loss: float
    risk: float
    checks: Sequence[str]
    reasons: Sequence[str]
    recipe: str
    """The recipe file."""


@dataclass(frozen=True)
class AdvicePage:
    """What the page of an advice shows: sentences and numbers, no value of a record."""

    goal: str
    """The goal file."""
    problem: str
    offers: Sequence[OfferPage]
    prices: Sequence[str]
    cautions: Sequence[str]
    tried: Sequence[tuple[str, float | None, float | None, bool, str]]
    """Name, loss, risk, whether it holds, and why not."""
    figures: Sequence[Figure] = ()
    remark: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)


TITLE = Message("advise.page_title", "Advice: recipes for a goal")
HOLDS = Message("advise.page_holds", "holds")


def advice_page(content: AdvicePage, language: str = "en") -> str:
    """The page in a language."""
    with speaking(language):
        return _page(content)


def _page(content: AdvicePage) -> str:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="robots", content="noindex"),
        element("title", TITLE),
        element(
            "style", Markup(files("microveil.reports").joinpath("style.css").read_text("utf-8"))
        ),
    )
    main = element(
        "main",
        element("header", element("h1", TITLE), *[element("p", one) for one in _lead(content)]),
        _overview(content),
        *[_offer(one) for one in content.offers],
        _map(content),
        _prices(content),
        _trial_list(content),
        _goal(content),
    )
    whole = element("html", head, element("body", main), lang=current_language())
    return f"<!doctype html>\n{whole}\n"


def _lead(content: AdvicePage) -> list[str]:
    internal = Message(
        "advise.page_internal",
        "Internal: it holds risk values and settings that help an intruder.",
    )
    return [internal, *([content.problem] if content.problem else []), *content.cautions]


def _overview(content: AdvicePage) -> Markup | None:
    if not content.offers:
        return None
    heads = (
        Message("advise.page_taste", "Taste"),
        Message("advise.page_recipe", "Recipe"),
        Message("advise.page_loss", "Loss"),
        Message("advise.page_risk", "Risk"),
    )
    rows = [(one.title, one.name, number(one.loss), number(one.risk)) for one in content.offers]
    return section(
        Message("advise.page_offers", "Recipes on offer"), table(heads, rows, numeric_from=2)
    )


def _offer(one: OfferPage) -> Markup:
    return section(
        one.title,
        element("p", one.name),
        element("ul", *[element("li", text) for text in one.checks]),
        element("h3", Message("advise.page_why", "Why")),
        element("ul", *[element("li", text) for text in one.reasons]),
        element("pre", element("code", one.recipe)),
    )


def _map(content: AdvicePage) -> Markup:
    drawn = figure_row(content.figures)
    left_out = element("p", content.remark) if content.remark else None
    return section(Message("advise.page_map", "Everything that was tried"), drawn, left_out)


def _prices(content: AdvicePage) -> Markup | None:
    if not content.prices:
        return None
    listed = element("ul", *[element("li", one) for one in content.prices])
    return section(Message("advise.page_prices", "What each requirement costs"), listed)


def _trial_list(content: AdvicePage) -> Markup:
    heads = (
        Message("advise.page_recipe", "Recipe"),
        Message("advise.page_loss", "Loss"),
        Message("advise.page_risk", "Risk"),
        Message("advise.page_verdict", "Requirements"),
    )
    rows = [
        (
            name,
            "–" if loss is None else number(loss),
            "–" if risk is None else number(risk),
            HOLDS if holds else why or Message("advise.page_broken", "not met"),
        )
        for name, loss, risk, holds, why in content.tried[:MOST_ROWS]
    ]
    return section(Message("advise.page_list", "Recipes tried on all records"), table(heads, rows))


def _goal(content: AdvicePage) -> Markup:
    return section(
        Message("advise.page_goal", "The goal"), element("pre", element("code", content.goal))
    )
