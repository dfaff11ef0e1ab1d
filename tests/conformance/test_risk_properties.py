"""What every measure of risk must keep to, whatever it counts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from tests.conformance import cases

every = pytest.mark.parametrize("name", list(mv.RISK_MEASURES.classes))
seeds = st.integers(0, 2**32 - 1)
ROLES = mv.Roles(quasi_identifiers=["sex", "age"], sensitive=["ill"])

ONE_OF_ALL = {
    "class_sizes",
    "individual_risk",
    "reidentification_risk",
    "record_linkage",
    "identity_disclosure",
    "intersection_attack",
    "noise_filtering",
    "trajectory_risk",
}
"""The chance to find somebody: one of n where all are alike."""
NOTHING_TO_FIND = {
    "population_risk",
    "special_uniques",
    "key_separation",
    "value_disclosure",
    "singling_out",
    "linkability",
    "inference",
    "membership",
    "nearest_neighbour_ratio",
    "replicated_uniques",
    "attribute_disclosure",
    "outside_linkage",
    "safe_harbor",
}
"""Nobody stands out, and nothing is learnt that was not known of all."""
KNOWN_ANYWAY = {"interval_disclosure"}
"""A value that all share lies around every released one."""


def people(seed: int, n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(20, 28, n),
            "pay": rng.integers(0, 1000, n),
            "ill": rng.choice(["flu", "cold", "ulcer"], n),
        }
    )


def noisy(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng([seed, 1])
    return frame.with_columns(
        age=pl.col("age") + rng.integers(-1, 2, frame.height),
        pay=pl.col("pay") + rng.integers(-60, 61, frame.height),
    )


def score(name: str, original: pl.DataFrame, released: pl.DataFrame) -> mv.Score:
    measure = cases.RISK[name]
    if "n_attacks" in type(measure).model_fields:  # everybody is attacked, nobody drawn
        measure = measure.model_copy(update={"n_attacks": 2000})
    if measure.needs_original:
        return measure.measure(original, released, roles=ROLES)
    return measure.measure(released, roles=ROLES)


def test_each_measure_has_its_place() -> None:
    known = ONE_OF_ALL | NOTHING_TO_FIND | KNOWN_ANYWAY
    assert known == set(mv.RISK_MEASURES.classes)


@every
@pytest.mark.parametrize("n", [2, 7, 50])
def test_the_risk_of_a_constant_table_is_one_of_n_or_nothing(name: str, n: int) -> None:
    frame = pl.DataFrame({"sex": ["x"] * n, "age": [30] * n, "pay": [1.5] * n, "ill": ["flu"] * n})
    expected = 1 / n if name in ONE_OF_ALL else 0.0 if name in NOTHING_TO_FIND else 1.0
    assert score(name, frame, frame).value == pytest.approx(expected, abs=1e-9)


BY_CHANCE = {"singling_out"}
"""Questions are made from records drawn at random, so their order plays a part."""


@every
@given(seed=seeds)
@settings(max_examples=5)
def test_scores_do_not_depend_on_the_order_of_rows(name: str, seed: int) -> None:
    if name in BY_CHANCE:
        return
    before = people(seed)
    after = noisy(before, seed)
    order = np.random.default_rng([seed, 2]).permutation(before.height)
    first, second = score(name, before, after), score(name, before[order], after[order])
    assert second.value == pytest.approx(first.value, abs=1e-9)
    if first.records is not None:
        assert second.records == pytest.approx(first.records[order], abs=1e-9)


@every
@given(seed=seeds)
@settings(max_examples=5)
def test_what_pairs_no_rows_does_not_see_a_shuffled_release(name: str, seed: int) -> None:
    measure = cases.RISK[name]
    if measure.needs_alignment or name in BY_CHANCE:
        return
    before = people(seed)
    after = noisy(before, seed)
    order = np.random.default_rng([seed, 2]).permutation(before.height)
    assert score(name, before, after[order]).value == pytest.approx(
        score(name, before, after).value, abs=1e-9
    )


@every
@given(seed=seeds)
@settings(max_examples=3)
def test_a_risk_is_a_share_and_so_is_each_records(name: str, seed: int) -> None:
    before = people(seed)
    found = score(name, before, noisy(before, seed))
    assert 0 <= found.value <= 1
    if found.interval is not None:
        assert 0 <= found.interval[0] <= found.interval[1] <= 1
    if found.records is not None:
        assert ((found.records >= 0) & (found.records <= 1)).all()


@given(seed=seeds, widths=st.tuples(st.integers(1, 4), st.integers(1, 3)))
@settings(max_examples=30)
def test_k_never_falls_and_counted_risk_never_rises_when_keys_are_coarsened(
    seed: int, widths: tuple[int, int]
) -> None:
    fine = people(seed)
    coarse = fine.with_columns(age=pl.col("age") // widths[0] // widths[1])
    assert mv.assess(coarse, ROLES, measures="none").k >= mv.assess(fine, ROLES, measures="none").k
    for name in ("class_sizes", "individual_risk", "reidentification_risk", "key_separation"):
        assert score(name, coarse, coarse).value <= score(name, fine, fine).value + 1e-12
    for name in ("replicated_uniques", "record_linkage"):
        assert score(name, coarse, coarse).value <= score(name, fine, fine).value + 1e-12


NUMBERS = ("age", "pay")
LINKING: Mapping[str, tuple[str, ...]] = {
    "record_linkage": ("sex", "age", "pay", "ill"),
    "identity_disclosure": NUMBERS,
    "intersection_attack": NUMBERS,
    "noise_filtering": NUMBERS,
}
"""Measures that link original to released records, with the columns they are given."""


@pytest.mark.parametrize("name", list(LINKING))
@given(seed=seeds)
@settings(max_examples=10)
def test_an_identical_release_is_linked_up_to_ties(name: str, seed: int) -> None:
    frame = people(seed)
    columns = LINKING[name]
    measure = type(cases.RISK[name]).parse({"name": name, "columns": columns})
    found = measure.measure(frame, frame)
    assert found.value == pytest.approx(frame.select(columns).n_unique() / frame.height)


@pytest.mark.parametrize("name", list(LINKING))
def test_independent_permutations_are_linked_at_chance_level(name: str) -> None:
    n, n_times, right = 60, 40, 0.0
    measure = type(cases.RISK[name]).parse({"name": name, "columns": ["age", "pay"]})
    for seed in range(n_times):
        rng = np.random.default_rng(seed)
        frame = pl.DataFrame({"age": rng.random(n), "pay": rng.random(n)})
        torn = frame.select(pl.Series(c.name, c.to_numpy()[rng.permutation(n)]) for c in frame)
        right += measure.measure(frame, torn).value * n
    # One right link is to be expected each time, and hits are rare events: Poisson's spread.
    assert right == pytest.approx(n_times, abs=5 * np.sqrt(n_times))


@pytest.mark.parametrize("name", ["linkability", "inference", "value_disclosure"])
def test_independent_permutations_give_nothing_away(name: str) -> None:
    rng = np.random.default_rng(1)
    age = rng.random(2000)
    frame = people(1, 2000).with_columns(
        age=age, pay=rng.random(2000), ill=pl.Series((age * 5).astype(int)).cast(pl.String)
    )
    torn = frame.select(pl.Series(c.name, c.to_numpy()[rng.permutation(2000)]) for c in frame)
    assert score(name, frame, torn).value < 0.05
    assert score(name, frame, frame).value > 0.95
