"""The R-U map: every point of an exploration by its risk and utility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from microveil.errors import InputError
from microveil.plots.drawing import INK, NEUTRAL, PALETTE, RISKY, SAFE, finished, plotting, rows

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

FRONT, BEATEN, BROKEN = "on the front", "dominated", "requirement not met"
SHAPES = {FRONT: "circle", BEATEN: "square", BROKEN: "cross"}
ORIGINAL = "original"
SHORT = 22
"""Characters of a name that fits on the map; a longer one is placed above it."""
SIDE = 300
"""Pixels of the square map."""


class Explored(Protocol):
    """What the map needs of an exploration."""

    @property
    def points(self) -> Sequence[Any]:
        """Points with number, name, recipe, holds, readings by axis and ``value(axis)``."""

    @property
    def front(self) -> Sequence[Any]:
        """The points that no other one dominates."""

    @property
    def plane(self) -> Any:
        """The names of both axes, and which direction of each is better."""

    @property
    def original(self) -> Mapping[str, Any]:
        """The scores of the original, by axis."""

    def called(self, point: Any) -> str:
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
    drawing = _Drawing(exploration.plane, marks)
    layers = [
        *drawing.rules(max_risk, utility_limit),
        *drawing.intervals(),
        drawing.line([row for row in marks if row["status"] == FRONT]),
        drawing.points(),
        *drawing.original(exploration.original),
        *drawing.named(best),
    ]
    return finished(
        plotting().layer(*layers), title="R-U map", subtitle=words, width=SIDE + 60, height=SIDE
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
        interval = point.readings[plane.risk].interval or (risk, risk)
        found.append(
            {
                "risk_low": interval[0],
                "risk_high": interval[1],
                "number": point.number,
                "name": exploration.called(point),
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
        return None, str(error)  # limits out of reach are a finding
    where = f"best under {' and '.join(given)}" if given else "nearest to the ideal corner"
    return best, f"{where}: {exploration.called(best)} (point {best.number})"


class _Drawing:
    """The layers of one map, all on the same scales."""

    def __init__(self, plane: Any, marks: list[dict[str, Any]]) -> None:
        self._plane, self._marks = plane, marks
        alt = plotting()
        loss = plane.utility_better == "lower"
        self._x = alt.X(
            "utility:Q",
            title=f"{plane.utility}{' (loss)' if loss else ''}: more useful →",
            scale=alt.Scale(reverse=loss, zero=False, padding=14),
            axis=alt.Axis(tickCount=6),
        )
        self._y = self._upward("risk")

    def _upward(self, field: str) -> Any:
        """The axis of risk, safer downwards."""
        alt = plotting()
        flipped = self._plane.risk_better == "higher"
        return alt.Y(
            f"{field}:Q",
            title=f"← safer: {self._plane.risk}",
            scale=alt.Scale(reverse=flipped, zero=not flipped, padding=14),
            axis=alt.Axis(tickCount=6),
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
                    alt.Tooltip("name:N", title="Point"),
                    alt.Tooltip("recipe:N", title="Recipe"),
                    alt.Tooltip("risk:Q", title=self._plane.risk, format=".4~g"),
                    alt.Tooltip("utility:Q", title=self._plane.utility, format=".4~g"),
                    alt.Tooltip("status:N", title="Status"),
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

    def original(self, readings: Mapping[str, Any]) -> list[Any]:
        """The original: the corner that every protection starts from."""
        axes = (self._plane.risk, self._plane.utility)
        if not all(axis in readings for axis in axes):
            return []
        risk, utility = (readings[axis].value for axis in axes)
        mark = plotting().Chart(rows([{"risk": risk, "utility": utility, "name": ORIGINAL}]))
        return [
            mark.mark_point(shape="diamond", size=110, color=INK, strokeWidth=1.75).encode(
                x=self._x, y=self._y
            ),
            mark.mark_text(align="right", dx=-9, dy=12, color=INK, fontSize=11).encode(
                x=self._x, y=self._y, text="name:N"
            ),
        ]

    def named(self, best: Any) -> list[Any]:
        """A ring around the best point."""
        row = next((one for one in self._marks if best and one["number"] == best.number), None)
        if row is None:
            return []
        word = best.name if len(best.name) <= SHORT else f"point {best.number}"
        mark = plotting().Chart(rows([row | {"word": word}]))
        return [
            mark.mark_point(shape="circle", size=330, color=INK, strokeWidth=2).encode(
                x=self._x, y=self._y
            ),
            mark.mark_text(
                align="left", dx=12, dy=-10, color=INK, fontSize=12, fontWeight="bold"
            ).encode(x=self._x, y=self._y, text="word:N"),
        ]
