"""Every number of the measures that compare labels, records or models, worked out again."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.verifier import estimates
from tests.verifier.recounts import labels, linking, numbers, uniques, weighted
from tests.verifier.recounts.cases import STAR, TREE, Case, make_case

seeds = pytest.mark.parametrize("seed", range(6))
gone = pytest.mark.parametrize("removed", [False, True])


@seeds
@gone
def test_bits_and_combinations_that_labels_withhold(seed: int, removed: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, removed=removed)
    for spec, expected in (
        (mv.EntropyLoss(), labels.entropy_loss(case)),
        (mv.Ambiguity(), labels.ambiguity(case)),
    ):
        found = spec.measure(case.original, case.released)
        assert found.value == pytest.approx(expected), spec.kind()


@seeds
@gone
def test_levels_that_cells_climbed(seed: int, removed: bool) -> None:  # noqa: FBT001  a case
    rng = np.random.default_rng(seed)
    case = make_case(seed, removed=removed)
    branch = {town: name for name, towns in TREE.items() for town in towns}
    towns = [
        None
        if before["town"] is None or rng.random() < 0.1
        else str(rng.choice([before["town"], branch[before["town"]], STAR]))
        for before, _ in case.pairs
    ]
    released = case.released.with_columns([pl.Series("town", towns, dtype=pl.String)])
    after = [{**row, "town": town} for row, town in zip(case.after, towns, strict=True)]
    told = Case(case.original, released, case.before, after, case.origin, None)
    measure = mv.Precision(columns=["town"], hierarchies={"town": {"tree": TREE}})
    assert measure.measure(told.original, told.released).value == pytest.approx(
        labels.precision(told, {"town": [branch]})
    )


@seeds
@gone
def test_numbers_near_to_and_explained_by_the_release(seed: int, removed: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, removed=removed)
    both = case.original, case.released
    found = mv.Eigenvalues(columns=numbers.NUMBERS).measure(*both)
    assert found.value == pytest.approx(numbers.eigenvalues(case))
    explained = mv.ValueDisclosure(columns=["pay", "rent"]).measure(*both)
    assert explained.value == pytest.approx(numbers.value_disclosure(case))
    for around in ("sd", "ranks"):
        spec = {"name": "interval_disclosure", "k": 0.1, "around": around}
        near = mv.RISK_MEASURES.parse({**spec, "columns": ["pay", "rent"]}).measure(*both)
        joint, single = numbers.interval_disclosure(case, 0.1, around)
        assert near.value == pytest.approx(joint)
        assert max(near.parts["columns"].values()) == pytest.approx(single)


@seeds
@pytest.mark.parametrize("weight", [False, True])
def test_intervals_of_estimates_overlap(seed: int, weight: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, removed=True, weight=weight)
    measure = mv.ConfidenceOverlap(columns=["pay", "rent"], by=["ill"])
    found = measure.measure(case.original, case.released)
    assert found.value == pytest.approx(numbers.confidence_overlap(case, weighted=weight))


@seeds
@gone
def test_records_count_by_their_weights(seed: int, removed: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, removed=removed, weight=True)
    both = case.original, case.released
    table = mv.TableCounts(columns=["ill", "rent"]).measure(*both)
    assert table.value == pytest.approx(weighted.table_counts(case, ["ill", "rent"]))
    far = mv.DistributionDistance(columns=["ill", "rent"], pairs=False).measure(*both)
    expected = [weighted.total_variation(case, name) for name in ("ill", "rent")]
    assert far.value == pytest.approx(np.mean(expected))


@seeds
@pytest.mark.parametrize("entity", [False, True])
def test_uniques_of_every_set_of_columns(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity)
    columns, rows = ("age", "town", "ill"), case.before
    special = mv.SpecialUniques(columns=columns, sampling_share=0.1).measure(case.original)
    expected = uniques.special_uniques(rows, columns, 0.1, case.people)
    assert special.records == pytest.approx(np.array(expected))
    apart = mv.KeySeparation(columns=columns).measure(case.original)
    assert apart.value == pytest.approx(uniques.key_separation(rows, columns, case.people))


@seeds
def test_uniques_of_the_population(seed: int) -> None:
    case = make_case(seed)
    sizes = uniques.class_sizes(case.before, ("age", "town"))
    n = sum(size * count for size, count in sizes.items())
    score = mv.PopulationRisk(sampling_share=0.05).measure(case.original)
    population = round(n / 0.05)
    assert score.parts["population_size"] == population
    for name in ("zayatz", "pitman"):
        share = estimates.unique_share(sizes, population, name)
        assert score.parts[name] == pytest.approx(share, rel=1e-3), name
    assert score.value == pytest.approx(score.parts["pitman"])  # Dankar's choice of a small share
    tau = uniques.log_linear_tau(case.before, ("age", "town"), n / population)
    assert score.parts["models"]["log_linear"]["tau_1"] == pytest.approx(tau)
    assert score.parts["log_linear"] == pytest.approx(tau / n)


people_or_rows = pytest.mark.parametrize("entity", [False, True])


@seeds
@people_or_rows
@gone
def test_records_linked_by_every_pair_of_them(seed: int, entity: bool, removed: bool) -> None:  # noqa: FBT001  cases
    case = make_case(seed, entity=entity, removed=removed)
    both = case.original, case.released
    columns = ("age", "town", "pay")
    for distance, squared in (("euclidean", True), ("manhattan", False), ("gower", False)):
        unit = "range" if distance == "gower" else "sd"
        spec = {"name": "record_linkage", "columns": columns, "distance": distance}
        every = mv.RISK_MEASURES.parse({**spec, "worst_columns": False}).measure(*both)
        expected = linking.record_linkage(case, columns, squared=squared, unit=unit)
        assert every.value == pytest.approx(expected), distance
        worst = mv.RISK_MEASURES.parse(spec).measure(*both)
        used = tuple(name for name in columns if name in worst.parts["columns"])
        again = linking.record_linkage(case, used, squared=squared, unit=unit)
        assert worst.value == pytest.approx(again)
        for some in [(one,) for one in columns] + [
            tuple(two for two in columns if two != one) for one in columns
        ]:
            tried = linking.record_linkage(case, some, squared=squared, unit=unit)
            assert worst.value >= tried - 1e-9


@seeds
@people_or_rows
def test_records_linked_by_their_numbers(seed: int, entity: bool) -> None:  # noqa: FBT001  a case
    case = make_case(seed, entity=entity, removed=True)
    both, columns = (case.original, case.released), ("pay", "rent")
    specs = {
        ("record_linkage", "distance", "mahalanobis"): linking.mahalanobis,
        ("identity_disclosure", "each", False): linking.likeliest,
        ("noise_filtering", "method", "pca"): linking.filtered("pca"),
        ("noise_filtering", "method", "spectral"): linking.filtered("spectral"),
        ("noise_filtering", "method", "bayes"): linking.filtered("bayes"),
    }
    noise = np.random.default_rng(seed).normal(size=(case.released.height, 2)) * 30
    moved = case.released.frame.select(columns).to_numpy() + noise
    released = case.released.with_columns(
        [pl.Series(name, moved[:, place]) for place, name in enumerate(columns)]
    )
    after = [
        {**row, **dict(zip(columns, cells, strict=True))}
        for row, cells in zip(case.after, moved.tolist(), strict=True)
    ]
    told = Case(case.original, released, case.before, after, case.origin, case.people)
    for (name, setting, value), change in specs.items():
        spec = {"name": name, "columns": columns, "worst_columns": False, setting: value}
        found = mv.RISK_MEASURES.parse(spec).measure(told.original, told.released)
        assert found.value == pytest.approx(linking.by_points(told, columns, change)), spec
    swapped = mv.IntersectionAttack(columns=columns).measure(*both)
    assert swapped.value == pytest.approx(linking.intersection(case, columns))
