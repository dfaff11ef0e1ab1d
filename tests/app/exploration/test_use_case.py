from __future__ import annotations

import json

import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError
from tests.app.exploration.cases import FRAME, K_GRID, KEYS, NOISE, SECRET, SUPPRESS, Explode


def test_each_point_scores_what_its_release_scores() -> None:
    found = mv.explore(FRAME, SUPPRESS, K_GRID, seed=1, risk="class_sizes", utility="cell_changes")

    for point, k in zip(found.points, (2, 5, 10), strict=True):
        recipe = SUPPRESS.with_values({"steps.1.k": k, "require.0.k": k})
        release = mv.run(recipe, FRAME)
        assert point.holds
        assert point.value("class_sizes") == 1 / release.risk.k
        assert point.value("cell_changes") == release.utility["cell_changes"].value
    assert found.frame["steps.1.k+require.0.k"].to_list() == [2, 5, 10]
    assert found.original["class_sizes"].value == 1.0
    assert found.original["cell_changes"].value == 0.0


def test_a_point_is_the_same_in_every_grid_and_differs_with_the_seed() -> None:
    def loss(values: list[float], seed: int) -> float | None:
        found = mv.explore(FRAME, NOISE, {"steps.0.sd_share": values}, seed=seed, utility="il1s")
        return found.points[values.index(0.2)].value("il1s")

    assert loss([0.2], 7) == loss([0.1, 0.2, 0.3], 7)
    assert loss([0.2], 7) != loss([0.2], 8)


def test_failing_points_stay_with_their_sentence() -> None:
    recipe = SUPPRESS.with_values({"steps.1.max_share": 0.2})
    found = mv.explore(FRAME, recipe, {"steps.1.k": [2, 1, 250]}, risk="class_sizes")

    holds, invalid, too_much = found.points
    assert holds.problem is None
    assert "greater than or equal to 2" in str(invalid.problem)
    assert "more than max_share allows" in str(too_much.problem)
    assert found.frame["holds"].to_list() == [True, None, None]
    assert [point.number for point in found.front] == [0]
    with pytest.raises(InputError, match="greater than or equal"):
        found.release(1)


def test_a_release_without_records_is_no_choice() -> None:
    found = mv.explore(FRAME, SUPPRESS, {"steps.1.k": [2, 299]}, risk="class_sizes")

    assert found.points[1].problem == "No record is left in the release."
    assert [point.number for point in found.front] == [0]


def test_a_broken_promise_keeps_a_point_off_the_front() -> None:
    found = mv.explore(FRAME, SUPPRESS, {"steps.1.k": [2, 5], "require.0.k": [5]})

    assert [point.holds for point in found.points] == [False, True]
    assert found.frame["pareto"].to_list() == [False, True]


def test_an_unexpected_failure_costs_one_point_and_tells_no_cell() -> None:
    bad = mv.Recipe(roles=KEYS, steps=[Explode()])
    found = mv.explore(FRAME, SUPPRESS, None, alternatives={"bad": (bad, {})}, risk="class_sizes")

    assert [point.problem for point in found.points] == [None, "Unexpected ValueError."]
    assert SECRET not in json.dumps(found.to_dict())


def test_an_empty_table_and_one_row_can_be_explored() -> None:
    for n_records in (0, 1):
        found = mv.explore(
            FRAME.head(n_records), SUPPRESS, K_GRID, risk="class_sizes", utility="cell_changes"
        )
        assert len(found) == 3
        problems = {point.problem for point in found.points}
        assert problems == ({"No record is left in the release."} if n_records else {None})


def test_a_role_without_a_column_is_the_callers_mistake() -> None:
    with pytest.raises(ColumnError, match="roles: "):
        mv.explore(FRAME.drop("sex"), SUPPRESS, K_GRID)


def test_risk_needs_keys() -> None:
    if "record_linkage" in mv.RISK_MEASURES:
        pytest.skip("record linkage needs no keys")
    with pytest.raises(InputError, match="quasi-identifiers"):
        mv.explore(FRAME, mv.Recipe())


def test_progress_ends_with_all_points() -> None:
    told: list[tuple[float, float]] = []
    mv.explore(FRAME, SUPPRESS, K_GRID, progress=lambda done, total, _: told.append((done, total)))

    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)
