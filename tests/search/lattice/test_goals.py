from __future__ import annotations

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
    KmAnonymity,
    KMap,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from microveil.search.lattice.lattice_search import search_lattice
from tests.search.exhaustive import (
    HIERARCHIES,
    KEYS,
    ROLES,
    agrees,
    frame_of,
    generalized,
    tables,
)

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
