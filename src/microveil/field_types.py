"""Types of a spec's fields in the words of a signature: what callers may pass.

A field keeps a tuple and takes any sequence; it keeps a hierarchy and takes a mapping that
describes one. Signatures, help and the stub of the public names show what is taken.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator

from microveil.field_docstrings import describe_fields

PLAIN = "Mapping[str, Any]"
"""The plain data of a spec, as a recipe file has them."""


SHORT = ("Generator", "HierarchyBuilder")
"""Specs for which a text stands: a generator's name, the path of a hierarchy's file."""
SAMPLES = {"str": "x", "int": 1, "float": 1.0, "Sequence[float]": (1.0, 2.0)}
"""An item of each type, to see whether a field takes a single one."""


class Written:
    """An annotation that shows itself as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature_of(spec: type[BaseModel], tag: str | None) -> inspect.Signature:
    """How a spec is called: its parameters by name, with types that can be read."""
    parameters = [
        inspect.Parameter(
            field.alias or name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.is_required() else _default(field),
            annotation=Written(type_text(field.annotation, field.metadata)),
        )
        for name, field in spec.__pydantic_fields__.items()
        if name != tag
    ]
    return inspect.Signature(parameters)


def docstring_of(spec: type[BaseModel], own: str | None, tag: str | None) -> str | None:
    """A spec's docstring with a section on its parameters, from the texts under its fields."""
    fields = {name: field for name, field in describe_fields(spec).items() if name != tag}
    if own is None or not fields:
        return own
    lines = [inspect.cleandoc(own), "", "Parameters", "----------"]
    for name, field in fields.items():
        said = "required" if field.is_required() else f"default {_default(field)!r}"
        lines.append(
            f"{field.alias or name} : {type_text(field.annotation, field.metadata)}, {said}"
        )
        lines += [f"    {line}" for line in (field.description or "").split("\n") if line.strip()]
    return "\n".join(lines)


def type_text(annotation: Any, metadata: typing.Iterable[Any] = ()) -> str:  # noqa: C901, PLR0911  kinds
    """A type as it is written in a signature.

    >>> type_text(tuple[str, ...]), type_text(int | None), type_text(Literal["a", "b"])
    ('Sequence[str]', 'int | None', "Literal['a', 'b']")
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_text(arguments[0], arguments[1:])
    metadata = list(metadata)
    if (taken := _stated_input(metadata)) is not None:
        return type_text(taken)
    if origin is not tuple and any(map(_reads_more, metadata)):
        return f"{type_text(annotation)} | Any"
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin is tuple:
        return _tuple(arguments, metadata)
    if origin in (dict, collections.abc.Mapping):
        return f"Mapping[{type_text(arguments[0])}, {type_text(arguments[1])}]"
    if origin is not None:
        return f"{origin.__name__}[{', '.join(map(type_text, arguments))}]"
    if annotation is type(None):
        return "None"
    if annotation is Any or not isinstance(annotation, type):
        return "Any"
    return _class_text(annotation)


def _union(arguments: tuple[Any, ...]) -> str:
    """Each kind once, None last."""
    texts = dict.fromkeys(part for one in arguments for part in type_text(one).split(" | "))
    none = texts.pop("None", "") is None
    if "float" in texts:
        texts.pop("int", None)  # a float may be given as a whole number
    return " | ".join([*texts, *(["None"] if none else [])])


def _tuple(arguments: tuple[Any, ...], metadata: typing.Iterable[Any]) -> str:
    if len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004  any number of one kind
        item = type_text(arguments[0])
        takes_one = any(_takes_one(rule, item) for rule in metadata)
        return f"{item} | Sequence[{item}]" if takes_one else f"Sequence[{item}]"
    if len(set(map(type_text, arguments))) == 1:
        return f"Sequence[{type_text(arguments[0])}]"  # a list of two numbers will do
    return f"tuple[{', '.join(map(type_text, arguments))}]"


def _reads_more(rule: Any) -> bool:
    """Whether a validator reads other kinds than the one it keeps, such as text."""
    return isinstance(rule, BeforeValidator) or rule.__class__ is type


def _stated_input(metadata: typing.Iterable[Any]) -> Any:
    """The type that a validator says it takes, if one does."""
    stated = [rule.json_schema_input_type for rule in metadata if isinstance(rule, BeforeValidator)]
    return next((one for one in stated if get_origin(one) is not None), None)


def _takes_one(rule: Any, item: str) -> bool:
    """Whether a validator makes a list of a single item: it is tried with one."""
    given = SAMPLES.get(item)
    if given is None or not isinstance(rule, BeforeValidator):
        return False
    try:
        made = rule.func(given)  # type: ignore[call-arg]  # ours take the value alone
    except (TypeError, ValueError):
        return False
    return isinstance(made, list | tuple) and len(made) == 1 and made[0] == given


def _class_text(kind: type) -> str:
    if not issubclass(kind, BaseModel):
        return "str | Path" if kind is Path else kind.__name__
    short = " | str" if kind.__name__ in SHORT else ""
    return f"{kind.__name__} | {PLAIN}{short}"


def _default(field: Any) -> Any:
    """What a parameter is without being given; a whole spec by its name alone."""
    default = field.get_default(call_default_factory=True)
    return Written(f"{type(default).__name__}()") if isinstance(default, BaseModel) else default
