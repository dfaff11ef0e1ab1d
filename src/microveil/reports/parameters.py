"""Which parameters of steps and requirements the public may see.

A parameter is public only if the released data show it to every reader anyway: how a value was
masked, the base it was rounded to, the limit it was coded to. Anything that reveals how strong the
noise was, how far values moved, how small groups may be, or what a key was made from helps an
intruder (noise is filtered by its variance, a swap undone by its range) and stays internal.
Whatever leads to a key or a seed is secret, and appears in no report at all.

Every parameter of every registered method and model is in exactly one list, which a test enforces.
Any other is treated as internal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microveil.reports.audience import Audience, without_secrets

COLUMNS = frozenset({"columns", "column"})
"""Shown as the columns of a step or a requirement."""

PUBLIC: Mapping[str, frozenset[str]] = {
    name: frozenset(parameters.split())
    for name, parameters in {
        "aggregate": "by statistic",
        "decompose": "groups link",
        # Differential privacy holds even if its parameters are known.
        "dp_microaggregate": "bounds k epsilon rows_per_entity",
        "generalize": "level unlisted",
        "group_rare": "label",
        "datafly": "unlisted",
        "incognito": "unlisted",
        "local_recoding": "unlisted",
        "local_suppression": "household_columns missing",
        "mask": "pattern keep_start keep_end keep_length preset keep char",
        "microaggregate": "aggregation keep_integers",
        "mondrian": "publish unlisted",
        "optimal_generalization": "unlisted",
        "pseudonymize": "style length",
        "round": "base mode household_columns",
        "sample": "adjust_weight recalibrate",
        "suppress_records": "missing recalibrate",
        "synthesize": "n copies",
        "top_bottom_code": "top bottom replace_by",
    }.items()
}
"""Parameters whose effect is visible in the released data."""

SECRET: Mapping[str, frozenset[str]] = {"pseudonymize": frozenset({"key_env", "key_file"})}
"""Parameters that lead to a key."""

SEARCH = (
    "k models hierarchies suppression_share loss aggregate weights generalization_share "
    "ignore_suppression strategy levels min_levels max_levels baseline max_checks max_seconds"
)
"""Parameters of a search: knowing the goal and the alternatives explains why a value went."""

INTERNAL: Mapping[str, frozenset[str]] = {
    name: frozenset(parameters.split())
    for name, parameters in {
        # Methods.
        "additive_noise": "household_columns sd_share variance_share correlated distribution "
        "variant keep_integers "
        "keep_zeros lower upper by_strata",
        "aggregate": "min_group",
        "datafly": "k hierarchies models max_suppressed",
        "decompose": "l",
        "generalize": "hierarchy",
        "group_rare": "min_count min_share enlarge",
        "half_swap": "household_columns by_strata",
        "incognito": SEARCH,
        "local_recoding": "hierarchies suppression_share loss k models algorithm round_share "
        "weights steps",
        "local_suppression": "k importance subsets by_strata max_share",
        "microaggregate": "household_columns k algorithm each standardize distance gamma axis "
        "steps by_strata "
        "weighted",
        "mondrian": "k mode hierarchies models split target",
        "multiplicative_noise": "household_columns sd distribution redraw keep_integers",
        "optimal_generalization": SEARCH,
        "permute": "household_columns together within",
        "pram": "household_columns retention matrix categories spread draw_retention "
        "invariant alpha by_strata",
        "pseudonymize": "domain mapping",
        "randomized_response": "household_columns epsilon categories",
        "rank_swap": "household_columns range_share variant correlation mean_share top_share "
        "bottom_share by_strata",
        "sample": "share n by_strata whole",
        "shuffle": "household_columns given model exact by_strata",
        "suppress_records": "k max_share",
        "swap_records": "hierarchy household similar same_size swap_share k risk_columns "
        "carry_along codes_nest",
        "synthesize": "generator risk_threshold rules sums structural_zeros by_strata weights "
        "replicated_uniques",
        "top_bottom_code": "top_share bottom_share",
        # Models.
        "alpha_k_anonymity": "alpha k value",
        "average_risk": "threshold record_risk record_share",
        "beta_likeness": "beta variant",
        "delta_disclosure": "delta",
        "delta_presence": "minimum maximum population",
        "k_anonymity": "k",
        "k_map": "population_size sampling_share k population estimator significance",
        "km_anonymity": "k m separator within_classes",
        "l_diversity": "l variant c missing_counts",
        "population_uniqueness": "population_size sampling_share threshold estimator",
        "t_closeness": "t distance hierarchy order",
    }.items()
}
"""Parameters that would help an intruder."""


def shown_parameters(kind: str, given: Mapping[str, Any], audience: Audience) -> dict[str, Any]:
    """The parameters of a step that this audience may see, without its columns.

    >>> shown_parameters("rank_swap", {"columns": ["pay"], "range_share": 0.1}, "public")
    {}
    >>> shown_parameters("round", {"columns": ["pay"], "base": 10}, "public")
    {'base': 10}
    """
    secret = SECRET.get(kind, frozenset())
    told = {
        name: value
        for name, value in without_secrets(given).items()
        if name not in COLUMNS and name not in secret
    }
    if audience == "internal":
        return told
    public = PUBLIC.get(kind, frozenset())
    return {name: value for name, value in told.items() if name in public}
