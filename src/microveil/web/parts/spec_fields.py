"""Fields: what a form asks for, read off a spec: kind, help text, limits, default."""

from __future__ import annotations

import csv
import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from microveil.errors import InputError
from microveil.hierarchies import HierarchyBuilder
from microveil.specs import Spec
from microveil.texts import Message, text
from microveil.texts.naming import choice, help_text, label

Kind = Literal[
    "columns", "column", "choice", "flag", "whole", "number", "text", "hierarchy", "hierarchies",
    "by_column", "texts", "values", "yaml",
]  # fmt: skip

NOT_ASKED = frozenset({"key_file", "key_env", "key_fingerprint", "population", "auxiliary"})
"""Fields that name files or secrets of the server's machine."""
COLUMN_NAMES = frozenset({"column", "axis", "target", "household"})
COLUMNS_NAMES = frozenset(
    {"columns", "by", "within", "given", "household_columns", "risk_columns", "carry_along"}
)
BY_COLUMN = frozenset({"importance", "weights", "levels", "min_levels", "max_levels"})
EARLY = frozenset(
    {"k", "column", "columns", "hierarchy", "hierarchies", "level", "l", "t", "share", "width",
     "suppression_share", "range_share", "sd_share", "retention", "base", "min_count", "top",
     "bottom", "mode", "generator", "variant", "algorithm", "importance", "preset", "keep_start",
     "threshold", "style", "statistic"}
)  # fmt: skip
"""Fields that are always visible; the others are under "More settings"."""


@dataclass(frozen=True)
class Field:
    """One field of a form."""

    name: str
    kind: Kind
    help: str
    required: bool
    default: Any
    options: tuple[str, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    title: str = ""
    """Its name in the person's language."""
    form: str = "form"
    """The form it is in; two forms of a page may have fields of the same name."""

    @property
    def early(self) -> bool:
        """Whether it is shown at once."""
        return self.required or self.name in EARLY

    @property
    def label(self) -> str:
        """The field's name as words."""
        return self.title or self.name.replace("_", " ")

    @property
    def key(self) -> str:
        """What tells it from other fields of the page."""
        return f"{self.form} {self.name}"

    def in_language(self, language: str, kind: str) -> Field:
        """The field of a kind of spec in another language."""
        told = help_text(language, kind, self.name, self.help)
        if language != "en":  # it names the choices as a recipe does
            for word in sorted(self.options, key=len, reverse=True):
                told = re.sub(rf"(?<![\w-]){word}(?![\w-])", choice(language, word), told)
        return replace(self, title=label(language, self.name), help=told)


def fields_of(spec: type[Spec]) -> list[Field]:
    """The fields of a spec in their order, those shown at once first."""
    found = [
        _field(name, info)
        for name, info in spec.model_fields.items()
        if name != spec.tag and name not in NOT_ASKED
    ]
    return sorted(found, key=lambda field: not field.early)


def in_words(spec: Spec, language: str) -> list[tuple[str, str]]:
    """The parameters of a spec that differ from their defaults, by name, in a language."""
    plain = spec.to_dict()
    options = {field.name: field.options for field in fields_of(type(spec))}
    found = []
    for name, value in plain.items():
        if name != type(spec).tag:
            chosen = isinstance(value, str) and value in options.get(name, ())
            told = choice(language, value) if chosen else _short(value, language)
            found.append((label(language, name), told))
    return found


def _short(value: object, language: str) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_short(one, language) for one in value)[:80]
    if isinstance(value, Mapping):
        kind = value.get("hierarchy")
        if kind:
            return text(language, f"hierarchy.{kind}")[:80]
        return ", ".join(f"{name} {_short(one, language)}" for name, one in value.items())[:80]
    return str(value)[:80]


def _field(name: str, info: FieldInfo) -> Field:
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    kinds = _alternatives(info.annotation)
    limits = [*info.metadata, *(extra for one in kinds for extra in _extras(one))]
    return Field(
        name=name,
        kind=_kind(name, kinds, info),
        help=_plain_help(info.description or ""),
        required=info.is_required(),
        default=default,
        options=_options(kinds),
        lowest=_limit(limits, Ge, Gt),
        highest=_limit(limits, Le, Lt),
    )


def _plain_help(told: str) -> str:
    """Help without the marks of documentation: roles go, what is quoted stays in quotes."""
    told = re.sub(r":\w+:`[~!]?([^`<]*)(?: <[^`]*>)?`", r"\1", told).replace("``", "")
    return " ".join(re.sub(r"`([^`]*)`", r"'\1'", told).split())


