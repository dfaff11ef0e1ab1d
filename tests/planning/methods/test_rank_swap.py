"""Values swapped in a moving window go no further than their range."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning.methods.rank_swap import _without_a_last_one, suits
from tests.planning.methods.cases import in_parts, ranks
from tests.planning.test_parts_equal_whole import people, recipe_of

pytest.importorskip("duckdb")
pytestmark = pytest.mark.usefixtures("on_disk")


@pytest.mark.parametrize("share", [0.01, 0.2])
def test_no_value_is_swapped_further_than_its_range(share: float, tmp_path: Path) -> None:
    frame = people(1000).with_columns(pl.Series("pay", np.random.default_rng(1).random(1000)))
    step = {"method": "rank_swap", "columns": ["pay"], "range_share": share}
    after, facts = in_parts(step, frame, tmp_path)
    moves = np.abs(ranks(after["pay"]) - ranks(frame["pay"]))
    assert moves.max() <= share * 1000
    assert facts["n_unswapped"]["pay"] == int((moves == 0).sum())
    whole = mv.run(recipe_of([step]), frame, seed=3).data
    of_whole = np.abs(ranks(whole["pay"]) - ranks(frame["pay"]))
    assert moves.mean() == pytest.approx(of_whole.mean(), rel=0.1)
    assert (np.sort(moves) - np.sort(of_whole)).mean() == pytest.approx(0, abs=0.1 * moves.mean())


def test_blocks_of_ranks_do_not_mix(tmp_path: Path) -> None:
    frame = people(201).with_columns(pl.Series("pay", np.random.default_rng(1).random(201)))
    step = {
        "method": "rank_swap",
        "columns": ["pay"],
        "range_share": 0.05,
        "variant": "blocks",
    }
    after, _ = in_parts(step, frame, tmp_path)
    before, then = ranks(frame["pay"]) - 1, ranks(after["pay"]) - 1
    # The two hundred and first rank joins the block before it.
    blocks = [np.minimum(one // 10, 19) for one in (before, then)]
    assert (blocks[0] == blocks[1]).all()


def test_no_value_is_left_alone_in_the_last_frame() -> None:
    def heights(*sizes: int) -> list[int]:
        frames = (pl.DataFrame({"x": range(n)}) for n in sizes)
        return [frame.height for frame in _without_a_last_one(frames)]

    assert heights(4, 4, 1) == [4, 5]
    assert heights(4, 4, 2) == [4, 4, 2]
    assert heights(1) == [1]
    assert heights() == []


def test_missing_values_and_tables_of_hardly_any_row_stay(tmp_path: Path) -> None:
    step = {"method": "rank_swap", "columns": ["pay"], "range_share": 0.5}
    frame = people(5).with_columns(pl.Series("pay", [None, 1.0, None, 2.0, None]))
    after, facts = in_parts(step, frame, tmp_path)
    assert after["pay"].to_list() in ([None, 2.0, None, 1.0, None], [None, 1.0, None, 2.0, None])
    assert (facts["n_ranks"], facts["n_missing"]) == ({"pay": 1}, {"pay": 3})
    nothing, facts = in_parts(step, frame.with_columns(pay=pl.lit(None, pl.Float64)), tmp_path)
    assert nothing["pay"].null_count() == 5
    assert (facts["n_ranks"], facts["n_unswapped"]) == ({"pay": 0}, {"pay": 0})


def test_levels_are_swapped_in_their_own_order(tmp_path: Path) -> None:
    levels = pl.Enum(["low", "middle", "high", "absurd"])
    cells = pl.Series("level", ["absurd", None, "high", "middle", "low"] * 8, dtype=levels)
    step = {"method": "rank_swap", "columns": ["level"], "range_share": 0.3}
    after, _ = in_parts(step, people(40).with_columns(cells), tmp_path)
    assert after["level"].is_null().equals(cells.is_null())
    assert after["level"].sort().cast(pl.String).equals(cells.sort().cast(pl.String))
    moves = after["level"].cast(levels).to_physical().cast(int) - cells.to_physical().cast(int)
    assert 0 < moves.abs().max() <= 2


@pytest.mark.parametrize(
    ("more", "suited"),
    [
        ({"range_share": 0.1}, True),
        ({"range_share": 0.1, "variant": "blocks"}, True),
        ({"range_share": 0.1, "variant": "chained"}, False),
        ({"range_share": 0.1, "top_share": 0.01}, False),
        ({"range_share": 0.1, "bottom_share": 0.01}, False),
        ({"correlation": 0.9}, False),
    ],
)
def test_only_a_range_of_ranks_is_swapped_on_disk(more: dict[str, Any], *, suited: bool) -> None:
    assert suits(mv.RankSwap.parse({"columns": ["pay"], **more})) is suited
