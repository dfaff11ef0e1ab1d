from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from microveil.plots import (
    class_sizes_chart,
)
from microveil.plots.class_sizes import binned_sizes
from tests.plots.cases import BEFORE


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
