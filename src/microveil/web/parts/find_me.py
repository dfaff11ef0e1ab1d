"""Find me: type what a neighbour might know, and see who is left before and after each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.app.finding import Found
from microveil.web.parts.elements import button, card, div, heading, table, text_field, words
from microveil.web.project.plan import ProjectPlan

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def find_me(page: Page) -> None:
    """A field for each quasi-identifier; what is left, and what would be learnt."""
    project = page.project
    keys = list(project.plan.roles.quasi_identifiers)
    form = page.form("find")
    known: dict[str, str] = form.setdefault("known", {})
    with card("find"):
        heading(page.text("find.title"))
        words(page.text("find.lead"), "hint")
        if not keys:
            words(page.text("risk.none"), "hint")
            return
        with div("grid"):
            for name in keys:
                text_field(name, known.get(name, ""), page.note(known, name), key=f"find {name}")
        with div("row"):
            button(
                page.text("find.look"),
                page.do(lambda: _look(page)),
                kind="primary",
            )
            button(page.text("find.anybody"), page.do(lambda: _anybody(page)))
        if "found" in form:
            plan, found = form["found"]
            stale = _stale(page, plan)
            if stale:
                words(page.text(stale), "hint")
            else:
                _answer(page, found)


def _stale(page: Page, plan: ProjectPlan | None) -> str:
    """Why an answer that was found under a plan no longer counts; empty if it does."""
    project = page.project
    if plan is None:  # it was asked for while steps were still being taken
        return "find.again.steps" if project.up_to_date() else "step.waiting"
    if project.keys(plan)[-1] == project.key and project.up_to_date():
        return ""
    roles, steps = plan.roles != project.plan.roles, plan.recipe.steps != project.recipe.steps
    if roles:
        return "find.again.both" if steps else "find.again.roles"
    return "find.again.steps" if steps else "find.again.other"


def _anybody(page: Page) -> None:
    """Fill in somebody from the data, to see how it works."""
    import secrets

    frame = page.project.frame
    if not frame.height:
        return
    row = frame.row(secrets.randbelow(frame.height), named=True)
    keys = page.project.plan.roles.quasi_identifiers
    form = page.form("find")
    form["known"] = {name: "" if row[name] is None else str(row[name]) for name in keys}
    _look(page)


def _look(page: Page) -> None:
    """Compare what is known with every state of the table, and remember for which plan."""
    form, keys = page.form("find"), page.project.plan.roles.quasi_identifiers
    known = {name: value for name, value in form["known"].items() if name in keys}
    form.pop("found", None)
    if any(value.strip() for value in known.values()):
        # While steps are still being taken, the answer is for none of the plans.
        plan = page.project.plan if page.project.up_to_date() else None
        form["found"] = (plan, page.project.find(known))


def _answer(page: Page, found: list[Found]) -> None:
    rows = []
    for place, one in enumerate(found):
        step = page.text("find.original") if place == 0 else f"{place}. {page.method(one.title)}"
        rows.append([step, page.number(one.n_left), _sentence(page, one)])
    table(
        [page.text("find.after"), page.text("find.left"), page.text("find.learnt")],
        rows,
        caption=page.text("find.title"),
        numeric=[1],
        classes="wrap",
    )


def _sentence(page: Page, found: Found) -> str:
    if not found.n_left:
        return page.text("find.nobody")
    told = [page.text("find.one")] if found.n_left == 1 else []
    for one in found.learnt:
        if not one.n_values:
            continue
        value, share = one.likeliest[0]
        key = "find.certain" if one.certain else "find.likely"
        told.append(
            page.text(
                key, column=one.column, value=value, share=page.number(share, "%"), n=one.n_values
            )
        )
    return " ".join(told) or page.text("find.nothing")
