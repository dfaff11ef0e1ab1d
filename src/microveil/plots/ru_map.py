"""The R-U map: every point of an exploration by its risk and utility."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from microveil.errors import InputError
from microveil.plots.drawing import INK, NEUTRAL, PALETTE, RISKY, SAFE, finish, plotting, rows
from microveil.risk import RISK_MEASURES
from microveil.texts import join_and, phrase
from microveil.utility import UTILITY_MEASURES

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

FRONT, BEATEN, BROKEN = "on the front", "dominated", "requirement not met"
SHAPES = {FRONT: "circle", BEATEN: "square", BROKEN: "cross"}
ORIGINAL = "original"
SHORT = 22
"""Characters of a name that fits on the map; a longer one is placed above it."""
SIDE = 300
"""Pixels of the square map."""
OFFSETS = (-13, 17)
"""How far above or below its point a label stands, in turn."""
SQUASHED = 20
"""Times the lowest point's risk that the axis may reach before it is stretched near zero."""
FEW_POWERS = 3
ROOM = 1.2
"""Room below the lowest point, for its label."""
MOST_IN_KEY = 8
"""Points whose settings are written out below the title."""


class Explored(Protocol):
    """What the map needs of an exploration."""

    @property
    def points(self) -> Sequence[Any]:
        """Points with number, name, recipe, holds, ``by_axis`` and ``value(axis)``."""

    @property
    def front(self) -> Sequence[Any]:
        """The points that no other one dominates."""

    @property
    def plane(self) -> Any:
        """The names of both axes, and which direction of each is better."""

    @property
    def original(self) -> Mapping[str, Any]:
        """The scores of the original, by axis."""

    def name_of(self, point: Any) -> str:
        """A point in words."""

    def limits(
        self, max_risk: float | None, max_loss: float | None, min_utility: float | None
    ) -> Any:
        """Refuse limits that do not fit the axes."""

    def best(
        self, *, max_risk: float | None, max_loss: float | None, min_utility: float | None
    ) -> Any:
        """The best point under limits."""


def ru_map_chart(
    exploration: Explored,
    *,
    max_risk: float | None = None,
    max_loss: float | None = None,
    min_utility: float | None = None,
) -> Chart:
    """Risk upwards and utility to the right, so that the lower right corner is the ideal.

    Loss measures run from right to left. The Pareto front is joined by a line, limits are dashed,
    and the best point under them is named; points whose requirements are not met are crosses.
    (Duncan, Keller-McNulty & Stokes 2001: the R-U confidentiality map.)
    """
    marks = map_rows(exploration)
    if not marks:
        raise InputError("No point could be measured on both axes; see the column `problem`.")
    limits = {"max_risk": max_risk, "max_loss": max_loss, "min_utility": min_utility}
    best, words = _best(exploration, limits)
    utility_limit = max_loss if max_loss is not None else min_utility
    drawing = _Drawing(exploration.plane, marks, _heights(exploration, marks, max_risk))
    front = [row for row in marks if row["status"] == FRONT]
    layers = [
        *drawing.rules(max_risk, utility_limit),
        *drawing.intervals(),
        drawing.line(front),
        drawing.points(),
        *drawing.original(exploration.original),
        *drawing.labels(front, best),
        *drawing.ring(best),
    ]
    key = _key(front)
    told = phrase("{words}. Front: {key}", words=words, key=key) if key else words
    return finish(
        plotting().layer(*layers),
        title=phrase("R-U map"),
        subtitle=told,
        width=SIDE + 60,
        height=SIDE,
    )


def map_rows(exploration: Explored) -> list[dict[str, Any]]:
    """The points on the map, each with its position and its status."""
    plane = exploration.plane
    chosen = {point.number for point in exploration.front}
    found = []
    for point in exploration.points:
        risk, utility = point.value(plane.risk), point.value(plane.utility)
        if risk is None or utility is None:
            continue
        status = FRONT if point.number in chosen else BEATEN if point.holds else BROKEN
        interval = point.by_axis[plane.risk].interval or (risk, risk)
        found.append(
            {
                "risk_low": interval[0],
                "risk_high": interval[1],
                "number": point.number,
                "name": exploration.name_of(point),
                "recipe": point.recipe,
                "risk": risk,
                "utility": utility,
                "status": status,
            }
        )
    return found


def _best(exploration: Explored, limits: dict[str, float | None]) -> tuple[Any, str]:
    """The best point and a sentence about it; None if no point meets the limits."""
    names = {"max_risk": "risk ≤", "max_loss": "loss ≤", "min_utility": "utility ≥"}
    given = [f"{names[key]} {value:g}" for key, value in limits.items() if value is not None]
    exploration.limits(**limits)  # limits of the wrong kind are the caller's mistake
    try:
        best = exploration.best(**limits)
    except InputError as error:
        return None, error.message  # limits out of reach are a finding
    where = (
        phrase("best under {given}", given=join_and(given))
        if given
        else phrase("nearest to the ideal corner")
    )
    return best, f"{where}: {exploration.name_of(best)} (point {best.number})"