def _alternatives(annotation: Any) -> list[Any]:
    """What a field may be, without None."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [one for one in get_args(annotation) if one is not type(None)]
    return [annotation]


def _extras(annotation: Any) -> list[Any]:
    if get_origin(annotation) is not Annotated:
        return []
    _, *extras = get_args(annotation)
    flat = []
    for extra in extras:
        flat += list(extra.metadata) if isinstance(extra, FieldInfo) else [extra]
    return flat


def _plain(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _kind(name: str, kinds: list[Any], info: FieldInfo) -> Kind:
    """How a field is asked for: by what it is called, otherwise by its type."""
    plain = _flat(kinds)
    if any(isinstance(one, type) and issubclass(one, HierarchyBuilder) for one in plain):
        return "hierarchy"
    if name == "hierarchies":
        return "hierarchies"
    if name in COLUMN_NAMES:
        return "column"
    if name in COLUMNS_NAMES or (name == "hierarchy" and info.is_required()):
        return "columns"
    if name in BY_COLUMN and get_origin(plain[0]) is not Literal:
        return "by_column"
    return _typed_kind(plain)


def _typed_kind(plain: list[Any]) -> Kind:
    named = [one for one in plain if get_origin(one) is not Literal]
    if not named:
        return "choice"
    if plain in ([bool], [int]):
        return "flag" if plain == [bool] else "whole"
    if all(get_origin(one) is tuple and get_args(one)[1:] == (...,) for one in plain):
        return _list_kind({part for one in plain for part in _flat([get_args(one)[0]])})
    if float in plain and str not in plain:
        return "number"
    # With a word for the usual case, the rest is for recipes.
    return "text" if set(named) <= {str, int, float} or plain[0] not in named else "yaml"


def _list_kind(kinds: set[Any]) -> Kind:
    """How any number of values is typed."""
    if kinds == {str}:
        return "texts"
    return "values" if kinds <= {str, int, float} else "yaml"


def _flat(kinds: list[Any]) -> list[Any]:
    """What a field may be, unions in annotations taken apart."""
    found = []
    for one in kinds:
        inner = _alternatives(_plain(one))
        found += [_plain(inner[0])] if len(inner) == 1 else _flat(inner)
    return found


def _options(kinds: list[Any]) -> tuple[str, ...]:
    literals = [one for one in map(_plain, kinds) if get_origin(one) is Literal]
    return tuple(str(option) for one in literals for option in get_args(one))


def _limit(limits: list[Any], *kinds: type[Any]) -> float | None:
    for limit in limits:
        for kind in kinds:
            if isinstance(limit, kind):
                return float(getattr(limit, kind.__name__.lower()))
    return None


def collect_values(spec: type[Spec], typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as a recipe writes it; fields left empty stay out."""
    raw: dict[str, Any] = {} if spec.tag is None else {spec.tag: spec.kind()}
    for field in fields_of(spec):
        value = _read(field, typed.get(field.name))
        if value is not None:
            raw[field.name] = value
    return raw


def _read(field: Field, value: Any) -> Any:
    if value is None or value in ("", [], {}):
        return None
    match field.kind:
        case "whole" | "number" | "text":
            return _scalar(field, str(value).strip())
        case "by_column":
            return {
                name: number for name, typed in value.items()
                if (number := _scalar(field, str(typed).strip())) is not None
            } or None  # fmt: skip
        case "hierarchies":
            return {name: one for name, one in value.items() if one} or None
        case "texts" | "values" | "yaml" if isinstance(value, str):
            return _yaml(field, value) if field.kind == "yaml" else _split_values(field, value)
        case _:
            return value


def _scalar(field: Field, text: str) -> Any:
    """A number where it reads as one; a whole number stays whole."""
    if not text:
        return None
    if field.kind == "text" and field.name in ("label", "char", "link", "separator", "pattern"):
        return text
    for kind in (int, float):
        try:
            return kind(text.replace(",", ".") if kind is float else text)
        except ValueError:
            continue
    if field.kind in ("whole", "number") and not field.options:
        raise InputError(Message("app.type_number", "{field}: type a number.", field=field.label))
    return text


def _split_values(field: Field, text: str) -> list[Any] | None:
    """What stands between commas; a value with a comma in it stands in quotes."""
    (row,) = csv.reader([" ".join(text.split())], skipinitialspace=True) if text.strip() else [[]]
    found = [one.strip() for one in row if one.strip()]
    return [one if field.kind == "texts" else _scalar(field, one) for one in found] or None


def _yaml(field: Field, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise InputError(
            Message(
                "app.not_as_in_recipe",
                "{field}: this cannot be read. Write it as in a recipe file.",
                field=field.label,
            )
        ) from None


def typed_of(spec: Spec) -> dict[str, Any]:
    """The fields of a spec as a form shows them, defaults left out."""
    plain = spec.to_dict()
    typed: dict[str, Any] = {}
    for field in fields_of(type(spec)):
        if field.name not in plain:
            continue
        value = plain[field.name]
        if field.kind == "yaml":
            value = yaml.safe_dump(value, allow_unicode=True, default_flow_style=True).strip()
            value = value.removesuffix("\n...").removesuffix("...").strip()
        elif field.kind in ("texts", "values"):
            value = _with_commas(value if isinstance(value, list | tuple) else [value])
        elif field.kind in ("whole", "number", "text"):
            value = str(value)
        typed[field.name] = value
    return typed


def _with_commas(values: Iterable[Any]) -> str:
    """Values as they are typed into a list, in quotes where that would split them."""
    told = (str(one) for one in values)
    doubled = ((one, one.replace('"', '""')) for one in told)
    return ", ".join(f'"{safe}"' if "," in one or '"' in one else one for one, safe in doubled)
