"""Writing: the recipes as files, all figures as JSON, and the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from microveil.app.advising.advice import TITLES
from microveil.errors import FileError, InputError
from microveil.files import write_text
from microveil.reports.contents.advice_page import AdvicePage, OfferPage, advice_page
from microveil.reports.figure import Figure
from microveil.reports.figures import NO_FIGURES, can_draw
from microveil.reports.words.speaking import checked_language
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.app.advising.advice import Advice
    from microveil.app.advising.choosing import Offer

CAPTION = Message(
    "advise.map_caption",
    "Risk and loss of every recipe that was tried on all records; the lower, the better.",
)


def write_advice(advice: Advice, folder: Path) -> list[Path]:
    """Write what an advice holds into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for taste in TITLES:  # a recipe for another goal must not be taken for one for this
        (folder / f"{taste}.yaml").unlink(missing_ok=True)
    for one in advice.offers:
        path = folder / f"{one.taste}.yaml"
        one.candidate.recipe.write(path)
        written.append(path)
    goal, figures = folder / "goal.yaml", folder / "advice.json"
    advice.goal.write(goal)
    plain = json.dumps(advice.to_dict(), indent=1, ensure_ascii=False, default=str, allow_nan=False)
    write_text(plain + "\n", figures)
    return [*written, goal, figures, write_page(advice, folder / "advice.html")]


def write_page(advice: Advice, path: Path, language: str = "en") -> Path:
    """Write the page of an advice, or all its figures as JSON."""
    checked_language(language)
    kind = path.suffix.lower()
    if kind not in (".html", ".htm", ".json"):
        raise FileError("{path}: an advice is .html or .json. Change the suffix.", path=path)
    if kind == ".json":
        told = advice.to_dict()
        text = json.dumps(told, indent=1, ensure_ascii=False, default=str, allow_nan=False) + "\n"
    else:
        text = advice_page(_content(advice, language), language)
    write_text(text, path)
    return path


def _content(advice: Advice, language: str) -> AdvicePage:
    figures, remark = _figures(advice, language)
    return AdvicePage(
        goal=advice.goal.to_yaml(),
        problem=advice.problem,
        offers=[_offer(advice, one) for one in advice.offers],
        prices=[one.sentence() for one in advice.prices],
        cautions=advice.cautions,
        tried=[
            (one.name, one.loss, one.risk, one.counts, one.problem or one.forbidden)
            for one in advice.candidates
        ],
        figures=figures,
        remark=remark,
    )


def _offer(advice: Advice, one: Offer) -> OfferPage:
    release = one.release
    return OfferPage(
        title=TITLES[one.taste],
        name=one.candidate.name,
        loss=one.candidate.loss or 0.0,
        risk=one.candidate.risk or 0.0,
        checks=() if release is None else [check.sentence() for check in release.checks],
        reasons=advice.why.get(one.taste, ()),
        recipe=one.candidate.recipe.to_yaml(),
    )


def _figures(advice: Advice, language: str) -> tuple[list[Figure], str | None]:
    if not can_draw():
        return [], NO_FIGURES
    from microveil.plots import to_svg

    try:
        return [Figure("risk", CAPTION, to_svg(advice.plot(), language))], None
    except InputError as error:
        return [], error.message
