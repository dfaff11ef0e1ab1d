"""Columns at the limits of what their types can hold, and ways to set up steps and measures."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import polars as pl

import microveil as mv
from tests.conformance import cases

N = 12
INT64, UINT64, INT128 = 2**63 - 1, 2**64 - 1, 2**127 - 1
BIG = 1.7976931348623157e308
ZONE = "Europe/Vienna"


def _cycled(values: list[Any], dtype: Any = None) -> pl.Series:
    return pl.Series([values[number % len(values)] for number in range(N)], dtype=dtype)


def _physical(values: list[int], dtype: Any) -> pl.Series:
    """Dates beyond what Python can hold."""
    wide = pl.Int32 if dtype == pl.Date else pl.Int64
    return _cycled(values, wide).cast(dtype)


COLUMNS: Mapping[str, pl.Series] = {
    "largest_floats": _cycled([1e308, -1e308, BIG, 5.0, -BIG, 0.0, 1.0]),
    "one_large_float": _cycled([1e308, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]),
    "large_constant": _cycled([1e308]),
    "squares_overflow": _cycled([1e160, -1e160, 3e155, 1.0]),
    "squares_fit": _cycled([1e149, -1e149, 3e140, 1.0]),
    "smallest_floats": _cycled([5e-324, 1e-310, 2.2e-308, 0.0, -5e-324]),
    "wide_floats": _cycled([5e-324, 1e149, 1.0, -1e149, 1e-200]),
    "single_limits": _cycled([3.4e38, -3.4e38, 1e-45, 0.0], pl.Float32),
    "signed_zeros": _cycled([0.0, -0.0, 1.0]),
    "only_nan": _cycled([float("nan")]),
    "some_nan": _cycled([float("nan"), 1.0, 2.0, None]),
    "int64_limits": _cycled([INT64, -INT64 - 1, 0, 7, INT64 - 1]),
    "int64_top": _cycled([INT64, INT64 - 1, INT64 - 2]),
    "uint64_limits": _cycled([UINT64, 0, UINT64 - 1, 5], pl.UInt64),
    "int128": _cycled([2**100, -(2**100), 3, 0, None], pl.Int128),
    "int128_limits": _cycled([INT128, -INT128 - 1, 0], pl.Int128),
    "decimals": _cycled([Decimal("1.05"), Decimal("-99999.99"), Decimal("0.00"), None]),
    "large_decimals": _cycled([Decimal(10) ** 33, -(Decimal(10) ** 33), Decimal("1.5")]),
    "constant": _cycled([7]),
    "constant_date": _cycled([dt.date(2020, 2, 29)]),
    "constant_text": _cycled(["x"]),
    "one_value": pl.Series([3.5, *[None] * (N - 1)]),
    "no_floats": _cycled([None], pl.Float64),
    "no_integers": _cycled([None], pl.Int64),
    "no_dates": _cycled([None], pl.Date),
    "no_decimals": _cycled([None], pl.Decimal(10, 2)),
    "no_booleans": _cycled([None], pl.Boolean),
    "no_enums": _cycled([None], pl.Enum(["a", "b"])),
    "first_and_last_dates": _cycled([dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(1970, 1, 1)]),
    "dates_beyond_years": _physical([2**31 - 1, -(2**31), 0, 5_000_000], pl.Date),
    "datetimes_beyond_years": _physical([INT64, -INT64 - 1, 0, 10**17], pl.Datetime("us")),
    "nanoseconds": _physical([INT64, -INT64 - 1, 0, 10**17], pl.Datetime("ns")),
    "zoned": _physical([1711848600_000_000, -2208988800_000_000], pl.Datetime("us", ZONE)),
    "durations": _physical([INT64, -INT64, 0, 3], pl.Duration("us")),
    "times": _cycled([dt.time(0), dt.time(23, 59, 59, 999999)]),
    "long_text": _cycled(["x" * 5000, "", " ", "\u0000", "日本", None]),
    "number_text": _cycled(["1e999", "nan", "-0", "1_000"]),
}
"""One column of each kind of extreme."""

POOLS: Mapping[str, tuple[Any, list[Any]]] = {
    "floats": (pl.Float64, [1e308, -1e308, BIG, 5e-324, 1e149, -1e149, 0.0, -0.0, 1.0, None]),
    "singles": (pl.Float32, [3.4e38, -3.4e38, 1e-45, 0.0, 1.0, None]),
    "integers": (pl.Int64, [INT64, -INT64 - 1, INT64 - 1, 0, 1, -1, None]),
    "unsigned": (pl.UInt64, [UINT64, UINT64 - 1, 0, 1, None]),
    "wide": (pl.Int128, [INT128, -INT128 - 1, 2**64, 0, 1, None]),
    "decimals": (pl.Decimal(38, 2), [Decimal("0.01"), Decimal("-1E35"), Decimal("1E35"), None]),
    "dates": (pl.Date, [dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2024, 2, 29), None]),
    "moments": (
        pl.Datetime("us"),
        [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999), None],  # noqa: DTZ001
    ),
    "durations": (pl.Duration("us"), [dt.timedelta(days=106751990), dt.timedelta(0), None]),
    "booleans": (pl.Boolean, [True, False, None]),
}
"""Values that random columns are drawn from, with their type."""


def frame_with(column: pl.Series) -> pl.DataFrame:
    """A small table with two keys and one column ``x``."""
    n = len(column)
    return pl.DataFrame(
        {
            "sex": ["f" if number % 2 else "m" for number in range(n)],
            "age": [30 + 5 * (number % 4) + number for number in range(n)],
            "x": column,
        }
    )


def _ways(method: type[mv.Method], *ways: dict[str, Any]) -> tuple[Callable[[], mv.Method], ...]:
    return tuple(partial(method.parse, way) for way in ways)


_METHODS: Mapping[str, tuple[Callable[[], mv.Method], ...]] = {
    "mask": (
        lambda: mv.Mask(columns=["x"], keep_start=1),
        lambda: mv.Mask(columns=["x"], keep_end=2),
    ),
    "generalize": (
        lambda: mv.Generalize(column="x", hierarchy={"hierarchy": "types"}, level=1),
        lambda: mv.Generalize(
            column="x", hierarchy={"hierarchy": "intervals", "width": 7}, level=1
        ),
    ),
    "group_rare": (
        lambda: mv.GroupRare(columns=["x"], min_count=3),
        lambda: mv.GroupRare(columns=["x"], min_count=2**62, label=None, enlarge=True),
    ),
    "top_bottom_code": (
        lambda: mv.TopBottomCode(columns=["x"], top_share=0.2, bottom_share=0.2),
        lambda: mv.TopBottomCode(columns=["x"], top=5, bottom=-5),
    ),
    "round": (
        lambda: mv.Round(columns=["x"], base=10),
        lambda: mv.Round(columns=["x"], base=1e-3, mode="random"),
    ),
    "mondrian": (
        lambda: mv.Mondrian(k=2, columns=["x"]),
        lambda: mv.Mondrian(k=2, columns=["x", "age"], mode="relaxed"),
    ),
    "aggregate": (
        lambda: mv.Aggregate(columns=["x"], by=["sex"], statistic="mean"),
        lambda: mv.Aggregate(columns=["x"], by=["sex"], statistic="median"),
    ),
    "sample": (lambda: mv.Sample(share=0.5),),
    "permute": (
        lambda: mv.Permute(columns=["x"]),
        lambda: mv.Permute(columns=["x"], within=["sex"]),
    ),
    "additive_noise": _ways(
        mv.AdditiveNoise,
        {"columns": ["x", "age"], "sd_share": 0.2},
        {"columns": ["x", "age"], "sd_share": 0.2, "keep_integers": True},
        {"columns": ["x", "age"], "variance_share": 0.2, "correlated": True},
        {"columns": ["x", "age"], "sd_share": 0.2, "variant": "kim"},
        {"columns": ["x", "age"], "sd_share": 0.2, "variant": "romm"},
        {"columns": ["x", "age"], "sd_share": 0.2, "variant": "outliers"},
        {"columns": ["x", "age"], "sd_share": 0.2, "lower": -5, "upper": 100},
    ),
    "multiplicative_noise": (
        lambda: mv.MultiplicativeNoise(columns=["x"], sd=0.2),
        lambda: mv.MultiplicativeNoise(columns=["x"], sd=0.2, keep_integers=True),
        lambda: mv.MultiplicativeNoise(columns=["x"], sd=9, distribution="normal", redraw=False),
    ),
    "rank_swap": _ways(
        mv.RankSwap,
        {"columns": ["x"], "range_share": 0.3},
        {"columns": ["x"], "correlation": 0.9},
        {"columns": ["x"], "mean_share": 0.1},
        {"columns": ["x"], "range_share": 0.3, "top_share": 0.3, "bottom_share": 0.1},
        {"columns": ["x"], "range_share": 0.3, "variant": "blocks"},
        {"columns": ["x"], "range_share": 0.3, "variant": "chained"},
    ),
    "half_swap": (lambda: mv.HalfSwap(columns=["x"]),),
    "shuffle": _ways(
        mv.Shuffle,
        {"columns": ["x"], "given": ["sex", "age"]},
        {"columns": ["x"], "given": ["age"], "exact": True},
        {"columns": ["x"], "given": ["age"], "model": "values", "exact": True},
        {"columns": ["x"], "given": ["age"], "model": "values"},
        {"columns": ["age"], "given": ["x"], "exact": True},
        {"columns": ["age"], "given": ["x"], "model": "values"},
    ),
    "microaggregate": _ways(
        mv.Microaggregate,
        {"columns": ["x"], "k": 3},
        {"columns": ["x", "age"], "k": 3},
        {"columns": ["x", "age"], "k": 3, "keep_integers": True, "standardize": False},
        {"columns": ["x", "age"], "k": 3, "algorithm": "v_mdav"},
        {"columns": ["x", "age"], "k": 3, "algorithm": "principal_component"},
        {"columns": ["x"], "k": 3, "algorithm": "optimal", "aggregation": "median"},
        {"columns": ["x", "age"], "k": 3, "distance": "gower"},
        {"columns": ["x"], "k": 3, "aggregation": "mode"},
    ),
    "dp_microaggregate": _ways(
        mv.DpMicroaggregate,
        {"columns": ["x"], "bounds": {"x": (0, 100)}, "k": 3, "epsilon": 1},
        {"columns": ["x"], "bounds": {"x": (-1e12, 1e12)}, "k": 3, "epsilon": 1},
    ),
    "pram": (
        lambda: mv.Pram(columns=["x"], retention=0.5),
        lambda: mv.Pram(columns=["x"], retention=0.5, invariant=True),
    ),
    "randomized_response": (lambda: mv.RandomizedResponse(columns=["x"], epsilon=1),),
    "swap_records": (
        lambda: mv.SwapRecords(hierarchy=["x"], swap_share=0.5),
        lambda: mv.SwapRecords(hierarchy=["sex"], swap_share=0.5, similar=[["x"]]),
    ),
}
"""Ways to set up each step that changes values."""

OTHERS = {
    *("drop", "pseudonymize", "decompose", "suppress_records", "local_suppression"),
    *("datafly", "incognito", "optimal_generalization", "local_recoding", "synthesize"),
    "match_classes",
}
"""Methods that compute nothing from the values of a column."""
METHODS: Mapping[str, tuple[Callable[[], mv.Method], ...]] = {
    name: _METHODS.get(name) or (partial(cases.METHODS[name], "x"),)
    for name in mv.METHODS.classes
    if name not in OTHERS
}

MEASURES: Mapping[str, tuple[mv.RiskMeasure | mv.UtilityMeasure, ...]] = {
    "eigenvalues": (mv.Eigenvalues(), mv.Eigenvalues(robust=True)),
    "interval_disclosure": (
        mv.IntervalDisclosure(),
        mv.IntervalDisclosure(around="ranks"),
        mv.IntervalDisclosure(around="robust_distance"),
    ),
    "propensity": (mv.Propensity(), mv.Propensity(interactions=True)),
    "prediction": (
        mv.Prediction(target="age", model="logistic"),
        mv.Prediction(target="x", model="logistic"),
    ),
    "mean_divergence": (mv.MeanDivergence(), mv.MeanDivergence(columns=["x"])),
    "information_loss": (mv.InformationLoss(), mv.InformationLoss(columns=["x"])),
    "il1s": (mv.IL1s(),),
    "il1": (mv.IL1(),),
    "rank_correlation": (mv.RankCorrelation(),),
    "sse": (mv.Sse(),),
    "value_distance": (mv.ValueDistance(),),
    "generalization_loss": (mv.GeneralizationLoss(),),
    "precision": (mv.Precision(),),
    "ambiguity": (mv.Ambiguity(),),
    "discernibility": (mv.Discernibility(),),
    "average_class_size": (mv.AverageClassSize(),),
    "entropy_loss": (mv.EntropyLoss(),),
    "distribution_distance": (mv.DistributionDistance(),),
    "table_counts": (mv.TableCounts(),),
    "cell_loss": (mv.CellLoss(),),
    "strategy_score": (mv.StrategyScore(keys=["age"], numbers=["x"]),),
    "confidence_overlap": (mv.ConfidenceOverlap(),),
    "clustering": (mv.Clustering(),),
    "cell_changes": (mv.CellChanges(),),
    "membership": (mv.Membership(n_attacks=5),),
}
"""Ways to set up each measure that reads numbers."""
