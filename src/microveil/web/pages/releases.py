"""Releases: what was released before, what a new release tells together with it, and the answer."""

from __future__ import annotations

from functools import partial

from microveil.registry import ReleaseEntry
from microveil.web import actions, registry_actions
from microveil.web.pages.release import same_suffix
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    checkbox,
    div,
    file_field,
    fold,
    heading,
    link,
    select,
    table,
    text_field,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.project.registries import RegistryPlace, RegistryUse, Together, check_place
from microveil.web.project.releasing import Made

NEWEST = 50
"""Releases that are listed; there may be thousands."""


def content(page: Page) -> None:
    """Open a registry, see what has left, compare, and accept or refuse."""
    with div():
        heading(page.text("releases.title"), 1)
        words(page.text("releases.lead"), "lead")
    _registry(page)
    if page.session.registry is None:
        return
    if page.session.project is not None:
        _new(page, page.session.project.registry)
    _earlier(page)
    _recognise(page)


def _registry(page: Page) -> None:
    session = page.session
    view, local = session.registry_view, page.server.address.loopback
    with card("registry"):
        heading(page.text("releases.registry"))
        if session.registry is not None:
            _draw_registry(page)
        elif local:
            _choose(page)
        else:
            words(page.text("releases.none_here"), "hint")
        if view is not None and not view.intact:
            with div("notice error"):
                Node("span", page.say(view.audit), "notice-text")


def _draw_registry(page: Page) -> None:
    session, view = page.session, page.session.registry_view
    if view is not None:
        words(page.text("releases.open", place=view.shown, n=len(view.entries)))
    with div("row"):
        button(
            page.text("releases.look" if view is None else "releases.look_again"),
            page.do(lambda: registry_actions.look_again(session)),
            kind="primary" if view is None else "",
            disabled=session.busy,
            key="look at registry",
        )
        if page.server.registry is None:
            button(
                page.text("releases.close"),
                page.do(lambda: registry_actions.close_registry(session)),
                key="close registry",
            )


def _choose(page: Page) -> None:
    form, session = page.form("registry"), page.session

    def open_(*, create: bool) -> None:
        place = RegistryPlace(str(form.get("place", "")).strip(), str(form.get("key", "")).strip())
        check_place(place, local=page.server.address.loopback)
        registry_actions.open_registry(session, place, create=create)

    words(page.text("releases.choose"), "hint")
    with div("grid two"):
        for name in ("place", "key"):
            text_field(
                page.text(f"releases.{name}"),
                str(form.get(name, "")),
                page.note(form, name),
                hint=page.text(f"releases.{name}_hint"),
                key=f"registry {name}",
            )
    with div("row"):
        button(
            page.text("releases.open_it"),
            page.do(partial(open_, create=False)),
            kind="primary",
            disabled=session.busy,
            key="open registry",
        )
        button(
            page.text("releases.create"),
            page.do(partial(open_, create=True)),
            disabled=session.busy,
            key="create registry",
        )


def _new(page: Page, use: RegistryUse | None) -> None:
    """The release that is planned: how it is noted, what it tells, and whether it leaves."""
    if use is None:
        return
    made = page.project.made.get(page.project.verdict_key())
    with card("new"):
        heading(page.text("releases.new"))
        _terms(page, use)
        if made is None:
            button(
                page.text("releases.compare"),
                page.do(lambda: actions.check(page.session)),
                kind="primary",
                disabled=page.session.busy,
                key="compare releases",
            )
            return
        for one in made.together:
            _together(page, one)
        _answer(page, made)


def _terms(page: Page, use: RegistryUse) -> None:
    session = page.session
    columns = {"": page.text("releases.rows")} | {one: one for one in page.project.frame.columns}
    with div("grid"):
        select(
            page.text("releases.person"),
            columns,
            use.person or page.project.plan.roles.entity or "",
            page.change(lambda value: registry_actions.set_terms(session, person=value)),
            hint=page.text("releases.person_hint"),
            key="person",
        )
        for name in ("source", "audience"):
            text_field(
                page.text(f"releases.{name}"),
                getattr(use, name),
                page.change(partial(_set, page, name)),
                hint=page.text(f"releases.{name}_hint"),
                key=f"terms {name}",
            )


def _set(page: Page, name: str, value: str) -> None:
    registry_actions.set_terms(page.session, **{name: value.strip()})


