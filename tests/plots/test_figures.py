"""Each figure draws what the data say, and no more than its audience may see."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError
from microveil.plots import (
    correlations_chart,
    error_curves_chart,
    histogram_chart,
    marginals_chart,
    to_svg,
)
from microveil.plots.correlations import MOST_COLUMNS as MOST_CORRELATED
from microveil.plots.correlations import correlation_map_chart, correlation_maps
from microveil.plots.error_curves import MOST_CURVES
from microveil.plots.marginals import MISSING, MOST_COLUMNS, OTHERS, share_rows
from microveil.plots.small_counts import SMALL_COUNT
from microveil.tables import Table
from tests.plots.cases import EXTREME, RARE, coarse, noisy, people, rows_of

NOISY, COARSE = noisy(), coarse()

CHARTS: dict[str, Callable[[], Any]] = {
    "histogram": lambda: histogram_chart(NOISY, column="pay"),
    "public histogram": lambda: histogram_chart(NOISY, column="age", audience="public"),
    "histogram of labels": lambda: histogram_chart(COARSE, column="age"),
    "histogram of nobody": lambda: histogram_chart(
        people().clear(), people().clear(), column="age"
    ),
    "error curves": lambda: error_curves_chart(NOISY),
    "error curves by release": lambda: error_curves_chart(
        {"some": NOISY, "more": (people(), people())}, columns=["pay"]
    ),
    "correlations": lambda: correlations_chart(NOISY),
    "rank correlations": lambda: correlations_chart(NOISY, kind="spearman"),
    "one map": lambda: correlation_map_chart("Original", np.eye(2), ["a", "b"]),
    "marginals": lambda: marginals_chart(COARSE),
    "public marginals": lambda: marginals_chart(NOISY, audience="public"),
}


@pytest.mark.parametrize("name", CHARTS)
def test_a_notebook_shows_svg_that_can_share_a_page_and_fetches_nothing(name: str) -> None:
    bundle = CHARTS[name]()._repr_mimebundle_(include=None, exclude=None)
    svg = bundle["image/svg+xml"]
    root = ET.fromstring(svg)  # noqa: S314  our own drawing

    assert root.tag.endswith("svg")
    assert not [node for node in root.iter() if "id" in node.attrib]
    assert "text/html" not in bundle
    assert "http" not in svg.replace("http://www.w3.org/", "")


def test_a_figure_stays_an_altair_chart_that_can_be_changed() -> None:
    import altair as alt

    changed: Any = histogram_chart(NOISY, column="pay").properties(title="Pay")

    assert "image/svg+xml" in changed._repr_mimebundle_()
    assert json.loads(changed.to_json())["title"] == "Pay"
    assert isinstance(changed, alt.LayerChart)


def test_a_histogram_counts_every_record_of_both_tables() -> None:
    counts = {"original": 0, "protected": 0}
    for row in rows_of(histogram_chart(NOISY, column="age")):
        counts[row["side"]] += row["count"]

    assert counts == {"original": 400, "protected": 400}


def test_a_histogram_of_text_points_to_the_other_figure() -> None:
    with pytest.raises(ColumnError, match="marginals_chart"):
        histogram_chart(NOISY, column="town")
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        histogram_chart(NOISY, column="agee")


@pytest.mark.parametrize("column", ["pay", "age"])
def test_a_public_histogram_has_round_counts_and_no_extreme(column: str) -> None:
    bars = rows_of(histogram_chart(NOISY, column=column, audience="public"))

    assert bars
    assert all(row["count"] >= SMALL_COUNT for row in bars)
    assert all(row["count"] % SMALL_COUNT == 0 for row in bars)
    assert max(row["end"] for row in bars) < EXTREME


def test_public_marginals_name_no_rare_value() -> None:
    assert RARE in json.dumps(rows_of(marginals_chart(NOISY)))
    public = rows_of(marginals_chart(NOISY, audience="public"))

    assert RARE not in json.dumps(public)
    shares = [row["share"] * 400 for row in public if "share" in row]
    assert all(round(share) >= SMALL_COUNT for share in shares)
    assert all(abs(share - SMALL_COUNT * round(share / SMALL_COUNT)) < 1e-6 for share in shares)


def test_a_public_error_curve_ends_where_ten_records_are_left() -> None:
    release = noisy()
    internal = rows_of(error_curves_chart(release, columns=["pay"]))
    public = rows_of(error_curves_chart(release, columns=["pay"], audience="public"))

    assert max(row["share"] for row in internal) == 1.0
    assert max(row["share"] for row in public) == pytest.approx(1 - (SMALL_COUNT - 1) / 400)
    assert error_curves_chart(people(9), people(9), columns=["pay"], audience="public")


def test_an_audience_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match="internal or public"):
        histogram_chart(NOISY, column="age", audience="everybody")


def test_error_curves_are_the_sorted_errors() -> None:
    before = pl.DataFrame({"x": [0.0, 0.0, 0.0, 0.0]})
    after = pl.DataFrame({"x": [3.0, -1.0, None, 2.0]})

    curve = rows_of(error_curves_chart(before, after))

    assert [row["error"] for row in curve] == [1.0, 2.0, 3.0]
    assert [row["share"] for row in curve] == pytest.approx([1 / 3, 2 / 3, 1])


def test_several_columns_are_drawn_in_standard_deviations() -> None:
    before = pl.DataFrame({"x": [0.0, 10.0], "y": [5.0, 5.0]})
    after = pl.DataFrame({"x": [10.0, 10.0], "y": [6.0, 5.0]})
    curves = rows_of(error_curves_chart(before, after))

    assert max(row["error"] for row in curves if row["curve"] == "x") == pytest.approx(2**0.5)
    assert max(row["error"] for row in curves if row["curve"] == "y") == 1.0


def test_of_many_columns_those_that_moved_most_are_drawn() -> None:
    before = pl.DataFrame({f"c{i:02}": [0.0, 1.0, 2.0] for i in range(MOST_CURVES + 3)})
    after = before.select(pl.col(name) + i for i, name in enumerate(before.columns))
    drawn = {row["curve"] for row in rows_of(error_curves_chart(before, after))}

    assert drawn == set(before.columns[3:])


def test_releases_are_laid_beside_each_other_for_one_column() -> None:
    with pytest.raises(InputError, match="one column"):
        error_curves_chart({"noise": NOISY})
    with pytest.raises(InputError, match="No column is numeric"):
        error_curves_chart({"a": ["x"]}, {"a": ["x"]})


def test_correlations_are_those_of_numpy() -> None:
    maps = correlation_maps(NOISY)
    frames = [one.frame.select(maps.columns).to_numpy() for one in (NOISY.original, NOISY.table)]

    for found, frame in zip((maps.before, maps.after), frames, strict=True):
        np.testing.assert_allclose(found, np.corrcoef(frame, rowvar=False), atol=1e-12)
    assert dict(maps.by_title)["Difference"][0, 0] == 0


def test_rank_correlations_do_not_see_a_monotone_change() -> None:
    before = people().select("pay", "age")
    maps = correlation_maps(before, before.with_columns(pl.col("pay").log()), kind="spearman")

    np.testing.assert_allclose(maps.before, maps.after, atol=1e-12)


def test_a_column_that_does_not_vary_correlates_with_nothing() -> None:
    frame = {"x": [1.0, 2.0, 3.0], "y": [7.0, 7.0, 7.0]}

    assert correlation_maps(frame, frame).before.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    empty = {"x": pl.Series([], dtype=pl.Float64), "y": pl.Series([], dtype=pl.Float64)}
    assert correlation_maps(pl.DataFrame(empty), pl.DataFrame(empty)).n_records == 0


def test_correlations_take_two_columns_of_numbers() -> None:
    with pytest.raises(InputError, match="two columns"):
        correlations_chart({"a": [1.0]}, {"a": [1.0]})
    with pytest.raises(InputError, match="pearson or spearman"):
        correlations_chart(NOISY, kind="kendall")  # type: ignore[arg-type]  # on purpose
    wide = pl.DataFrame({f"c{i}": [1.0, 2.0, i] for i in range(MOST_CORRELATED + 2)})
    assert len(correlation_maps(wide, wide).columns) == MOST_CORRELATED


def test_shares_add_up_on_each_side() -> None:
    values = [f"v{i % 17}" for i in range(170)] + [None] * 30
    table = Table(pl.DataFrame({"v": values}))
    shares = share_rows(table, table.filter(np.arange(200) < 100), "v")

    for side in ("original", "protected"):
        assert sum(row["share"] for row in shares if row["side"] == side) == pytest.approx(1)
    assert shares[0]["value"] == MISSING
    assert {row["value"] for row in shares} >= {OTHERS, MISSING}


def test_originals_are_counted_under_the_label_they_were_released_as() -> None:
    before, after = Table({"v": ["a", "b"]}), Table({"v": ["{a, b}", "{a, b}"]})
    sides = {(row["value"], row["side"]) for row in share_rows(before, after, "v")}

    assert sides == {("{a, b}", "original"), ("{a, b}", "protected")}


def test_columns_of_every_kind_have_a_panel() -> None:
    frame = pl.DataFrame(
        {
            "list": [[1], [2]],
            "flag": [True, None],
            "day": pl.Series(["2024-01-01", None]).str.to_date(),
            "kind": pl.Series(["a", "b"], dtype=pl.Categorical),
            "long": ["x" * 99, "y"],
        }
    )
    text = json.dumps(rows_of(marginals_chart(frame, frame)))

    assert "2024-01-01" in text
    assert "x" * 40 not in text
    many = pl.DataFrame({f"c{i:02}": ["a"] for i in range(MOST_COLUMNS + 1)})
    assert "the first 12 of 13 columns" in to_svg(marginals_chart(many, many))
    with pytest.raises(InputError, match="no column in common"):
        marginals_chart({"a": [1]}, {"b": [1]})


def test_a_figure_takes_a_release_or_two_frames() -> None:
    pair = histogram_chart(NOISY.original.frame.to_pandas(), NOISY.data, column="age")

    assert rows_of(pair) == rows_of(histogram_chart(NOISY, column="age"))
    with pytest.raises(InputError, match="release alone"):
        histogram_chart(NOISY, people(), column="age")
    with pytest.raises(InputError, match="Pass a Release"):
        histogram_chart(people(), column="age")


def test_removed_rows_do_not_disturb_a_histogram() -> None:
    roles = mv.Roles(quasi_identifiers=["town"])
    recipe = mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=5)], undeclared="keep")
    release = mv.run(recipe, people(), seed=1)
    counts = [row["count"] for row in rows_of(histogram_chart(release, column="age"))]

    assert sum(counts) == 799
    assert rows_of(error_curves_chart(release, columns=["age"]))[-1]["error"] == 0
