"""The hierarchy editor: cut points on a histogram, categories put together, files imported."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import MicroveilError
from microveil.tables.values import categories
from microveil.web.parts import elements
from microveil.web.parts.charts import bar_list, histogram
from microveil.web.parts.elements import (
    Node,
    button,
    checkbox,
    div,
    file_field,
    fold,
    heading,
    select,
    text_field,
    words,
)
from microveil.web.parts.spec_fields import Field
from microveil.web.project.columns import in_order, number_bars
from microveil.web.project.hierarchy_draft import (
    DATE_LEVELS,
    KINDS,
    MOST_CATEGORIES,
    begin_draft,
    groups_of,
    nice_cuts,
    preview,
    raw_of,
)

if TYPE_CHECKING:
    from microveil.web.parts.page import Page

N_BINS = 40
MOST_SHOWN = 20


def hierarchy_editor(page: Page, typed: dict[str, Any]) -> None:
    """Make the hierarchy of the column that the form names, with a live preview."""
    name = str(typed.get("column") or "")
    with div("card") as box:
        box.style("grid-column: 1 / -1")
        heading(page.text("hierarchy.title"), 3)
        if name not in page.project.frame.columns:
            words(page.text("hierarchy.column_first"), "hint")
            return
        column = page.project.frame[name]
        _edit(page, column, typed)
        typed["hierarchy"] = _build(typed["draft"], column)
        _preview(page, column, typed)


def hierarchies_editor(
    page: Page, field: Field, typed: dict[str, Any], keys: Sequence[str]
) -> None:
    """A hierarchy for each key that should not generalise by its type."""
    drafts: dict[str, dict[str, Any]] = typed.setdefault("drafts", {})
    built: dict[str, Any] = dict(typed.get(field.name) or {})
    typed[field.name] = built
    with fold(page.text("hierarchy.keys"), key="hierarchies") as box:
        box.style("grid-column: 1 / -1")
        words(field.help, "hint")
        for name in keys:
            _own(page, name, drafts, built)


def _own(page: Page, name: str, drafts: dict[str, dict[str, Any]], built: dict[str, Any]) -> None:
    def toggle(on: bool) -> None:  # noqa: FBT001  a box's state
        if on:
            drafts[name] = {"draft": begin_draft(page.project.frame[name])}
        else:
            drafts.pop(name, None)
            built.pop(name, None)

    async def run_toggle(on: bool) -> None:  # noqa: FBT001
        await page.run(lambda: toggle(on))

    has = name in drafts or name in built
    checkbox(page.text("hierarchy.own", column=name), has, run_toggle, key=f"own {name}")
    if name in drafts:
        column = page.project.frame[name]
        with div("card"):
            _edit(page, column, drafts[name])
            built[name] = _build(drafts[name]["draft"], column)


def _edit(page: Page, column: pl.Series, typed: dict[str, Any]) -> None:
    if not isinstance(typed.get("draft"), dict):
        typed["draft"] = begin_draft(column)
        if isinstance(typed.get("hierarchy"), dict):
            typed["draft"] = _reopen(typed["hierarchy"], typed["draft"], column)
    draft: dict[str, Any] = typed["draft"]
    kinds = {kind: page.text(f"hierarchy.{kind}") for kind in KINDS}
    select(
        page.text("hierarchy.kind"),
        kinds,
        draft["kind"],
        page.change(lambda kind: draft.update(kind=kind)),
        key=f"kind {column.name}",
    )
    match draft["kind"]:
        case "intervals":
            _cuts(page, column, draft)
        case "tree":
            _groups(page, column, draft)
        case "prefix":
            text_field(
                page.text("hierarchy.lengths"),
                str(draft.get("lengths", "2")),
                page.change(lambda v: draft.update(lengths=v)),
            )
        case "dates":
            _dates(page, draft)
        case _:
            pass


def _reopen(raw: dict[str, Any], draft: dict[str, Any], column: pl.Series) -> dict[str, Any]:
    """The draft of a hierarchy that a step already has."""
    known = dict(draft, kind=raw.get("hierarchy", draft["kind"]))
    if "width" in raw:
        width = raw["width"]
        known["width"] = str(width[0] if isinstance(width, list) else width)
    if raw.get("cuts"):
        known["cuts"] = list(raw["cuts"][0] if isinstance(raw["cuts"][0], list) else raw["cuts"])
    if "tree" in raw:
        groups = groups_of(raw["tree"], column)
        known.update({"tree": raw["tree"]} if groups is None else {"groups": groups})
    if "levels" in raw:
        known["levels"] = list(raw["levels"])
    if "lengths" in raw:
        known["lengths"] = ",".join(str(one) for one in raw["lengths"])
    return known


def _build(draft: dict[str, Any], column: pl.Series) -> dict[str, Any] | None:
    try:
        return raw_of(draft, column)
    except MicroveilError:
        return None


def _cuts(page: Page, column: pl.Series, draft: dict[str, Any]) -> None:
    if not column.dtype.is_numeric():
        words(page.text("hierarchy.no_numbers"), "hint")
        return
    found = page.find("shape", column.name, work=lambda: number_bars(column, N_BINS))
    bins = [one for one in found or () if one.low is not None]
    if not bins:
        return
    low, high = float(bins[0].low or 0), float(bins[-1].high or 0)
    if "cuts" not in draft:
        draft["cuts"] = nice_cuts(column)
    cuts: list[float] = draft["cuts"]
    histogram([one.count for one in bins], page.text("hierarchy.shape", column=column.name))

    step = 1 if column.dtype.is_integer() else (high - low) / 200 or 1
    for place in range(len(cuts)):
        _cut(page, draft, place, {"min": low, "max": high, "step": step})
    with div("row"):
        button(page.text("hierarchy.add_cut"), page.do(lambda: _add_cut(draft, low, high)))
        text_field(
            page.text("hierarchy.width"),
            str(draft.get("width", "")),
            page.change(lambda v: draft.update(width=v)),
            key="width",
        )


def _cut(page: Page, draft: dict[str, Any], place: int, limits: dict[str, Any]) -> None:
    """One cut point: a slider under the histogram, its value, and a button that removes it."""
    cuts: list[float] = draft["cuts"]

    def move(value: str) -> None:
        cuts[place] = float(value)
        draft.pop("width", None)

    with div("cut"):
        slider = Node(
            "input",
            None,
            "slider",
            type="range",
            aria_label=page.text("hierarchy.cut", n=place + 1),
            data_key=f"cut {place}",
            **limits,
        )
        slider.show(f"{cuts[place]:.15g}")
        elements.on_typed(slider, page.change(move))
        Node("output", page.number(cuts[place], "g"), "num")
        button(
            "×",
            page.do(partial(cuts.pop, place)),
            kind="quiet",
            label=page.text("hierarchy.drop_cut", n=place + 1),
            key=f"drop cut {place}",
        )


def _add_cut(draft: dict[str, Any], low: float, high: float) -> None:
    """A further cut in the middle of the widest range."""
    edges = [low, *sorted(draft["cuts"]), high]
    widest = max(range(len(edges) - 1), key=lambda i: edges[i + 1] - edges[i])
    draft["cuts"].append(round((edges[widest] + edges[widest + 1]) / 2, 4))
    draft["cuts"].sort()
    draft.pop("width", None)


def _groups(page: Page, column: pl.Series, draft: dict[str, Any]) -> None:
    """Tick categories, name them, and they are one."""
    groups: dict[str, str] = draft.setdefault("groups", {})
    ticked: list[str] = draft.setdefault("ticked", [])
    if page.session.imported is not None:
        button(
            page.text("hierarchy.use_import"), page.do(lambda: _import(page, draft)), kind="primary"
        )
    if draft.get("tree"):
        words(page.text("hierarchy.from_file"), "hint")
        button(page.text("hierarchy.by_hand"), page.do(lambda: draft.pop("tree")))
        return

    def tick(value: str, on: bool) -> None:  # noqa: FBT001  a box's state
        ticked[:] = [one for one in ticked if one != value] + ([value] if on else [])

    def group() -> None:
        label = str(draft.get("label", "")).strip() or " / ".join(ticked)[:60]
        groups.update(dict.fromkeys(ticked, label))
        ticked.clear()
        draft["label"] = ""

    words(page.text("hierarchy.tick"), "hint")
    with div("chips"):
        found = page.find("categories", column.name, work=lambda: categories(column))
        for value, count in (found or [])[:MOST_CATEGORIES]:
            meant = page.project.labels.tell(column.name, value)
            told = f"{meant} → {groups[value]}" if value in groups else meant
            checkbox(
                f"{told} ({page.number(count)})",
                value in ticked,
                partial(tick, value),
                classes="chip",
                key=f"category {value}",
            )
    with div("row"):
        text_field(
            page.text("hierarchy.label"), str(draft.get("label", "")), page.note(draft, "label")
        )
        button(page.text("hierarchy.group"), page.do(group))
        button(page.text("hierarchy.ungroup"), page.do(groups.clear), disabled=not groups)
    _file(page)


def _file(page: Page) -> None:
    """A hierarchy from a file, as ARX writes it or in YAML."""
    with div("field"):
        words(page.text("hierarchy.import"), "field-label")
        told = f"{page.text('data.choose')}: {page.text('hierarchy.import')}"
        file_field(page.text("data.choose"), "hierarchy", ".csv,.yaml,.yml", label=told)


def _import(page: Page, draft: dict[str, Any]) -> None:
    draft["tree"], page.session.imported = page.session.imported, None


def _dates(page: Page, draft: dict[str, Any]) -> None:
    levels: list[str] = draft.setdefault("levels", ["month", "year"])

    def tick(level: str, on: bool) -> None:  # noqa: FBT001  a box's state
        levels[:] = [one for one in levels if one != level] + ([level] if on else [])

    with div("chips"):
        for level in DATE_LEVELS[1:]:

            async def run_tick(on: bool, one: str = level) -> None:  # noqa: FBT001
                await page.run(lambda: tick(one, on))

            checkbox(
                page.text(f"date.{level}"),
                level in levels,
                run_tick,
                classes="chip",
                key=f"date {level}",
            )


def _preview(page: Page, column: pl.Series, typed: dict[str, Any]) -> None:
    raw = typed.get("hierarchy")
    if not isinstance(raw, dict):
        words(page.text("hierarchy.unfinished"), "hint")
        return
    level = str(typed.get("level") or "1")
    typed.setdefault("level", "1")
    asked = (column.name, json.dumps(raw, sort_keys=True, default=str), level)
    try:
        found = page.find("preview", *asked, work=lambda: preview(raw, column, level))
    except MicroveilError as error:
        with div("notice error"):
            Node("span", page.say(error.message), "notice-text")
        return
    if found is not None:
        heading(page.text("hierarchy.preview", level=found.level, n=len(found.labels)), 4)
        bar_list(
            in_order(found.labels[:MOST_SHOWN]),
            page.text("hierarchy.title"),
            language=page.session.language,
        )
        if len(found.labels) > MOST_SHOWN:
            n_more = len(found.labels) - MOST_SHOWN
            words(page.text("hierarchy.more", n=page.number(n_more)), "hint")
