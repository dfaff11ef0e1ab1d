"""Every strategy beside an exhaustive search."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.privacy import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    KmAnonymity,
    KMap,
    LDiversity,
    PopulationUniqueness,
    PrivacyModel,
    TCloseness,
)
from microveil.search.lattice.lattice_search import search_lattice
from microveil.tables import Classes, Table
from tests.search.exhaustive import (
    HIERARCHIES,
    KEYS,
    ROLES,
    agrees,
    exhaustive,
    frame_of,
    generalized,
    tables,
)

LOSSES = (
    "loss",
    "precision",
    "discernibility",
    "average_class_size",
    "height",
    "non_uniform_entropy",
    "ambiguity",
)


@settings(max_examples=35)
@given(
    tables,
    st.integers(2, 4),
    st.sampled_from([0.0, 0.1, 0.3, 1.0]),
    st.sampled_from(LOSSES),
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    st.sampled_from(["auto", "branch_and_bound", "best_first"]),
)
def test_the_optimum_is_the_least_loss_of_all_generalisations(
    some: list[Any], k: int, allowed: float, loss: str, gs: float, strategy: str
) -> None:
    if len(some) < k:
        return
    how = {"suppression_share": allowed, "loss": loss, "strategy": strategy}
    agrees(frame_of(some), [KAnonymity(k=k)], how | {"generalization_share": gs})


SENSITIVE: list[PrivacyModel] = [
    LDiversity(l=2),
    LDiversity(l=1.5, kind="entropy"),
    LDiversity(l=2, kind="recursive", c=2.5),
    TCloseness(t=0.3),
    TCloseness(t=0.25, distance="ordered"),
    TCloseness(
        t=0.3,
        distance="hierarchical",
        column="s",
        hierarchy={"tree": {"lo": ["0", "1"], "hi": ["2"]}},
    ),
    AlphaKAnonymity(alpha=0.7, k=2),
    BetaLikeness(beta=0.8),
    BetaLikeness(beta=0.8, kind="enhanced"),
    DeltaDisclosure(delta=1.5),
]


@settings(max_examples=20)
@given(tables, st.sampled_from(SENSITIVE), st.sampled_from([0.0, 0.2, 1.0]))
def test_models_of_sensitive_values_are_judged_as_they_judge_themselves(
    some: list[Any], model: PrivacyModel, allowed: float
) -> None:
    agrees(frame_of(some), [model], {"suppression_share": allowed})


@settings(max_examples=20)
@given(
    tables,
    st.sampled_from(
        [
            KMap(k=4, sampling_share=0.5),
            KmAnonymity(k=2, m=1, column="s", separator="|", within_classes=True),
        ]
    ),
)
def test_other_models_are_judged_record_by_record(some: list[Any], model: PrivacyModel) -> None:
    frame = frame_of(some)
    if isinstance(model, KmAnonymity):
        frame = frame.with_columns(pl.col("s").cast(pl.String))
    agrees(frame, [model], {"suppression_share": 0.2})


@settings(max_examples=8)
@given(
    tables,
    st.sampled_from(
        [
            PopulationUniqueness(threshold=0.1, population_size=60, estimator="zayatz"),
            PopulationUniqueness(threshold=0.2, sampling_share=0.5, estimator="zayatz"),
            PopulationUniqueness(threshold=0.05, sampling_share=0.5, estimator="pitman"),
        ]
    ),
    st.sampled_from([0.0, 0.3, 1.0]),
)
def test_of_unique_records_as_few_go_as_have_to(
    some: list[Any], model: PopulationUniqueness, allowed: float
) -> None:
    frame = frame_of(some)
    result = search_lattice(
        frame,
        ROLES,
        models=[model],
        hierarchies=HIERARCHIES,
        suppression_share=allowed,
        strategy="branch_and_bound",
        loss="height",
    )
    assert result.proved == (allowed == 0 or model.population_size is not None)
    most = math.floor(allowed * frame.height + 1e-9)
    for node in result.nodes():
        rows = generalized(frame, tuple(node.levels.values())).select(KEYS)
        lone = [i for i, row in enumerate(rows.rows()) if rows.rows().count(row) == 1]

        def holds(n_gone: int, rows: pl.DataFrame = rows, lone: list[int] = lone) -> bool:
            kept = [i for i in range(rows.height) if i not in lone[:n_gone]]
            return model.verify(Classes.of(Table(rows[kept]), KEYS)).holds

        enough = [n for n in range(len(lone) + 1) if holds(n)]
        if node.solution:
            assert node.n_suppressed in enough
            if model.estimator == "zayatz":
                assert node.n_suppressed == enough[0]
        elif node.solution is False:
            assert enough[0] > most or enough[0] == frame.height


@settings(max_examples=20)
@given(tables, st.sampled_from([0.2, 0.5]), st.sampled_from([0.0, 0.3]))
def test_average_risk_removes_the_smallest_classes_and_no_more(
    some: list[Any], threshold: float, allowed: float
) -> None:
    frame = frame_of(some)
    result = search_lattice(
        frame,
        ROLES,
        models=[AverageRisk(threshold=threshold)],
        hierarchies=HIERARCHIES,
        suppression_share=allowed,
        strategy="branch_and_bound",
        loss="height",
    )
    for node in result.nodes():
        sizes = sorted(
            Counter(generalized(frame, tuple(node.levels.values())).select(KEYS).rows()).values()
        )
        gone = 0
        while sizes and len(sizes) > threshold * sum(sizes) * (1 + 1e-12):
            gone += sizes.pop(0)
        if node.solution:
            assert node.n_suppressed == gone
        elif node.solution is False:
            assert gone > allowed * frame.height or not sizes


@settings(max_examples=20)
@given(
    tables,
    st.integers(2, 4),
    st.sampled_from([0.0, 0.2]),
    st.sampled_from(["flash", "ola", "samarati", "incognito"]),
)
def test_strategies_for_monotone_goals_decide_every_node_rightly(
    some: list[Any], k: int, allowed: float, strategy: str
) -> None:
    if len(some) < k:
        return
    frame = frame_of(some)
    agrees(frame, [KAnonymity(k=k)], {"suppression_share": allowed, "strategy": strategy})
    result = search_lattice(
        frame,
        ROLES,
        k=k,
        hierarchies=HIERARCHIES,
        suppression_share=allowed,
        strategy=strategy,
    )
    if strategy != "samarati":
        assert all(node.solution is not None for node in result.nodes())
        found = {tuple(node.levels.values()) for node in result.nodes() if node.solution}
        minimal = {
            levels
            for levels in found
            if not any(
                other != levels and all(a <= b for a, b in zip(other, levels, strict=True))
                for other in found
            )
        }
        assert {tuple(node.levels.values()) for node in result.minimal} == minimal
    else:
        heights = [
            sum(levels)
            for levels in exhaustive(
                frame, [KAnonymity(k=k)], math.floor(allowed * len(some)), {"loss": "loss"}
            )
        ]
        if heights:
            assert result.optimum is not None
            assert sum(result.optimum.levels.values()) == min(heights)
