"""A form for any spec: one field for each parameter, with its help text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from microveil.specs import Spec
from microveil.texts.naming import choice
from microveil.web.parts import elements
from microveil.web.parts.elements import Node, checkbox, div, fold, label_around, select, text_field
from microveil.web.parts.hierarchy_editor import hierarchies_editor, hierarchy_editor
from microveil.web.parts.spec_fields import Field, fields_of

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def spec_form(
    page: Page,
    spec: type[Spec],
    typed: dict[str, Any],
    columns: Sequence[str],
    form: str = "form",
) -> None:
    """Draw the fields; what is typed goes into ``typed`` and stays over a reload."""
    language = page.session.language
    spoken = (one.in_language(language, spec.kind()) for one in fields_of(spec))
    fields = [replace(one, form=form) for one in spoken]
    with div("grid"):
        for field in fields:
            if field.early:
                _field(page, field, typed, columns)
    later = [field for field in fields if not field.early]
    if later:
        with fold(page.text("form.more"), key=f"more {form} {spec.kind()}"), div("grid"):
            for field in later:
                _field(page, field, typed, columns)


def _field(page: Page, field: Field, typed: dict[str, Any], columns: Sequence[str]) -> None:
    match field.kind:
        case "columns":
            _columns(field, typed, columns)
        case "column":
            names = {"": page.text("none")} | {name: name for name in columns}
            _choice(page, field, typed, names)
        case "choice":
            default = "" if field.default is None else str(field.default)
            first = {} if default else {"": page.text("none")}
            _choice(
                page,
                field,
                typed,
                first | {one: choice(page.session.language, one) for one in field.options},
                default,
            )
        case "flag":
            checkbox(
                field.label,
                bool(typed.get(field.name, field.default)),
                page.note(typed, field.name),
                hint=field.help,
                key=field.key,
            )
        case "hierarchy":
            hierarchy_editor(page, typed)
        case "hierarchies":
            hierarchies_editor(page, field, typed, page.project.plan.roles.quasi_identifiers)
        case "by_column":
            _by_column(page, field, typed, page.project.plan.roles.quasi_identifiers)
        case "yaml":
            _yaml(page, field, typed)
        case _:
            _scalar(page, field, typed)


def _choice(
    page: Page, field: Field, typed: dict[str, Any], options: dict[str, str], default: str = ""
) -> None:
    chosen = str(typed.get(field.name, default) or default)

    def note(value: str) -> None:
        typed[field.name] = value
        if field.name == "column":  # a hierarchy is for the values of one column
            typed.pop("draft", None)
            typed.pop("hierarchy", None)

    # Another column needs another editor, so that the form is drawn anew.
    change = page.change(note) if field.name == "column" else note
    select(field.label, options, chosen, change, hint=field.help, key=field.key)


def _scalar(page: Page, field: Field, typed: dict[str, Any]) -> None:
    number = field.kind in ("whole", "number") and not field.options
    limits = {"min": field.lowest, "max": field.highest} if number else {}
    listed = field.kind in ("texts", "values")
    shown = "" if field.default is None or listed else str(field.default)
    text_field(
        field.label,
        str(typed.get(field.name, "")),
        page.note(typed, field.name),
        hint=f"{field.help} {page.text('form.commas')}" if listed else field.help,
        type_="number" if number else "text",
        placeholder=shown,
        key=field.key,
        step=("1" if field.kind == "whole" else "any") if number else None,
        required=field.required,
        **limits,
    )


def _columns(field: Field, typed: dict[str, Any], columns: Sequence[str]) -> None:
    def tick(column: str, on: bool) -> None:  # noqa: FBT001  a box's state
        left = [one for one in typed.get(field.name, []) if one != column]
        typed[field.name] = [*left, column] if on else left

    with Node("fieldset", None, "radios"):
        Node("legend", field.label, "field-label")
        Node("p", field.help, "hint")
        with div("chips"):
            for column in columns:
                checkbox(
                    column,
                    column in typed.get(field.name, ()),
                    partial(tick, column),
                    classes="chip",
                    key=f"{field.key} {column}",
                )


def _by_column(page: Page, field: Field, typed: dict[str, Any], keys: Sequence[str]) -> None:
    values: dict[str, str] = dict(typed.get(field.name) or {})
    typed[field.name] = values
    with fold(field.label, key=field.key):
        Node("p", field.help, "hint")
        with div("grid"):
            for name in keys:
                text_field(
                    name,
                    str(values.get(name, "")),
                    page.note(values, name),
                    key=f"{field.key} {name}",
                )


def _yaml(page: Page, field: Field, typed: dict[str, Any]) -> None:
    with label_around(field.label, f"{field.help} {page.text('form.as_in_recipe')}"):
        node = Node(
            "textarea",
            None,
            "input",
            spellcheck="false",
            data_key=field.key,
        )
        node.show(str(typed.get(field.name, "")))
        elements.on_typed(node, partial(typed.__setitem__, field.name))