def _heights(
    exploration: Explored, marks: list[dict[str, Any]], limit: float | None
) -> list[float]:
    """All risks that the axis has to show."""
    found = [row[name] for row in marks for name in ("risk", "risk_low", "risk_high")]
    original = exploration.original.get(exploration.plane.risk)
    found += [] if original is None else [float(original.value)]
    return found + ([] if limit is None else [limit])


class _Drawing:
    """The layers of one map, all on the same scales."""

    def __init__(self, plane: Any, marks: list[dict[str, Any]], heights: list[float]) -> None:
        self._plane, self._marks = plane, marks
        self._ticks = ticks_of(heights, [row["risk"] for row in marks])
        alt = plotting()
        loss = plane.utility_better == "lower"
        self._x = alt.X(
            "utility:Q",
            title=phrase(
                "{axis_name}{loss}: more useful →",
                axis_name=axis_name(plane.utility),
                loss=phrase(" (loss)") if loss else "",
            ),
            scale=alt.Scale(reverse=loss, zero=False, padding=14),
            axis=alt.Axis(tickCount=6),
        )
        self._y = self._upward("risk")

    def _upward(self, field: str) -> Any:
        """The axis of risk, safer downwards."""
        alt = plotting()
        flipped = self._plane.risk_better == "higher"
        how: dict[str, Any] = {"zero": not flipped}
        axis = alt.Axis(tickCount=6)
        if self._ticks:  # most points would else lie on each other at the foot of the axis
            ends = [self._ticks[0], self._ticks[-1]]
            how = {"type": "log", "domain": ends, "nice": False}
            if not ends[0]:  # nothing has no logarithm: near it the axis is even again
                how |= {"type": "symlog", "constant": self._ticks[1]}
            axis = alt.Axis(values=self._ticks, format="~g")
        return alt.Y(
            f"{field}:Q",
            title=phrase("← safer: {axis_name}", axis_name=axis_name(self._plane.risk)),
            scale=alt.Scale(reverse=flipped, **({"padding": 14} | how)),
            axis=axis,
        )

    def points(self) -> Any:
        """Every point; its colour shows the recipe if there are several, otherwise the status."""
        alt = plotting()
        several = len({row["recipe"] for row in self._marks}) > 1
        statuses = [one for one in SHAPES if any(row["status"] == one for row in self._marks)]
        if several:
            recipes = list(dict.fromkeys(row["recipe"] for row in self._marks))
            colour = alt.Color(
                "recipe:N",
                scale=alt.Scale(domain=recipes, range=PALETTE),
                legend=alt.Legend(columns=3, symbolType="circle"),
            )
        else:
            tints = {FRONT: SAFE, BEATEN: NEUTRAL, BROKEN: RISKY}
            scale = alt.Scale(domain=statuses, range=[tints[one] for one in statuses])
            colour = alt.Color("status:N", scale=scale)
        shapes = alt.Scale(domain=statuses, range=[SHAPES[one] for one in statuses])
        legend = alt.Legend(columns=3)
        return (
            alt.Chart(rows(self._marks))
            .mark_point(filled=True, opacity=0.9)
            .encode(
                x=self._x,
                y=self._y,
                color=colour,
                shape=alt.Shape("status:N", scale=shapes, legend=legend if several else None),
                size=alt.condition(f"datum.status == '{FRONT}'", alt.value(95), alt.value(45)),
                tooltip=[
                    alt.Tooltip("name:N", title=phrase("Point")),
                    alt.Tooltip("recipe:N", title=phrase("Recipe")),
                    alt.Tooltip("risk:Q", title=self._plane.risk, format=".4~g"),
                    alt.Tooltip("utility:Q", title=self._plane.utility, format=".4~g"),
                    alt.Tooltip("status:N", title=phrase("Status")),
                ],
            )
        )

    def intervals(self) -> list[Any]:
        """Confidence intervals of the risk, if the measure is an estimate."""
        rough = [row for row in self._marks if row["risk_low"] < row["risk_high"]]
        if not rough:
            return []
        mark = plotting().Chart(rows(rough)).mark_rule(color=NEUTRAL, strokeWidth=1, opacity=0.6)
        return [mark.encode(x=self._x, y=self._upward("risk_low"), y2="risk_high:Q")]

    def line(self, marks: list[dict[str, Any]]) -> Any:
        """The front, joined."""
        return (
            plotting()
            .Chart(rows(marks))
            .mark_line(color=NEUTRAL, strokeWidth=1.25)
            .encode(x=self._x, y=self._y, order="risk:Q")
        )

    def rules(self, risk: float | None, utility: float | None) -> list[Any]:
        """The limits, dashed."""
        alt = plotting()
        style = {"color": RISKY, "strokeDash": [6, 4], "strokeWidth": 1.5}
        found = []
        if risk is not None:
            found.append(alt.Chart(rows([{"risk": risk}])).mark_rule(**style).encode(y=self._y))
        if utility is not None:
            mark = alt.Chart(rows([{"utility": utility}]))
            found.append(mark.mark_rule(**style).encode(x=self._x))
        return found

    def original(self, by_axis: Mapping[str, Any]) -> list[Any]:
        """The original: the corner that every protection starts from."""
        axes = (self._plane.risk, self._plane.utility)
        if not all(axis in by_axis for axis in axes):
            return []
        risk, utility = (by_axis[axis].value for axis in axes)
        mark = plotting().Chart(rows([{"risk": risk, "utility": utility, "name": ORIGINAL}]))
        return [
            mark.mark_point(shape="diamond", size=110, color=INK, strokeWidth=1.75).encode(
                x=self._x, y=self._y
            ),
            mark.mark_text(align="right", dx=-9, dy=-6, color=INK, fontSize=11).encode(
                x=self._x, y=self._y, text="name:N"
            ),
        ]

    def labels(self, front: list[dict[str, Any]], best: Any) -> list[Any]:
        """Every point of the front by its name, above and below in turn; the best in bold."""
        placed: dict[tuple[int, bool], list[dict[str, Any]]] = {}
        for turn, some in enumerate(together(front)):
            bold = best is not None and any(row["number"] == best.number for row in some)
            place = OFFSETS[turn % len(OFFSETS)]
            word = " / ".join(short_name(row) for row in some)
            placed.setdefault((place, bold), []).append(some[0] | {"word": word})
        return [
            plotting()
            .Chart(rows(some))
            .mark_text(dy=dy, color=INK, fontSize=11, fontWeight="bold" if bold else "normal")
            .encode(x=self._x, y=self._y, text="word:N")
            for (dy, bold), some in placed.items()
        ]

    def ring(self, best: Any) -> list[Any]:
        """A ring around the best point."""
        row = next((one for one in self._marks if best and one["number"] == best.number), None)
        if row is None:
            return []
        mark = plotting().Chart(rows([row]))
        ring = mark.mark_point(shape="circle", size=330, color=INK, strokeWidth=2)
        return [ring.encode(x=self._x, y=self._y)]


