"""What a validator refuses, by key: pydantic's own sentences, and those of our validators."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microveil.texts.message import Message, compose, join_or, phrase

_BEFORE = re.compile(r"^(Value error|Assertion failed), ")
_NAMED = re.compile(r"'([^']*)'")


def refusal(kind: str, told: str, context: Mapping[str, Any]) -> Message:
    """One refusal: pydantic's kind of error, its English sentence and what stands in it.

    >>> refusal("greater_than", "Input should be greater than 0", {"gt": 0}).key
    'pydantic.greater_than'
    """
    own = context.get("error")
    if isinstance(own, ValueError | AssertionError):  # one of our validators
        return phrase(own.args[0] if own.args else "")
    if isinstance(context.get("text"), Message):
        return compose("{text}", text=context["text"])
    values = {name: value for name, value in context.items() if name != "class"}
    if kind in ("literal_error", "enum"):
        names = _NAMED.findall(str(context["expected"]))
        values["expected"] = join_or(f"'{name}'" for name in names) if names else told
    english = _BEFORE.sub("", told).replace("{", "{{").replace("}", "}}")
    return Message(f"pydantic.{kind}", english, **values)
