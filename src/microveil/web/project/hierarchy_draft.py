"""HierarchyDraft: a hierarchy in the making, as an editor's fields hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from microveil.errors import InputError
from microveil.hierarchies import HierarchyBuilder, as_builder
from microveil.tables.values import Distinct, categories
from microveil.texts import Message

KINDS = ("intervals", "tree", "digits", "prefix", "dates", "types")
DATE_LEVELS = (
    "day",
    "week",
    "month",
    "quarter",
    "season",
    "year",
    "five_years",
    "decade",
    "twenty_years",
)
MOST_CATEGORIES = 200
"""Categories that the editor lists."""


def kind_for(column: pl.Series) -> str:
    """The kind of hierarchy that suits a column."""
    if column.dtype.is_numeric():
        return "intervals"
    if column.dtype.is_temporal():
        return "dates"
    text = column.drop_nulls().cast(pl.String).head(500)
    if len(text) and text.str.contains(r"^\d{3,}$").all():
        return "digits"
    return "tree"


def begin_draft(column: pl.Series) -> dict[str, Any]:
    """A first draft for a column: quartiles of numbers, all else by its kind."""
    kind = kind_for(column)
    draft: dict[str, Any] = {"kind": kind, "groups": {}}
    if kind == "intervals":
        draft["cuts"] = [float(one) for one in nice_cuts(column)]
    if kind == "dates":
        draft["levels"] = ["month", "year"]
    return draft


def nice_cuts(column: pl.Series, n: int = 3) -> list[float]:
    """Rounded quantiles: cut points to start from."""
    numbers = column.drop_nulls().cast(pl.Float64)
    if not len(numbers):
        return []
    spread = float(numbers.max()) - float(numbers.min())  # type: ignore[arg-type]
    step = 10 ** max(len(str(int(spread))) - 2, 0) if spread >= 10 else spread / 20 or 1.0  # noqa: PLR2004
    cuts = [numbers.quantile(i / (n + 1), "linear") for i in range(1, n + 1)]
    rounded = sorted({round(float(cut) / step) * step for cut in cuts if cut is not None})
    return [round(cut, 6) for cut in rounded if float(numbers.min()) < cut <= float(numbers.max())]  # type: ignore[arg-type]


def raw_of(draft: Mapping[str, Any], column: pl.Series) -> dict[str, Any]:
    """The draft as a recipe writes it."""
    kind = draft.get("kind", "types")
    match kind:
        case "intervals":
            if draft.get("width"):
                return {"hierarchy": kind, "width": _number(draft["width"])}
            cuts = sorted({float(cut) for cut in draft.get("cuts", ())})
            if not cuts:
                raise InputError(Message("app.set_cut_point_width", "Set a cut point, or a width."))
            return {"hierarchy": kind, "cuts": [cuts]}
        case "tree":
            return {"hierarchy": "tree", "tree": draft.get("tree") or _tree(draft, column)}
        case "prefix":
            lengths = [int(_number(one)) for one in str(draft.get("lengths", "2")).split(",")]
            return {"hierarchy": kind, "lengths": lengths}
        case "dates":
            return {"hierarchy": kind, "levels": ["day", *_levels(draft)]}
        case _:
            return {"hierarchy": kind}


def _levels(draft: Mapping[str, Any]) -> list[str]:
    chosen = set(draft.get("levels", ()))
    return [level for level in DATE_LEVELS[1:] if level in chosen] or ["year"]


def _tree(draft: Mapping[str, Any], column: pl.Series) -> dict[str, list[str]]:
    """Groups by their label; a category that is in none stands for itself."""
    groups: dict[str, list[str]] = {}
    chosen = draft.get("groups", {})
    for value, _ in categories(column):
        groups.setdefault(str(chosen.get(value) or value), []).append(value)
    return groups


def groups_of(tree: Any, column: pl.Series) -> dict[str, str] | None:
    """The label of each category in a tree as the editor makes it; none if it is another one.

    >>> groups_of({"warm": ["May", "June"], "July": ["July"]}, pl.Series(["May", "June", "July"]))
    {'May': 'warm', 'June': 'warm'}
    """
    if not isinstance(tree, Mapping) or not all(isinstance(one, list) for one in tree.values()):
        return None
    labels = {str(value): str(label) for label, values in tree.items() for value in values}
    if set(labels) != {value for value, _ in categories(column)}:
        return None
    return {value: label for value, label in labels.items() if value != label}


def _number(text: object) -> float:
    try:
        return float(str(text).replace(",", "."))
    except ValueError:
        raise InputError(Message("app.type_number_2", "Type a number.")) from None


class Preview(NamedTuple):
    """What a level of a hierarchy makes of a column."""

    level: str
    """Name of the level."""
    labels: list[tuple[str, int]]
    """Each label with the records it would get, the commonest first."""


def preview(raw: Mapping[str, Any], column: pl.Series, level: str) -> Preview:
    """A level by its name or number, the highest if it is beyond; the values are number 0."""
    builder: HierarchyBuilder = as_builder(dict(raw))
    distinct = Distinct.of(column)
    hierarchy = builder.build(distinct.values)
    names = tuple(hierarchy.names)
    place = _place(level, names)
    labels = hierarchy.labels_of(hierarchy.match(distinct), place)
    return Preview(names[place], categories(distinct.spread(labels)))


def _place(level: str, names: tuple[str, ...]) -> int:
    if level in names:
        return names.index(level)
    return min(int(level) if level.isdigit() else 1, len(names) - 1)
