from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError, RequirementNotMetError
from tests.app.fitting.cases import ROLES, STEPS, people, recipe


@pytest.mark.parametrize("name", list(STEPS))
def test_new_data_get_labels_that_were_learnt_and_keep_the_promise(name: str) -> None:
    protector = mv.Protector(recipe(STEPS[name]), seed=1, removed="drop")
    first = protector.fit_transform(people(200, 1))
    keys = ["age", "sex", "town"]
    after = protector.transform(people(150, 2))
    assert 0 < after.height <= 150
    assert mv.assess(after, mv.Roles(quasi_identifiers=keys)).k >= 3
    if "generaliz" not in name and name not in ("incognito", "datafly"):
        known = set(first.select(pl.col(keys).cast(pl.String)).rows())
        assert set(after.select(pl.col(keys).cast(pl.String)).rows()) <= known


@pytest.mark.parametrize("name", ["mondrian", "nodes", "optimal_generalization", "datafly"])
def test_the_table_it_was_learnt_from_comes_out_as_in_its_release(name: str) -> None:
    frame = people(200, 1)
    protector = mv.Protector(recipe(STEPS[name]), seed=1, removed="drop").fit(frame)
    again = protector.transform(frame)
    release = mv.run(recipe(STEPS[name]), frame, seed=1).data
    assert again.equals(release.cast(dict(again.schema)))


def test_a_table_that_breaks_the_promise_is_withheld() -> None:
    step = (
        "{method: generalize, column: age, hierarchy: {hierarchy: intervals, width: 40}, level: 1}"
    )
    protector = mv.Protector(recipe(step)).fit(people(400, 1))
    with pytest.raises(RequirementNotMetError):
        protector.transform(people(5, 2))


def test_nothing_is_learnt_from_a_table_that_breaks_the_promise() -> None:
    with pytest.raises(RequirementNotMetError):
        mv.fit(recipe("{method: drop, columns: [income]}"), people(40, 1))


@pytest.mark.parametrize(
    "step",
    [
        "{method: rank_swap, columns: [income], range_share: 0.1}",
        "{method: microaggregate, columns: [income], k: 3}",
        "{method: mondrian, k: 3, publish: centroids}",
        "{method: top_bottom_code, columns: [income], top_share: 0.1, replace_by: mean}",
    ],
)
def test_what_depends_on_the_other_records_is_refused(step: str) -> None:
    with pytest.raises(InputError, match=r"steps\.0.*new data"):
        mv.fit(mv.Recipe.from_yaml(f"{ROLES}steps: [{step}]"), people(100, 1))
