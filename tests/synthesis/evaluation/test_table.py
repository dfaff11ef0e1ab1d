from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from tests.synthesis.evaluation.cases import ORIGINAL, OTHERS


def test_what_cannot_be_measured_is_listed_with_the_reason() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, OTHERS)
    assert set(found.skipped) == {"train_on_synthetic", "membership"}
    assert "hold-out" in found.skipped["membership"]
    with pytest.raises(InputError, match="no 'membership'"):
        found["membership"]


@pytest.mark.parametrize("which", [0, 1])
def test_tables_without_records_are_refused(which: int) -> None:
    pair = [ORIGINAL, OTHERS]
    pair[which] = pair[which].clear()
    with pytest.raises(InputError, match="no records"):
        mv.evaluate_synthesis(*pair)


def test_one_column_and_all_missing_are_measured() -> None:
    frame = pl.DataFrame({"x": pl.Series([None] * 30, dtype=pl.Float64)})
    found = mv.evaluate_synthesis(frame, frame)
    assert found["one_way_marginals"] == 0
    assert found.trust_map is None
