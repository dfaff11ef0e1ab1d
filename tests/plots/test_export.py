from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from microveil.errors import FileError
from microveil.plots import (
    class_sizes_chart,
    kept_cells_chart,
    risk_before_after_chart,
    to_png,
    to_svg,
)
from tests.plots.cases import AFTER, BEFORE, assessed, kept

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


def test_characters_that_no_picture_holds_are_replaced(tmp_path: Path) -> None:
    chart = kept_cells_chart(kept(**{"a\x00b": 0.5, "c\uffff\x1b": 1.0}))
    svg = to_svg(chart)
    ET.fromstring(svg)  # noqa: S314  our own drawing
    assert "a\ufffdb" in svg
    assert to_png(chart, tmp_path / "a.png").stat().st_size > 0
