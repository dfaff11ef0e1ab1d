from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from microveil.errors import InputError
from microveil.plots import (
    class_sizes_chart,
    correlations_chart,
    error_curves_chart,
    histogram_chart,
    marginals_chart,
)
from microveil.plots.correlations import correlation_map_chart
from microveil.plots.drawing import _some_home
from tests.plots.cases import BEFORE, people
from tests.plots.releases import COARSE, NOISY

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


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_a_missing_extra_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(InputError, match=r"microveil\[plots\]"):
        class_sizes_chart(BEFORE)


def test_altair_gets_a_home_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("HOME", raising=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "home", homeless)
        with _some_home():
            assert os.environ["HOME"] == os.sep
        assert "HOME" not in os.environ
    monkeypatch.setenv("HOME", "/somewhere")
    with _some_home():
        assert os.environ["HOME"] == "/somewhere"
