from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.populations.uniqueness import (
    SizeCounts,
    dankar,
    pitman,
    slide_negative_binomial,
    unique_share,
    zayatz,
)
from microveil.privacy.population_uniqueness import PopulationUniqueness
from microveil.tables import Roles
from tests.privacy import naive

ROLES = Roles(quasi_identifiers=["q"])
sizes = st.lists(st.integers(1, 9), min_size=1, max_size=30)


def drawn(people: np.ndarray[tuple[int], np.dtype[np.int64]], share: float) -> SizeCounts:
    """The sample of a population of classes, each person drawn with a share."""
    rng = np.random.default_rng(11)
    seen = rng.binomial(people, share)
    return SizeCounts.of(seen[seen > 0])


@given(sizes, st.integers(0, 500))
def test_zayatz_is_the_hypergeometric_formula(found: list[int], more: int) -> None:
    n, size = sum(found), sum(found) + more
    chance = [i * comb(size - i, n - 1) / comb(size, n) if size - i >= n - 1 else 0 for i in found]
    ones = sum(p for i, p in zip(found, chance, strict=True) if i == 1)
    expected = found.count(1) * (ones / sum(chance)) / n if 1 in found else 0.0
    sample = SizeCounts.of(np.array(found))
    assert unique_share(sample, size, "zayatz") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("share", "error"), [(0.1, 0.03), (0.3, 0.012), (0.7, 0.0024)])
def test_the_slide_negative_binomial_finds_the_population_it_is_a_model_of(
    share: float, error: float
) -> None:
    """Within four standard errors, which were measured over repeated draws."""
    people = 1 + np.random.default_rng(5).negative_binomial(0.4, 0.1, size=300_000)
    found = slide_negative_binomial(drawn(people, share), int(people.sum()))
    assert found == pytest.approx((people == 1).sum() / people.sum(), rel=4 * error)


def test_pitman_finds_the_population_it_is_a_model_of() -> None:
    people = _chinese_restaurant(theta=20.0, share=0.6, n=60_000)
    sample = drawn(people, 0.1)
    found = pitman(sample, int(people.sum()))
    assert found == pytest.approx((people == 1).sum() / people.sum(), rel=0.1)


def _chinese_restaurant(
    theta: float, share: float, n: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Class sizes of Pitman's model: each person founds a class or joins one by its size."""
    rng = np.random.default_rng(2)
    of_person = np.empty(n, dtype=np.int64)
    founders = np.zeros(n, dtype=np.bool_)
    n_classes = 0
    for i, (choice, other) in enumerate(zip(rng.random(n), rng.random(n), strict=True)):
        # Joining a class with weight size − share: a random earlier person who is no founder, or
        # a founder with probability 1 − share; a refused founder means a new class.
        person = int(choice * (theta + i)) if choice * (theta + i) < i else -1
        if person < 0 or (founders[person] and other < share):
            of_person[i] = n_classes
            founders[i] = True
            n_classes += 1
        else:
            of_person[i] = of_person[person]
    return np.bincount(of_person)


@given(sizes, st.sampled_from([1.0, 0.5, 0.1, 0.01]))
def test_every_estimate_is_a_share_and_zero_without_uniques(found: list[int], share: float) -> None:
    sample = SizeCounts.of(np.array(found))
    size = round(sum(found) / share)
    for estimator in ("dankar", "pitman", "zayatz"):
        estimate = unique_share(sample, size, estimator)
        assert 0 <= estimate <= 1
        assert (estimate > 0) == (1 in found) or share < 1


def test_the_rule_chooses_by_the_sampling_share() -> None:
    sample = SizeCounts.of(np.array([1] * 50 + [2] * 20 + [5] * 10))
    assert dankar(sample, sample.n * 20) == pitman(sample, sample.n * 20)
    other = slide_negative_binomial(sample, sample.n * 2)
    assert other is not None
    assert dankar(sample, sample.n * 2) == min(zayatz(sample, sample.n * 2), other)


def test_a_model_that_does_not_fit_is_an_error_and_the_rule_goes_round_it() -> None:
    frame = {"q": [1, 2, 3, 4, 4, 4]}
    model = PopulationUniqueness(threshold=0.1, sampling_share=0.5, estimator="snb")
    with pytest.raises(InputError, match="does not fit"):
        model.check(frame, ROLES)
    assert PopulationUniqueness(threshold=0.9, sampling_share=0.5).check(frame, ROLES).achieved > 0


def test_a_broken_promise_breaks_in_the_unique_records() -> None:
    frame = {"q": [1, 2, 3, 4, 4, 4]}
    model = PopulationUniqueness(threshold=0.01, sampling_share=0.5, estimator="zayatz")
    check = model.check(frame, ROLES)
    assert (check.holds, check.n_broken) == (False, 3)


def test_no_unique_record_keeps_the_promise_and_so_does_an_empty_table() -> None:
    model = PopulationUniqueness(threshold=0, population_size=1000)
    assert model.check({"q": [1, 1, 2, 2]}, ROLES).holds
    assert model.check({"q": []}, ROLES).holds


def test_all_unique_is_estimated_as_all_unique() -> None:
    model = PopulationUniqueness(threshold=0.5, population_size=1000)
    assert model.check({"q": [1, 2, 3]}, ROLES).achieved == 1


def test_the_population_must_be_named_and_large_enough() -> None:
    with pytest.raises(InputError, match="population size or the sampling share"):
        PopulationUniqueness(threshold=0.1).check({"q": [1]}, ROLES)
    with pytest.raises(InputError, match="more than a population of 1"):
        PopulationUniqueness(threshold=0.1, population_size=1).check({"q": [1, 2]}, ROLES)


@given(naive.rows)
def test_with_wildcards_the_sample_is_still_the_table(table: list[naive.Row]) -> None:
    sizes = {keys: len(values) for keys, values in naive.matching(table).items()}
    by_size: Counter[int] = Counter()
    for row in table:
        by_size[sizes[row[:-1]]] += 1
    classes = naive.classes_of(table, "wildcard")
    sample = SizeCounts.of(classes.sizes, classes.counts)
    assert sample.n == len(table)
    assert dict(zip(sample.sizes.tolist(), sample.counts, strict=True)) == {
        size: pytest.approx(n / size) for size, n in by_size.items()
    }
    model = PopulationUniqueness(threshold=0.5, population_size=100, estimator="zayatz")
    check = model.verify(classes)
    assert (check.achieved > 0) == (1 in by_size)
    assert check.n_broken <= by_size[1]


@pytest.mark.parametrize(
    ("found", "theta"), [([1] * 7 + [2, 3], 14.6865618), ([2, 2, 1], 2.2254350)]
)
def test_where_pitmans_likelihood_falls_from_the_start_ewens_model_holds(
    found: list[int], theta: float
) -> None:
    n = sum(found)
    expected = sum(theta / (theta + i) for i in range(n))
    assert expected == pytest.approx(len(found), rel=1e-7)
    assert pitman(SizeCounts.of(np.array(found)), 50 * n) == pytest.approx(theta / (50 * n))
