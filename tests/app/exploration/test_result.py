from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import microveil as mv
from microveil.errors import InputError
from tests.app.exploration.cases import FRAME, NOISE, SUPPRESS


def test_a_release_is_made_again_exactly_and_as_the_same_kind_of_frame() -> None:
    grid = {"steps.0.sd_share": [0.1, 0.2]}
    found = mv.explore(FRAME.to_pandas(), NOISE, grid, seed=7, utility="il1s")

    release = found.release(1)

    assert isinstance(release.data, pd.DataFrame)
    assert release.utility["il1s"].value == found.points[1].value("il1s")
    assert found.release(found.points[1]).table.frame.equals(release.table.frame)
    with pytest.raises(InputError, match="from 0 to 1"):
        found.release(2)


def test_unseeded_releases_are_those_that_were_measured() -> None:
    found = mv.explore(FRAME, NOISE, {"steps.0.sd_share": [0.1]}, utility="il1s")

    assert found.release(0).utility["il1s"].value == found.points[0].value("il1s")


def test_the_result_is_plain_data() -> None:
    grid: list[dict[str, Any]] = [{"steps.0.base": 5}, {"steps.0.columns": ["age"]}]
    found = mv.explore(FRAME, SUPPRESS, grid, risk="class_sizes")

    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["pareto"]
    assert found.frame["steps.0.columns"].to_list() == [None, '["age"]']
    assert "2 points" in repr(found)
    assert "<table" in found._repr_html_()
