from __future__ import annotations

import json
from typing import Any

import pytest

from microveil.app.exploration.axis_values import AxisValue
from microveil.app.exploration.result import Exploration, Point
from microveil.errors import InputError
from microveil.plots import ru_map_chart, to_html, to_svg
from microveil.plots.ru_map import BEATEN, BROKEN, FRONT, map_rows, together
from microveil.scores import Better
from tests.plots.cases import rows_of


def point(
    number: int, risk: float | None, loss: float | None, better: Better = "lower", **more: Any
) -> Point:
    by_axis: dict[str, AxisValue] = {}
    if risk is not None:
        by_axis["risk"] = AxisValue(risk)
    if loss is not None:
        by_axis["loss"] = AxisValue(loss, better)
    return Point(number, "recipe", {"steps.0.k": number}, by_axis=by_axis, **more)


POINTS = (
    point(0, 0.5, 0.1, holds=True),
    point(1, 0.1, 0.4, holds=True),
    point(2, 0.6, 0.5, holds=True),
    point(3, 0.0, 0.0, holds=False),
    point(4, None, 0.2, holds=True, problem="no risk"),
)
FOUND = Exploration(
    POINTS, ("risk",), ("loss",), original={"risk": AxisValue(1), "loss": AxisValue(0)}
)


def test_every_point_that_was_measured_stands_on_the_map_with_its_status() -> None:
    assert [row["status"] for row in map_rows(FOUND)] == [FRONT, FRONT, BEATEN, BROKEN]


def test_the_map_names_the_best_point_under_its_limits() -> None:
    svg = to_svg(FOUND.plot(max_risk=0.2))

    assert "best under risk ≤ 0.2: steps.0.k=1 (point 1)" in svg
    assert "nearest to the ideal corner" in to_svg(FOUND.plot())


def test_limits_are_drawn() -> None:
    rows = rows_of(ru_map_chart(FOUND, max_risk=0.2, max_loss=0.45))

    assert {"risk": 0.2} in rows
    assert {"utility": 0.45} in rows


def test_a_limit_out_of_reach_is_written_on_the_map() -> None:
    assert "No point meets the limits" in to_svg(ru_map_chart(FOUND, max_risk=0.01))
    with pytest.raises(InputError, match="limit it by max_loss"):
        ru_map_chart(FOUND, min_utility=0.5)


def test_more_useful_is_always_to_the_right() -> None:
    def turned(found: Exploration) -> bool:
        text = json.dumps(ru_map_chart(found).to_dict())
        return '"reverse": true' in text

    gain = Exploration(
        tuple(point(i, 0.1 * i, 0.2 * i, "higher", holds=True) for i in range(3)),
        ("risk",),
        ("loss",),
    )
    assert turned(FOUND)
    assert not turned(gain)


def test_recipes_are_told_apart_by_colour() -> None:
    from dataclasses import replace

    points = (POINTS[0], replace(POINTS[1], recipe="other"))
    svg = to_svg(ru_map_chart(Exploration(points, ("risk",), ("loss",))))

    assert "other" in svg
    assert "other, steps.0.k=1 (point 1)" in to_svg(
        ru_map_chart(Exploration(points, ("risk",), ("loss",)), max_risk=0.2)
    )


def test_an_estimated_risk_has_its_interval() -> None:
    by_axis = {"risk": AxisValue(0.2, interval=(0.1, 0.35)), "loss": AxisValue(0.5)}
    found = Exploration(
        (Point(0, "recipe", {}, holds=True, by_axis=by_axis), POINTS[0]), ("risk",), ("loss",)
    )
    (row, other) = map_rows(found)

    assert (row["risk_low"], row["risk_high"]) == (0.1, 0.35)
    assert other["risk_low"] == other["risk_high"] == 0.5
    assert '"y2": {"field": "risk_high"}' in json.dumps(ru_map_chart(found).to_dict())


def test_a_map_without_points_is_refused() -> None:
    with pytest.raises(InputError, match="column `problem`"):
        ru_map_chart(Exploration(POINTS[4:], ("risk",), ("loss",)))


def test_a_page_of_the_map_fetches_nothing(tmp_path: Any) -> None:
    text = to_html(ru_map_chart(FOUND), tmp_path / "map.html").read_text("utf-8")

    head = text[: text.index("<script") + 200]
    assert 'src="' not in head
    assert "cdn.jsdelivr" not in text


def test_points_at_the_same_place_share_a_label() -> None:
    front = [
        {"utility": 0.5, "risk": 0.2, "number": 2},
        {"utility": 0.1, "risk": 0.1, "number": 1},
        {"utility": 0.5, "risk": 0.2 + 1e-12, "number": 3},
    ]
    assert [[row["number"] for row in some] for some in together(front)] == [[1], [2, 3]]
