from __future__ import annotations

import math
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.privacy import (
    PopulationUniqueness,
)
from microveil.search.lattice.lattice_search import search_lattice
from microveil.tables import Classes, Table
from tests.search.exhaustive import (
    HIERARCHIES,
    KEYS,
    ROLES,
    frame_of,
    generalized,
    tables,
)


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
    most = math.floor(allowed * frame.height + 1e-9)
    assert result.proved == (most == 0 or model.population_size is not None)
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
