"""The trust map is drawn as the numbers say, for each kind of result that has one."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.plots import to_svg, trust_map_chart
from microveil.plots.trust_map import MOST_COLUMNS
from microveil.synthesis.trust_map import Relation, TrustMap, trust_map


def _frame(n: int = 200) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], n)
    return pl.DataFrame(
        {"sex": sex, "pay": np.where(sex == "f", 2, 1), "age": rng.integers(0, 9, n)}
    )


def _values(chart: object) -> str:
    return json.dumps(chart.to_dict())  # type: ignore[attr-defined]


def test_every_pair_is_a_square_with_its_status_and_error() -> None:
    frame = _frame()
    mixed = frame.with_columns(pl.col("pay").shuffle(seed=1))
    found = _values(trust_map_chart(trust_map(frame, mixed, [("sex", "age")])))
    assert found.count('"words"') >= 3
    assert '"lost"' in found
    assert '"modelled"' in found


def test_a_release_and_its_report_show_the_map_of_its_synthesis(tmp_path: Path) -> None:
    recipe = mv.Recipe(steps=[mv.Synthesize(generator="bootstrap")], undeclared="keep")
    release = mv.run(recipe, _frame(), seed=1)
    root = ET.fromstring(to_svg(trust_map_chart(release)))  # noqa: S314  our own drawing
    assert root.tag.endswith("svg")
    release.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Trust map" in page
    assert "Which relations to trust" in page


def test_many_columns_are_cut_and_the_figure_says_so() -> None:
    names = tuple(f"c{i}" for i in range(MOST_COLUMNS + 5))
    relations = tuple(Relation(names[0], one, "implied", 0.1, 0.1, "x") for one in names[1:])
    found = _values(trust_map_chart(TrustMap(names, relations, private=True)))
    assert f"the first {MOST_COLUMNS} of {len(names)} columns" in found
    assert names[-1] not in found


def test_other_results_are_refused() -> None:
    with pytest.raises(InputError, match="TrustMap"):
        trust_map_chart(3)
