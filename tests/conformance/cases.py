"""One example of every registered thing; a new method has its example in its own test."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import polars as pl

import microveil as mv

KEYS = ("sex", "age")

_METHODS: Mapping[str, Callable[[str], mv.Method]] = {
    "drop": lambda column: mv.Drop(columns=[column]),
    "mask": lambda column: mv.Mask(columns=[column], keep_start=1),
    "pseudonymize": lambda column: mv.Pseudonymize(columns=[column]),
    "generalize": lambda column: mv.Generalize(
        column=column, hierarchy={"hierarchy": "types"}, level=1
    ),
    "group_rare": lambda column: mv.GroupRare(columns=[column], min_count=2),
    "set_missing": lambda column: mv.SetMissing(columns=[column], values=[3, "x"]),
    "top_bottom_code": lambda column: mv.TopBottomCode(columns=[column], top_share=0.2),
    "round": lambda column: mv.Round(columns=[column], base=10, mode="random"),
    "suppress_records": lambda column: mv.SuppressRecords(k=2, columns=[column]),
    "local_suppression": lambda column: mv.LocalSuppression(k=2, columns=["sex", column]),
    "mondrian": lambda column: mv.Mondrian(k=2, columns=[column]),
    "optimal_generalization": lambda column: mv.OptimalGeneralization(
        k=2, columns=[column], suppression_share=0.5
    ),
    "incognito": lambda column: mv.Incognito(k=2, columns=[column], suppression_share=0.5),
    "match_classes": lambda column: mv.MatchClasses(
        columns=[column], classes=[["[2, 9]"], ["{a, b}"], ["*"]]
    ),
    "local_recoding": lambda column: mv.LocalRecoding(k=2, columns=[column]),
    "datafly": lambda column: mv.Datafly(k=2, columns=[column]),
    "aggregate": lambda column: mv.Aggregate(columns=[column], by=["sex"], statistic="median"),
    "sample": lambda column: mv.Sample(share=0.5),  # noqa: ARG005  rows, whatever the column
    "permute": lambda column: mv.Permute(columns=[column]),
    "additive_noise": lambda column: mv.AdditiveNoise(columns=[column], sd_share=0.2),
    "multiplicative_noise": lambda column: mv.MultiplicativeNoise(columns=[column], sd=0.2),
    "rank_swap": lambda column: mv.RankSwap(columns=[column], range_share=0.3),
    "half_swap": lambda column: mv.HalfSwap(columns=[column]),
    "shuffle": lambda column: mv.Shuffle(columns=[column], given=["sex", "age"]),
    "microaggregate": lambda column: mv.Microaggregate(columns=[column], k=3),
    "dp_microaggregate": lambda column: mv.DpMicroaggregate(
        columns=[column], bounds={column: (0, 10)}, k=2, epsilon=1
    ),
    "pram": lambda column: mv.Pram(columns=[column], retention=0.5, invariant=True),
    "randomized_response": lambda column: mv.RandomizedResponse(columns=[column], epsilon=1),
    "swap_records": lambda column: mv.SwapRecords(hierarchy=[column], swap_share=1),
    "synthesize": lambda column: mv.Synthesize(columns=[column]),
    "decompose": lambda column: mv.Decompose(groups={"one": ["sex"], "other": [column]}),
}
"""How each method is asked to work on one column, unless its own test says so."""


def _own_example(kind: str) -> Callable[[str], mv.Method]:
    """The ``example`` of a method's own test."""
    package = Path(__file__).parents[1] / "methods" / kind
    name = f"{kind}.test_{kind}" if package.is_dir() else f"test_{kind}"
    found: Callable[[str], mv.Method] = import_module(f"tests.methods.{name}").example
    return found


METHODS: Mapping[str, Callable[[str], mv.Method]] = {
    name: _METHODS.get(name) or _own_example(name) for name in mv.METHODS.classes
}

FITTING: Mapping[str, str] = {
    "shift_dates": "dates",
    "relative_dates": "dates",
    "km_anonymize": "strings",
    "redact": "strings",
}
"""The kind of column that a method is meant for, where numbers are not."""


def fitting(name: str) -> pl.Series:
    """A column that a method can work on."""
    return COLUMNS[FITTING.get(name, "integers")]


POPULATION = str(Path(__file__).parents[1] / "data" / "privacy" / "population.csv")

MODELS: Mapping[str, mv.PrivacyModel] = {
    "k_anonymity": mv.KAnonymity(k=2),
    "l_diversity": mv.LDiversity(l=2, column="sex", kind="recursive", c=3),
    "t_closeness": mv.TCloseness(t=0.5, column="age", distance="ordered"),
    "alpha_k_anonymity": mv.AlphaKAnonymity(alpha=0.5, k=2, column=["sex", "age"], value="f"),
    "beta_likeness": mv.BetaLikeness(beta=1, column="sex", kind="enhanced"),
    "delta_disclosure": mv.DeltaDisclosure(delta=1, column="sex"),
    "delta_presence": mv.DeltaPresence(maximum=0.5, population=POPULATION),
    "k_map": mv.KMap(k=3, sampling_share=0.5),
    "average_risk": mv.AverageRisk(threshold=0.5, record_risk=0.4, record_share=0.1),
    "population_uniqueness": mv.PopulationUniqueness(threshold=0.1, population_size=1000),
    "km_anonymity": mv.KmAnonymity(k=2, m=1, column="sex", separator=" "),
}