def together(front: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Points in the order of their utility; those at the same place share a label."""
    places: dict[tuple[float, float], list[dict[str, Any]]] = {}
    for row in sorted(front, key=lambda row: row["utility"]):
        places.setdefault((round(row["utility"], 9), round(row["risk"], 9)), []).append(row)
    return list(places.values())


def short_name(row: Mapping[str, Any]) -> str:
    """A point's settings without their paths; its number where even that is long.

    >>> short_name({"name": "steps.1.k=5", "number": 3})
    'k=5'
    """
    name = _settings(row)
    return name if len(name) <= SHORT else str(row["number"])


def _settings(row: Mapping[str, Any]) -> str:
    return re.sub(r"\b(?:steps|require|roles)\.(?:\w+\.)*(\w+)=", r"\1=", str(row["name"]))


def _key(front: list[dict[str, Any]]) -> str:
    """What the numbers on the map stand for."""
    numbered = [row for row in front if short_name(row) == str(row["number"])]
    return "; ".join(f"{row['number']}: {_settings(row)}" for row in numbered[:MOST_IN_KEY])


def axis_name(axis: str) -> str:
    """What an axis shows, in words.

    >>> axis_name("class_sizes.average_risk"), axis_name("generalization_loss")
    ('average risk', 'Values left possible')
    """
    kind, _, part = axis.partition(".")
    if part:
        return part.replace("_", " ").replace(".", ", ")
    for registry in (RISK_MEASURES, UTILITY_MEASURES):
        if kind in registry and registry[kind].title:
            return registry[kind].title
    return kind.replace("_", " ")


def ticks_of(heights: Sequence[float], risks: Sequence[float]) -> list[float]:
    """Ticks of an axis stretched near zero; none if the points are far enough apart without it.

    >>> ticks_of([0.37, 0.004, 0.01], [0.004, 0.01])
    [0.001, 0.01, 0.1, 1.0]
    >>> ticks_of([0.1, 0.5], [0.1, 0.5])
    []
    """
    positive = [one for one in heights if one > 0]
    near = min((one for one in risks if one > 0), default=math.inf)
    if not positive or min(heights) < 0 or max(heights) < SQUASHED * near:
        return []
    low, high = min(positive), max(positive)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= FEW_POWERS else (1,)
    ticks = [float(f"{step}e{power}") for power in powers for step in steps]
    first = max([one for one in ticks if one <= low / ROOM], default=ticks[0])
    last = min([one for one in ticks if one >= high], default=ticks[-1])
    zero = [0.0] if min(heights) == 0 else []
    return [*zero, *[one for one in ticks if first <= one <= last]]
