"""How measures are named in a line of text: ``prediction:target=income``, ``il1s.per_cell``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from microveil.errors import InputError, SpecError, did_you_mean, listing
from microveil.scores import Score
from microveil.texts import Message, phrase


class Named(NamedTuple):
    """A measure as named by a caller."""

    name: str
    part: str | None
    """A sub-value of its score, such as ``average_risk``; None for the score itself."""
    settings: dict[str, Any]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Named:
        """A measure named by a mapping: its name, settings, and ``part`` if one is meant."""
        settings = {key: value for key, value in plain.items() if key not in ("name", "part")}
        part = plain.get("part")
        return cls(str(plain.get("name", "")), None if part is None else str(part), settings)


def read_name(text: str) -> Named:
    """Parse the name of a measure with its part and settings.

    >>> read_name("class_sizes.average_risk:missing=wildcard")
    Named(name='class_sizes', part='average_risk', settings={'missing': 'wildcard'})
    """
    head, *settings = split_outside(text, ":")
    name, _, part = head.strip().partition(".")
    return Named(name, part or None, dict(_setting(one, text) for one in settings))


def written_name(name: str, part: str | None, settings: Mapping[str, Any]) -> str:
    """The name of a measure with its part and settings; of a mapping, only what it maps.

    >>> written_name("prediction", "change", {"target": "pay", "columns": ["age", "zip"]})
    'prediction.change:target=pay:columns=[age, zip]'
    """
    head = name if part is None else f"{name}.{part}"
    return ":".join([head, *(f"{key}={_short(value)}" for key, value in settings.items())])


def _short(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(str, value))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_short(one) for one in value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def split_outside(text: str, sign: str) -> list[str]:
    """Split at the separators that are outside brackets.

    >>> split_outside("il1s:columns=[a:b, c]", ":")
    ['il1s', 'columns=[a:b, c]']
    """
    pieces, depth = [""], 0
    for one in text:
        depth += (one in "[{") - (one in "]}")
        if one == sign and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += one
    return pieces


def _setting(text: str, whole: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    try:
        if equals:
            return name.strip(), yaml.safe_load(value)
    except (yaml.YAMLError, ValueError, RecursionError):
        pass
    raise SpecError(
        [phrase("'{whole}': a setting reads like k=0.2 or columns=[age, pay].", whole=whole)]
    )


def number_of(score: Score, part: str | None) -> float:
    """The value of a score, or a sub-value of it by its name: ``average_risk``, ``attack.rate``."""
    if part is None:
        return float(score.value)
    value: Any = score.parts
    for name in part.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        numbers = [name for name, one in score.parts.items() if isinstance(one, int | float)]
        raise InputError(
            "The score of {measure} has no number '{part}'.{hint} It has: {known}.",
            measure=score.measure,
            part=part,
            hint=did_you_mean(part, numbers),
            known=listing(numbers) or Message("noun.none", "none"),
        )
    return float(value)
