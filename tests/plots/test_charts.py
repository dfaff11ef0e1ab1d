from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.app import Comparison, run
from microveil.errors import FileError, InputError
from microveil.methods import SuppressRecords
from microveil.plots import (
    class_sizes_chart,
    kept_cells_chart,
    risk_before_after_chart,
    to_png,
    to_svg,
)
from microveil.plots.class_sizes import binned_sizes
from microveil.plots.kept_cells import MOST_COLUMNS
from microveil.recipes import Recipe
from microveil.risk import Assessment, assess_table
from microveil.scores import Score
from microveil.tables import Roles, Table

EVIL = "<script>alert(1)</script>"


def assessed(values: list[Any]) -> Assessment:
    frame = pl.DataFrame({"town": pl.Series(values, dtype=pl.String)})
    return assess_table(Table(frame, Roles(quasi_identifiers=["town"])))


def kept(**shares: float) -> Score:
    return Score("cell_changes", 0.0, parts={"kept": shares})


BEFORE = assessed([*"aaaaaaaaaaaab", "c"])
AFTER = assessed(["a"] * 14)

CHARTS = {
    "class_sizes": lambda: class_sizes_chart(BEFORE),
    "empty_class_sizes": lambda: class_sizes_chart(assessed([])),
    "risk_before_after": lambda: risk_before_after_chart(BEFORE, AFTER),
    "kept_cells": lambda: kept_cells_chart(kept(age=0.5, sex=1.0)),
    "no_cells": lambda: kept_cells_chart(kept()),
}


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_becomes_svg_that_can_share_a_page(name: str) -> None:
    root = ET.fromstring(to_svg(CHARTS[name]()))  # noqa: S314  our own drawing

    assert root.tag.endswith("svg")
    assert not [node for node in root.iter() if "id" in node.attrib]


def test_a_png_is_written_whole(tmp_path: Path) -> None:
    path = to_png(CHARTS["class_sizes"](), tmp_path / "figure.png")

    assert path.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [path]


def test_a_png_needs_an_existing_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        to_png(CHARTS["kept_cells"](), tmp_path / "nowhere" / "figure.png")


def test_names_in_a_figure_are_escaped() -> None:
    svg = to_svg(kept_cells_chart(kept(**{EVIL: 0.5})))

    assert "<script" not in svg
    assert "&lt;script" in svg


def test_a_figure_shows_the_columns_that_lost_most() -> None:
    shares = {f"column_{i:03}": i / 100 for i in range(100)}

    svg = to_svg(kept_cells_chart(kept(**shares)))

    assert f"column_{MOST_COLUMNS - 1:03}" in svg
    assert f"column_{MOST_COLUMNS:03}" not in svg
    assert f"the {MOST_COLUMNS} of 100 columns" in svg


def test_the_wrong_score_is_refused() -> None:
    with pytest.raises(InputError, match="cell_changes"):
        kept_cells_chart(Score("il1s", 0.1))


def test_figures_take_releases_and_comparisons_too() -> None:
    roles = Roles(quasi_identifiers=["town"])
    release = run(Recipe(roles=roles, steps=[SuppressRecords(k=2)]), {"town": [*"aaaab"]})
    comparison = Comparison({}, release.utility, release.risk_before, release.risk)

    for draw, parts in (
        (class_sizes_chart, [release.risk]),
        (risk_before_after_chart, [release.risk_before, release.risk]),
        (kept_cells_chart, [release.utility["cell_changes"]]),
    ):
        chart: Any = draw
        assert to_svg(chart(release)) == to_svg(chart(*parts)) == to_svg(chart(comparison))
        with pytest.raises(InputError, match="This figure"):
            chart({"town": ["a"]})


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_a_missing_extra_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(InputError, match=r"microveil\[plots\]"):
        class_sizes_chart(BEFORE)


@given(st.sets(st.integers(1, 2_000_000), min_size=1, max_size=40), st.integers(2, 60))
def test_bins_lose_no_record_and_none_straddles_the_acceptable_k(
    sizes: set[int], enough: int
) -> None:
    histogram = [{"size": size, "n_classes": 1, "n_records": size} for size in sorted(sizes)]

    bins = binned_sizes(histogram, enough)

    assert sum(one["n_records"] for one in bins) == sum(sizes)
    below = sum(one["n_records"] for one in bins if one["start"] < enough)
    assert below == sum(size for size in sizes if size < enough)
    assert len({one["size"] for one in bins}) == len(bins)


def test_risky_sizes_stand_out() -> None:
    spec = class_sizes_chart(BEFORE).to_dict()

    kinds = {row["size"]: row["kind"] for row in next(iter(spec["datasets"].values()))}
    assert kinds["1"].startswith("below")
    assert kinds["10–19"] == "k = 10 or more"