def _together(page: Page, one: Together) -> None:
    with div("verdict"):
        page.mark(holds=one.holds)
        with div():
            if one.scenario:
                Node("div", one.scenario, "strong")
            Node("div", page.say(one.sentence))
    if one.pairs:
        rows = [
            [name, page.number(n), "–" if least is None else page.number(least), page.number(below)]
            for name, n, least, below in one.pairs
        ]
        heads = [page.text(f"releases.pair_{name}") for name in ("name", "people", "least")]
        table(
            [*heads, page.text("releases.pair_below", k=one.k)],
            rows,
            caption=page.text("releases.pairs"),
            numeric=(1, 2, 3),
        )
    if one.differences:
        table(
            [page.text(f"releases.cells_{name}") for name in ("name", "by", "n", "small")],
            [[name, by, page.number(n), page.number(m)] for name, by, n, m in one.differences],
            caption=page.text("releases.differences"),
            numeric=(2, 3),
        )
    if one.privacy_loss:
        spent = ", ".join(f"{unit} {page.number(x, '.4g')}" for unit, x in one.privacy_loss.items())
        words(page.text("releases.spent", spent=spent), "hint")


def _answer(page: Page, made: Made) -> None:
    session, form = page.session, page.form("releases answer")
    apart = all(one.holds for one in made.together)
    if made.noted:
        with div("notice success"):
            Node("span", page.text("releases.noted", id=made.noted), "notice-text")
            link(page.text("releases.files"), "/release", "button")
        return
    if not made.holds:
        words(page.text("release.refused"), "hint")
        link(page.text("releases.to_release"), "/release", "button")
        return
    if not apart:
        checkbox(
            page.text("releases.risk_taken"),
            bool(form.get("taken")),
            page.change(lambda value: form.update(taken=bool(value))),
            key="risk taken",
        )
    with div("row"):
        button(
            page.text("releases.accept"),
            page.do(lambda: actions.release(session, same_suffix(page.project.source))),
            kind="primary",
            disabled=session.busy or not (apart or form.get("taken")),
            key="accept",
        )
        k = made.together[0].k if made.together else 5
        button(
            page.text("releases.refuse", k=k),
            page.do(lambda: _refuse(page, k)),
            kind="danger",
            key="refuse",
        )
    words(page.text("releases.accept_hint"), "hint")


def _refuse(page: Page, k: int) -> None:
    """Require that people stay alike in all releases: then nothing leaves until they are."""
    page.form("releases answer").clear()
    plan = page.project.plan.requiring({"across_releases": {"k": k}})
    actions.change(page.session, plan)


def _earlier(page: Page) -> None:
    view = page.session.registry_view
    if view is None:
        return
    form, project = page.form("releases"), page.session.project
    own = project.registry.source if project is not None and project.registry is not None else None
    only = bool(form.get("own", own is not None)) and own is not None
    entries = [one for one in view.entries if not only or one.source == own][::-1]
    with card("earlier"):
        heading(page.text("releases.earlier"))
        if own is not None:
            checkbox(
                page.text("releases.own", source=own),
                only,
                page.change(lambda value: form.update(own=bool(value))),
                key="only own",
            )
        if not entries:
            words(page.text("releases.nothing"), "hint")
            return
        for entry in entries[:NEWEST]:
            _entry(page, entry)
        if len(entries) > NEWEST:
            words(page.text("releases.more", n=len(entries) - NEWEST), "hint")


def _entry(page: Page, entry: ReleaseEntry) -> None:
    kind = page.text(f"releases.kind_{entry.kind}")
    with fold(f"{entry.at[:10]} · {entry.title} · {kind}", key=f"release {entry.id}"):
        facts = {
            "id": entry.id,
            "source": entry.source,
            "audience": entry.audience,
            "made_by": entry.made_by,
            "records": page.number(entry.n_records) if entry.n_records else None,
            "people": page.number(entry.n_people) if entry.n_people else None,
            "people_by": None if entry.people_by == "rows" else entry.people_by,
        }
        rows = [[page.text(f"releases.{name}_is"), told] for name, told in facts.items() if told]
        heads = [page.text("releases.what"), page.text("releases.said")]
        table(heads, rows, caption=entry.title)
        for check in entry.checks:
            mark = "✔" if check.get("holds") else "✘"
            words(f"{mark} {check.get('title') or check.get('model')}")
        if entry.composition:
            words(str(entry.composition["sentence"]), "hint")


def _recognise(page: Page) -> None:
    with card("recognise"):
        heading(page.text("releases.recognise"))
        words(page.text("releases.recognise_lead"), "hint")
        with div("row"):
            file_field(page.text("data.choose"), "released", "")
