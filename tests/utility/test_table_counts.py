from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.utility.table_counts import TableCounts
from tests.utility.cases import DATA


def test_table_counts_are_sdcmicro_s() -> None:
    before, after = (pl.read_csv(DATA / "trs" / f"trs_dat300{end}.csv") for end in ("", "_swapped"))
    score = TableCounts(columns=("nuts2", "national")).measure(before, after)
    assert score.value == pytest.approx(2.04210526315789)
    assert score.parts["root"] == pytest.approx(0.297334132118916)
    assert score.parts["relative"] == pytest.approx(0.198827896196452)
    quantiles = score.frames["quantiles"]
    assert quantiles["relative"].to_list()[-3:] == pytest.approx([0.610909090909091, 1.53, 2])
    assert (score.parts["n_emptied"], score.parts["n_new"]) == (0, 0)


def test_cells_that_empty_and_fill_are_counted() -> None:
    before = {"sex": ["f", "f", "m"], "town": ["a", "a", "b"]}
    after = {"sex": ["f", "f", "m"], "town": ["a", "b", "b"]}
    score = TableCounts(columns=("sex", "town")).measure(before, after)
    # f/a 2→1, f/b 0→1, m/b 1→1 inside; f 2→2, m 1→1, a 2→1, b 1→2 in the margins.
    assert score.value == pytest.approx(4 / 7)
    assert (score.parts["n_new"], score.parts["n_emptied"], score.parts["n_cells"]) == (1, 0, 7)
    inner = TableCounts(columns=("sex", "town"), only_inner_cells=True).measure(before, after)
    assert inner.value == pytest.approx(2 / 3)


def test_missing_cells_are_a_category() -> None:
    score = TableCounts(columns="x").measure({"x": ["a", None]}, {"x": [None, None]})
    assert (score.value, score.parts["n_emptied"]) == (1, 1)


def test_too_many_margins_are_refused() -> None:
    frame = pl.DataFrame({f"c{i}": [1] for i in range(9)})
    with pytest.raises(InputError, match="only_inner_cells"):
        TableCounts(columns=tuple(frame.columns)).measure(frame, frame)
