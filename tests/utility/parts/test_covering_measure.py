from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings

import microveil as mv
from microveil.utility.ambiguity import Ambiguity
from microveil.utility.average_class_size import AverageClassSize
from microveil.utility.discernibility import Discernibility
from microveil.utility.entropy_loss import EntropyLoss
from microveil.utility.generalization_loss import GeneralizationLoss
from tests.utility.cases import codes

ALL = (GeneralizationLoss(), Ambiguity(), EntropyLoss())


BY_KEYS = (Discernibility(columns="x"), AverageClassSize(columns="x"))


@pytest.mark.parametrize("measure", [*ALL, *BY_KEYS], ids=lambda measure: measure.kind())
@pytest.mark.parametrize("nothing", ["*", None], ids=["star", "missing"])
def test_a_column_that_says_nothing_is_lost_whole(measure: object, nothing: str | None) -> None:
    before = pl.DataFrame({"x": ["a", "b", "c", "a"]})
    after = pl.DataFrame({"x": pl.Series([nothing] * 4, dtype=pl.String)})
    assert measure.measure(before, after).value == pytest.approx(1)  # type: ignore[attr-defined]  # any of them


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.kind())
def test_a_key_that_is_gone_is_lost_whole(measure: object) -> None:
    before = pl.DataFrame({"x": ["a", "b"], "y": [1, 2]})
    roles = mv.Roles(quasi_identifiers=["x"])
    score = measure.measure(before, before.drop("x"), roles=roles)  # type: ignore[attr-defined]  # any of them
    assert score.value == pytest.approx(1)


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.kind())
def test_cells_that_were_missing_before_lost_nothing(measure: object) -> None:
    before = pl.DataFrame({"x": ["a", None, "b"]})
    assert measure.measure(before, before).value == 0  # type: ignore[attr-defined]  # any of them


@settings(max_examples=40)
@given(codes)
def test_coarser_labels_never_lose_less(values: list[str]) -> None:
    before = pl.DataFrame({"x": values})
    middle = pl.DataFrame({"x": [value[0] + "*" for value in values]})
    top = pl.DataFrame({"x": ["*"] * len(values)})
    for measure in (*ALL, *BY_KEYS):
        losses = [measure.measure(before, after).value for after in (before, middle, top)]
        assert losses[0] == 0
        assert losses[0] <= losses[1] + 1e-12 <= losses[2] + 2e-12
