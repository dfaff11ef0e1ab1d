"""Further sentences hold or fail with the runs they are asked of."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from microveil.studies.zaragoza.more_claims import combinations, more_claims, pairs
from microveil.studies.zaragoza.runs import KS, MEASURES, Run
from microveil.studies.zaragoza.tables import DataSet

SMALL, LARGE = (DataSet("independent", "linear", n, 1) for n in (1_000, 10_000))
SQUARES = DataSet("independent", "quadratic", 1_000, 1)
FEW, MANY = (DataSet("dependent", "linear", values, 2) for values in (3, 300))
FEW_SQUARES = DataSet("dependent", "quadratic", 3, 2)
SENTENCES = ("best mean ratio", "comes nearest", "completely", "far less", "irregular", "variance",
             "unsteady")  # fmt: skip


def runs_of(changes: Mapping[tuple[DataSet, str], Mapping[str, float]] | None = None) -> list[Run]:
    """Runs that bear out every sentence, but for the changes."""
    found = []
    for data in (SMALL, LARGE, SQUARES, FEW, MANY, FEW_SQUARES):
        for name in ("Datafly", "Mondrian strict", "Mondrian relaxed"):
            for k in KS:
                n = {"Datafly": 10.0, "Mondrian strict": 100.0, "Mondrian relaxed": 50.0}[name]
                if name == "Datafly":
                    n = {SMALL: 1.0, LARGE: 20.0, SQUARES: 40.0, FEW: 80.0, FEW_SQUARES: 80.0}.get(
                        data, n
                    )
                variance = float(k * data.n_records)
                measures = dict(zip(MEASURES, (n, 2.0, 9.0, 2.0, variance), strict=True))
                measures.update((changes or {}).get((data, name), {}))
                found.append(Run(data, name, k, measures))
    return found


def test_every_sentence_holds_where_the_runs_say_so() -> None:
    told = more_claims(runs_of())
    assert all(told.values()), told
    assert all(part in text for part, text in zip(SENTENCES, told, strict=True))


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({(FEW, "Mondrian relaxed"): {"combinations": 900.0}}, 0),
        ({(MANY, "Datafly"): {"combinations": 99.0}}, 1),
        ({(SMALL, "Datafly"): {"combinations": 2.0}}, 2),
        ({(FEW_SQUARES, "Datafly"): {"combinations": 8.0}}, 3),
        ({(one, "Mondrian strict"): {"variance": 1.0} for one in (FEW, MANY, FEW_SQUARES)}, 4),
        ({(MANY, "Datafly"): {"variance": 0.0}}, 5),
        ({(LARGE, "Mondrian strict"): {"combinations": 1000.0}}, 6),
    ],
)
def test_a_sentence_fails_where_the_runs_say_otherwise(
    changes: Mapping[tuple[DataSet, str], Mapping[str, float]], place: int
) -> None:
    failing = [i for i, holds in enumerate(more_claims(runs_of(changes)).values()) if not holds]
    assert place in failing


def test_runs_are_found_by_what_they_are() -> None:
    found = combinations(runs_of(), "independent", "Datafly")
    assert found["linear", 1_000, 1, 2] == 1.0
    assert pairs(found) == [(1.0, 40.0)] * len(KS)
