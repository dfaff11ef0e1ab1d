"""Thresholds for pipelines: ``--fail-if k<5`` ends a command with exit code 3."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import typer

from microveil.cli.output import error_object
from microveil.errors import InputError, RequirementNotMetError, did_you_mean, listing

FailIf = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if",
        help="Exit with code 3 if this is true, repeated: k<5, reidentification_risk>0.09, "
        "singling_out.upper>0.1 (the interval's upper bound), individual_risk.global_risk>0.01.",
    ),
]
_PATTERN = re.compile(r"\s*([A-Za-z][\w.]*)\s*(<=|>=|<|>)\s*(\S+)\s*")
_HOLDS = {
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
}


class Threshold(NamedTuple):
    """A limit that a number must not exceed or fall below."""

    name: str
    sign: str
    limit: float

    def broken_by(self, value: float) -> bool:
        """Whether a value violates the limit."""
        return bool(_HOLDS[self.sign](value, self.limit))


def thresholds(texts: Sequence[str] | None) -> list[Threshold]:
    """The thresholds of the options.

    >>> thresholds(["k<5"])
    [Threshold(name='k', sign='<', limit=5.0)]
    """
    return [_threshold(text) for text in texts or ()]


def _threshold(text: str) -> Threshold:
    found = _PATTERN.fullmatch(text)
    try:
        limit = float(found[3]) if found else math.nan
    except ValueError:
        limit = math.nan
    if found is None or math.isnan(limit):
        raise InputError(f"--fail-if reads like k<5 or reidentification_risk>0.09, not '{text}'.")
    return Threshold(found[1], found[2], limit)


def failures(
    wanted: Sequence[Threshold], numbers: Mapping[str, Any], not_taken: Mapping[str, str]
) -> list[str]:
    """A sentence on each threshold that is violated; an unknown number is an error.

    ``numbers`` are by name, those of measures as plain scores.
    """
    found = []
    for one in wanted:
        value = _number(one.name, numbers, not_taken)
        if one.broken_by(value):
            found.append(f"{one.name} is {value:.6g}, which is {one.sign} {one.limit:g}.")
    return found


def _number(name: str, numbers: Mapping[str, Any], not_taken: Mapping[str, str]) -> float:
    head, _, rest = name.partition(".")
    if head in not_taken:
        reason = not_taken[head].removesuffix(".")
        raise InputError(f"--fail-if {name}: {head} was not measured ({reason}).")
    if head not in numbers:
        known = list(numbers)
        raise InputError(
            f"--fail-if: '{head}' was not measured.{did_you_mean(head, known)} There are: "
            f"{listing(known, 60)}. Add measures with --measures."
        )
    value = _part(numbers[head], rest)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"--fail-if: '{name}' is not a number.")
    return float(value)


def _part(value: Any, way: str) -> Any:
    """A number of a score: its value, a bound of its interval, or a named part."""
    if not isinstance(value, Mapping):
        return value if not way else None
    if not way:
        return value.get("value")
    if way in ("lower", "upper"):
        ends = value.get("interval")
        return None if ends is None else ends[way == "upper"]
    inner: Any = value.get("parts", value)
    for step in way.split("."):
        inner = inner.get(step) if isinstance(inner, Mapping) else None
    return inner


def fail_if_any(broken: Sequence[str]) -> None:
    """Exit with code 3 if a threshold is violated."""
    if broken:
        raise RequirementNotMetError(" ".join(broken))


def failed_object(wanted: Sequence[Threshold], broken: Sequence[str]) -> dict[str, Any]:
    """What --json adds where there are thresholds: the violated ones, and the error they are."""
    if not wanted:
        return {}
    kind = RequirementNotMetError.__name__
    error = {"error": error_object(" ".join(broken), kind)} if broken else {}
    return {"failed": list(broken), **error}
