"""Attacks and models worked out again by looking at every person and every released record."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.verifier.recounts import attacks, models
from tests.verifier.recounts.cases import make_case

seeds = pytest.mark.parametrize("seed", range(5))
people_or_rows = pytest.mark.parametrize("entity", [False, True])


@seeds
@people_or_rows
def test_two_sources_lead_to_one_record(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    halves = (("age",), ("town",))
    found = mv.Linkability(known=halves).measure(case.original, case.released)
    rate, risk = attacks.linkability(case, halves)
    assert found.parts["attack"]["rate"] == pytest.approx(rate)
    assert found.value == pytest.approx(risk)


@seeds
@people_or_rows
@pytest.mark.parametrize("secret", ["ill", "pay", "town"])
def test_the_secret_of_the_nearest_record_is_right(seed: int, entity: bool, secret: str) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    known = tuple(name for name in ("age", "town", "rent") if name != secret)
    found = mv.Inference(known=known, secret=[secret]).measure(case.original, case.released)
    used = found.parts["known"][secret]
    rate, risk = attacks.inference(case, used, secret, known)
    assert found.parts["attack"]["rate"] == pytest.approx(rate)
    assert found.value == pytest.approx(risk)
    for some in [known, *((name,) for name in known), *combinations(known, len(known) - 1)]:
        assert found.value >= attacks.inference(case, some, secret, known)[1] - 1e-9


@seeds
@people_or_rows
def test_queries_that_match_one_released_person_match_one_original(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    found = mv.SinglingOut(columns=["age", "town", "pay"], n_columns=2).measure(
        case.original, case.released
    )
    used = found.parts["columns"]
    recount = attacks.singled_out(case, used, min(2, len(used)))
    if recount is None:
        assert found.parts["n_attacks"] == 0
        return
    assert found.parts["n_attacks"] == recount[0]
    assert found.parts["attack"]["rate"] == pytest.approx(recount[1])


@seeds
@people_or_rows
def test_released_records_beside_isolated_people(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    columns = ("age", "pay", "ill")
    measure = mv.NearestNeighbourRatio(columns=columns, share=0.1)
    found = measure.measure(case.original, case.released)
    assert found.value == pytest.approx(attacks.neighbour_ratio(case, columns, 0.1))


@seeds
@people_or_rows
def test_people_nearer_to_the_release_than_to_others(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    found = mv.Membership(columns=["pay", "rent", "ill"]).measure(case.original, case.released)
    rate, risk = attacks.membership(case, found.parts["columns"])
    assert found.parts["attack"]["rate"] == pytest.approx(rate)
    assert found.value == pytest.approx(risk)


@seeds
def test_a_logistic_model_tells_the_tables_apart_as_well(seed: int) -> None:
    case = make_case(seed, removed=True)
    names = ("pay", "ill", "rent")  # as they are: nothing is drawn
    measure = mv.Propensity(columns=names)
    found = measure.measure(case.original, case.released)
    assert found.value == pytest.approx(models.propensity(case, names), rel=1e-3, abs=1e-6)


@seeds
def test_clusters_that_are_apart_are_found_and_compared_by_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ours = rng.permutation(np.arange(30) % 3)
    theirs = np.where(rng.random(30) < 0.3, rng.integers(0, 3, 30), ours)
    tables = [{"x": kind * 100.0 + rng.random(30)} for kind in (ours, theirs)]
    found = mv.Clustering(n_clusters=3, n_starts=8).measure(*tables)
    assert found.value == pytest.approx(models.rand_loss(ours.tolist(), theirs.tolist()))


@pytest.mark.parametrize("quality", ["auc", "accuracy"])
def test_predictions_fall_from_certain_to_reversed_or_to_chance(quality: Any) -> None:
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(-5, 1, 60), rng.normal(5, 1, 60)])
    before = pl.DataFrame({"x": x, "y": np.where(x > 0, "up", "down")})
    reverse = before.with_columns(y=pl.Series(np.where(x > 0, "down", "up")))
    constant = before.with_columns(y=pl.lit("up"))
    measure = mv.Prediction(target="y", quality=quality)
    assert measure.measure(before, before).value == 0
    assert measure.measure(before, reverse).value == pytest.approx(1.0)
    found = measure.measure(before, constant)
    if quality == "auc":
        assert found.value == pytest.approx(0.5)
    else:
        assert found.value == pytest.approx(1 - found.parts["accuracy_after"])
        assert 0.3 < found.value < 0.7


@seeds
def test_the_cheapest_assignment_and_the_likeliest_match(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(20, 2))
    y = x + rng.normal(scale=0.8, size=(20, 2))
    tables = [dict(zip("ab", side.T, strict=True)) for side in (x, y)]
    one_to_one = mv.RecordLinkage(method="assignment", worst_columns=False).measure(*tables)
    assert one_to_one.value == pytest.approx(models.assigned(x, y))
    before = [[str(one) for one in row] for row in rng.integers(0, 4, (20, 3))]
    after = [
        [one if rng.random() < 0.7 else str(rng.integers(0, 4)) for one in row] for row in before
    ]
    frames = [pl.DataFrame(rows, schema=["a", "b", "c"], orient="row") for rows in (before, after)]
    likely = mv.RecordLinkage(method="probabilistic", worst_columns=False).measure(*frames)
    agree = models.agreements(before, after)
    u, m = likely.frames["agreement"]["u"].to_numpy(), likely.frames["agreement"]["m"].to_numpy()
    assert u == pytest.approx(agree.mean(axis=(0, 1)))
    assert m == pytest.approx(models.matched(agree, u), abs=1e-4)
    assert likely.value == pytest.approx(models.probabilistic(agree, u, m))


@seeds
@people_or_rows
def test_a_list_of_people_is_matched_with_every_record(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    listed = case.original.frame.select("age", "town").head(8)
    found = mv.OutsideLinkage(known=["age", "town"]).measure(
        case.original, case.released, auxiliary=listed
    )
    n_candidates = [attacks.candidates(case, person) for person in listed.to_dicts()]
    assert found.value == pytest.approx(sum(n == 1 for n in n_candidates) / 8)
    assert found.parts["expected_identity"] == pytest.approx(sum(1 / n for n in n_candidates if n))


@seeds
def test_members_are_nearer_to_the_release_than_others(seed: int) -> None:
    case = make_case(seed)
    control = make_case(seed + 50)
    columns = ("pay", "rent", "ill")
    found = mv.Membership(columns=columns).measure(
        case.original, case.released, control=control.original
    )
    assert set(found.parts["columns"]) == set(columns)
    near = [
        [attacks.nearest_distance(case, control, row, columns) for row in one.before]
        for one in (case, control)
    ]
    area = models.area([-one for one in near[0]], [-one for one in near[1]])
    assert found.parts["distance"]["auc"] == pytest.approx(area)
