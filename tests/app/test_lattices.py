"""The lattice of a recipe's search: any node of it can be looked at and released."""

from __future__ import annotations

from itertools import product

import pytest

import microveil as mv
from microveil.errors import InputError

PEOPLE = {
    "age": [31, 34, 36, 38, 41, 44, 45, 47, 79],
    "sex": list("ffmmffmmf"),
    "zip": ["0801", "0802", "0801", "0802", "0801", "0802", "0801", "0802", "0811"],
}
RECIPE = mv.Recipe.from_yaml("""
roles: {quasi_identifiers: [age, sex, zip]}
steps:
  - method: optimal_generalization
    suppression_share: 0.12
    hierarchies:
      age: {hierarchy: intervals, width: [10, 20]}
      zip: {hierarchy: digits}
require: [{model: k_anonymity, k: 2}]
""")


def test_ranks_are_those_of_looking_at_every_node() -> None:
    walked = mv.lattice(RECIPE, PEOPLE)
    exhaustive = []
    for levels in product(range(4), range(2), range(5)):
        node = walked.node(dict(zip(("age", "sex", "zip"), levels, strict=True)))
        if node.solution:
            exhaustive.append((node.loss, sum(levels), levels))
    expected = [levels for _, _, levels in sorted(exhaustive)]
    fresh = mv.lattice(RECIPE, PEOPLE)
    found = [tuple(node.levels.values()) for node in fresh.first(len(expected))]
    assert found == expected
    assert fresh.n_checked <= fresh.n_nodes


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_a_released_node_is_the_one_of_that_rank_and_keeps_the_promise(rank: int) -> None:
    walked = mv.lattice(RECIPE, PEOPLE)
    release = walked.release(rank)
    assert release.holds
    assert release.facts[0].facts["levels"] == walked.node(rank).levels
    by_recipe = mv.run(RECIPE.with_values({"steps.0.node": rank}), PEOPLE)
    assert by_recipe.facts[0].facts["levels"] == walked.node(rank).levels
    assert by_recipe.data.equals(release.data)


def test_a_search_by_itself_releases_its_nodes() -> None:
    roles = mv.Roles(quasi_identifiers=["sex", "zip"])
    found = mv.search_lattice(
        {"sex": PEOPLE["sex"], "zip": PEOPLE["zip"]}, roles, k=2, suppression_share=0.2
    )
    assert found.release(2).facts[0].facts["levels"] == found.node(2).levels


def test_levels_go_by_name_and_number() -> None:
    walked = mv.lattice(RECIPE, PEOPLE)
    by_name = walked.node({"age": "width 20", "zip": "1 masked"})
    assert by_name.levels == walked.node("age=2,sex=0,zip=1").levels


def test_neighbours_differ_by_one_level_of_one_key() -> None:
    walked = mv.lattice(RECIPE, PEOPLE)
    here = walked.node(1).levels
    for other in walked.around(1):
        assert sum(abs(other.levels[name] - here[name]) for name in here) == 1


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("999", "No node 999"),
        ("0", "No node 0"),
        ("age", "A node is its rank"),
        ("agee=1", "Did you mean 'age'"),
        ("age=9", "No such node"),
        ("age=width 11", "Levels: "),
    ],
)
def test_a_node_that_is_not_there_is_refused(node: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        mv.lattice(RECIPE, PEOPLE).node(node)


def test_a_node_that_misses_the_goal_is_not_released() -> None:
    with pytest.raises(InputError, match="does not reach the goal"):
        mv.lattice(RECIPE, PEOPLE).release({"age": 0, "sex": 0, "zip": 0})


def test_a_recipe_without_a_search_has_no_lattice() -> None:
    with pytest.raises(InputError, match="optimal_generalization"):
        mv.lattice(mv.Recipe(), PEOPLE)
