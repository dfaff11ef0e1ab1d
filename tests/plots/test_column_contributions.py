from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from microveil.errors import InputError
from microveil.plots.column_contributions import MOST_COLUMNS, column_contributions_chart
from microveil.plots.export import to_svg
from microveil.risk.special_uniques import SpecialUniques
from microveil.scores import Score


def scored(shares: dict[str, float], n_unique: int = 100) -> Score:
    parts: dict[str, Any] = {"n_unique": n_unique, "contributions": shares}
    return Score("special_uniques", 0.0, parts=parts)


def drawn(chart: Any) -> dict[str, float]:
    data = next(iter(chart.to_dict()["datasets"].values()))
    return {row["column"]: row["share"] for row in data}


def test_the_worst_column_comes_first() -> None:
    data = {"sex": [*"ffmm"], "town": [*"AAAB"]}
    chart = column_contributions_chart(SpecialUniques(columns=["sex", "town"]).measure(data))
    assert list(drawn(chart).items()) == [("town", 1.0), ("sex", 0.5)]
    assert "2 records are special uniques" in to_svg(chart)


def test_of_many_columns_the_worst_are_drawn() -> None:
    chart = column_contributions_chart(scored({f"c{i:02}": i / 50 for i in range(50)}))
    assert list(drawn(chart)) == [f"c{i:02}" for i in range(49, 49 - MOST_COLUMNS, -1)]
    assert f"the worst {MOST_COLUMNS} of 50 columns" in to_svg(chart)


def test_the_public_reads_shares_in_steps_of_ten_records() -> None:
    chart = column_contributions_chart(scored({"a": 0.6, "b": 0.1}, 40), audience="public")
    assert drawn(chart) == {"a": 0.5, "b": 0.0}
    few = column_contributions_chart(scored({"a": 0.6}, 9), audience="public")
    assert "datasets" not in few.to_dict() or drawn(few) == {}
    assert "0 records are special uniques" in to_svg(few)


@pytest.mark.parametrize(
    "score", [scored({}), scored({"a": 0.2}, 3)], ids=["no column", "one column"]
)
def test_the_chart_becomes_svg_that_can_share_a_page(score: Score) -> None:
    root = ET.fromstring(to_svg(column_contributions_chart(score)))  # noqa: S314  our own drawing
    assert root.tag.endswith("svg")
    assert not [node for node in root.iter() if "id" in node.attrib]


def test_names_in_the_figure_are_escaped() -> None:
    assert "<script" not in to_svg(column_contributions_chart(scored({"<script>": 0.5})))


def test_the_wrong_score_is_refused() -> None:
    with pytest.raises(InputError, match="special_uniques"):
        column_contributions_chart(Score("il1s", 0.1))
