"""Every method and measure gives the same bytes whatever the number of threads.

Blocks are made small, so that a table of a few hundred rows is spread over threads as a large one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import microveil as mv
from microveil.errors import MicroveilError
from microveil.kernels.jit import always_compiled
from tests.conformance.cases import RISK, UTILITY
from tests.conformance.engines import SEVERAL_TABLES, people, recipe

THREADS = (1, 2, 3, 7)
UNSEEDED = ("dp_microaggregate",)
"""Methods whose noise comes from the operating system, whatever the seed."""
FRAME = people(400)
ROLES = mv.Roles(quasi_identifiers=["sex", "age", "x"], sensitive=["text"])
MEASURES = {**RISK, **UTILITY}
QUICK_METHODS = ("mondrian", "rank_swap", "local_suppression")
QUICK_MEASURES = ("record_linkage", "key_separation")


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut what is cut into blocks into small ones."""
    for place, value in {
        "kernels.mondrian.partition.SMALL": 20,
        "kernels.synthesis.grow_tree._BLOCK": 50,
        "kernels.linkage.link_bounds._CHUNK": 30,
        "kernels.linkage.link_by_prefix._CHUNK": 30,
        "kernels.neighbours.mixed_tree.BLOCK": 4,
        "kernels.stable_order.BLOCK": 64,
        "kernels.blanking.place_numbers.PAIRS": 64,
        "kernels.blanking.place_numbers.BLOCK": 20,
        "kernels.blanking.category_cover.BLOCK": 16,
        "kernels.blanking.category_cover.WAVE": 64,
        "measures.taking.ON_CORES_FROM": 0,
        "search.local_recoding.search.BLOCK": 40,
        "search.lattice.strategies.branch_and_bound.WORTH_THREADS": 0,
    }.items():
        monkeypatch.setattr(f"microveil.{place}", value)


def protect(method: str) -> Any:
    try:
        release = mv.run(recipe(method, "plain"), FRAME, seed=7)
    except MicroveilError as error:
        return str(error)
    facts = [one.to_dict() for one in release.facts]
    frame = release.table.frame
    return frame.schema, frame.write_csv(), facts


def measure(name: str) -> Any:
    spec: Any = MEASURES[name]
    original = mv.Table(FRAME, ROLES)
    released = mv.Table(FRAME.with_columns(FRAME["x"].shift(3).fill_null(0)), ROLES)
    tables = (original, released) if spec.needs_original else (released,)
    try:
        score = spec.measure(*tables)
    except MicroveilError as error:
        return str(error)
    records = None if score.records is None else np.asarray(score.records).tobytes()
    return repr(score.value), repr(dict(score.parts)), records


def assess(_: str) -> Any:
    found = mv.assess(FRAME, ROLES)
    scores = {name: repr(score.value) for name, score in found.scores.items()}
    return scores, repr(found.models), dict(found.skipped), found.k


def same_for_all(work: Any, name: str) -> None:
    found = []
    with always_compiled():
        for threads in THREADS:
            with mv.settings.using(threads=threads):
                found.append(work(name))
    assert all(one == found[0] for one in found[1:])


@pytest.mark.parametrize("method", QUICK_METHODS)
def test_some_methods(method: str) -> None:
    same_for_all(protect, method)


@pytest.mark.parametrize("name", QUICK_MEASURES)
def test_some_measures(name: str) -> None:
    same_for_all(measure, name)


def test_measures_side_by_side() -> None:
    same_for_all(assess, "all")


@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    [
        name
        for name in mv.METHODS.classes
        if name not in (*SEVERAL_TABLES, *UNSEEDED, *QUICK_METHODS)
    ],
)
def test_every_other_method(method: str) -> None:
    same_for_all(protect, method)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MEASURES if name not in QUICK_MEASURES])
def test_every_other_measure(name: str) -> None:
    same_for_all(measure, name)
