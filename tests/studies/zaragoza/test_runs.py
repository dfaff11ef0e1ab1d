"""The runs of Mondrian against Datafly, by what the thesis prints of them."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.studies.zaragoza.runs import DOCUMENT_ALGORITHMS, class_measures
from microveil.studies.zaragoza.study import PUBLISHED
from microveil.studies.zaragoza.tables import DataSet
from microveil.tables import Table


@pytest.mark.parametrize("k", [2, 128])
def test_table_6_comes_out_with_two_columns(k: int) -> None:
    frame = DataSet("independent", "linear", 100_000, 2).frame()
    for algorithm, printed in zip(("Datafly", "Mondrian strict"), PUBLISHED[k], strict=True):
        step = DOCUMENT_ALGORITHMS[algorithm](k, frame.columns)
        released = step.apply(Table(frame), np.random.default_rng(0)).table.frame
        found = class_measures(released, frame.columns)
        assert found["combinations"] == int(printed)
        assert found["smallest"] >= k