RISK: Mapping[str, mv.RiskMeasure] = {
    "class_sizes": mv.ClassSizes(),
    "individual_risk": mv.IndividualRisk(),
    "population_risk": mv.PopulationRisk(sampling_share=0.5),
    "reidentification_risk": mv.ReidentificationRisk(),
    "special_uniques": mv.SpecialUniques(max_size=2),
    "key_separation": mv.KeySeparation(),
    "interval_disclosure": mv.IntervalDisclosure(),
    "record_linkage": mv.RecordLinkage(),
    "identity_disclosure": mv.IdentityDisclosure(),
    "value_disclosure": mv.ValueDisclosure(),
    "intersection_attack": mv.IntersectionAttack(),
    "noise_filtering": mv.NoiseFiltering(),
    "singling_out": mv.SinglingOut(n_attacks=20),
    "linkability": mv.Linkability(n_attacks=20),
    "inference": mv.Inference(n_attacks=20),
    "membership": mv.Membership(n_attacks=20),
    "nearest_neighbour_ratio": mv.NearestNeighbourRatio(n_attacks=20),
    "replicated_uniques": mv.ReplicatedUniques(),
    "attribute_disclosure": mv.AttributeDisclosure(),
    "outside_linkage": mv.OutsideLinkage(auxiliary=POPULATION, known=["sex"]),
    "safe_harbor": mv.SafeHarbor(),
    "trajectory_risk": mv.TrajectoryRisk(),
}

UTILITY: Mapping[str, mv.UtilityMeasure] = {
    "cell_changes": mv.CellChanges(),
    "il1s": mv.IL1s(),
    "il1": mv.IL1(),
    "information_loss": mv.InformationLoss(),
    "mean_divergence": mv.MeanDivergence(excess=True),
    "eigenvalues": mv.Eigenvalues(),
    "rank_correlation": mv.RankCorrelation(),
    "sse": mv.Sse(),
    "value_distance": mv.ValueDistance(),
    "generalization_loss": mv.GeneralizationLoss(),
    "precision": mv.Precision(),
    "ambiguity": mv.Ambiguity(),
    "discernibility": mv.Discernibility(),
    "average_class_size": mv.AverageClassSize(),
    "entropy_loss": mv.EntropyLoss(),
    "distribution_distance": mv.DistributionDistance(),
    "cell_loss": mv.CellLoss(),
    "strategy_score": mv.StrategyScore(),
    "table_counts": mv.TableCounts(),
    "propensity": mv.Propensity(),
    "confidence_overlap": mv.ConfidenceOverlap(),
    "prediction": mv.Prediction(target="sex"),
    "clustering": mv.Clustering(),
}

COLUMNS: Mapping[str, pl.Series] = {
    "integers": pl.Series([3, 1, 2, 3, 1, 2, 3, 1]),
    "small_integers": pl.Series([3, 1, 2, 3, 1, 2, 3, 1], dtype=pl.Int8),
    "unsigned": pl.Series([3, 1, 2, 3, 1, 2, 255, 0], dtype=pl.UInt8),
    "floats": pl.Series([3.5, 1.25, 2.0, 3.5, 1.25, 2.0, -1.0, 0.0]),
    "single": pl.Series([3.5, 1.25, 2.0, 3.5, 1.25, 2.0, -1.0, 0.0], dtype=pl.Float32),
    "strings": pl.Series(["ab", "cd", "ab", "x", "ab", "cd", "ä", ""]),
    "booleans": pl.Series([True, False, True, True, False, True, False, True]),
    "categoricals": pl.Series(["u", "v", "u", "w", "u", "v", "u", "v"], dtype=pl.Categorical),
    "enums": pl.Series(["u", "v", "u", "u", "u", "v", "u", "v"], dtype=pl.Enum(["v", "u"])),
    "dates": pl.Series([dt.date(2021, m, 1) for m in (1, 2, 3, 1, 2, 3, 12, 12)]),
    "datetimes": pl.Series([dt.datetime(2021, 1, d, 5) for d in (1, 2, 3, 1, 2, 3, 9, 9)]),  # noqa: DTZ001
    "times": pl.Series([dt.time(h, 30) for h in (1, 2, 3, 1, 2, 3, 9, 9)]),
    "durations": pl.Series([dt.timedelta(hours=h) for h in (1, 2, 3, 1, 2, 3, 9, 9)]),
    "decimals": pl.Series([Decimal(f"{n}.50") for n in (1, 2, 3, 1, 2, 3, 9, 9)]),
    "all_missing": pl.Series([None] * 8, dtype=pl.String),
    "untyped": pl.Series([None] * 8),
    "infinite": pl.Series([1.0, float("inf"), 2.0, 3.0, 1.0, 2.0, -1.0, float("-inf")]),
}
"""One column of each kind of value."""

NESTED: Mapping[str, pl.Series] = {
    "lists": pl.Series([[1], [2], [1], [3], [1], [2], [3], [1]]),
    "structs": pl.Series([{"a": n} for n in range(8)]),
}


def frame_with(column: pl.Series) -> pl.DataFrame:
    """A small table with two keys and one column ``x``."""
    return pl.DataFrame(
        {
            "sex": ["f", "m", "f", "m", "f", "m", "f", "m"],
            "age": [30, 30, 30, 40, 40, 40, 50, 50],
            "x": column,
        }
    )


def roles() -> mv.Roles:
    """Roles of that table."""
    return mv.Roles(quasi_identifiers=KEYS)
