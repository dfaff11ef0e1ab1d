from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.release.households import contradictions

ROLES = mv.Roles(quasi_identifiers=["town", "rooms", "age", "sex"], household="home")
STEPS = [
    mv.Mondrian(k=3),
    mv.Mondrian(k=3, publish="ranges", mode="relaxed"),
    mv.Mondrian(k=2, publish="centroids"),
    mv.LocalRecoding(k=3, steps=50),
    mv.LocalRecoding(k=3, algorithm="rounds", suppression_share=0.2),
]


def people(seed: int, n_homes: int) -> pl.DataFrame:
    """Households of one to four; town and rooms describe the household."""
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(n_homes), rng.integers(1, 5, n_homes))
    return pl.DataFrame(
        {
            "home": home,
            "town": rng.choice(["Ambly", "Brey", "Corme", "Dolle"], n_homes)[home],
            "rooms": rng.integers(1, 7, n_homes)[home],
            "age": rng.integers(0, 90, len(home)),
            "sex": rng.choice(["f", "m"], len(home)),
        }
    )


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.kind()}-{STEPS.index(step)}")
@given(seed=st.integers(0, 10_000), n_homes=st.integers(8, 40))
@settings(max_examples=8, deadline=None)
def test_members_of_a_household_never_contradict_each_other(
    step: mv.Mondrian | mv.LocalRecoding, seed: int, n_homes: int
) -> None:
    table = mv.Table(people(seed, n_homes), ROLES)
    done = step.apply(table, np.random.default_rng(seed))
    frame = done.table.frame
    for column in ("town", "rooms"):
        assert frame.group_by("home").agg(pl.col(column).n_unique())[column].max() == 1
    assert step.k is not None
    sizes = frame.group_by(ROLES.quasi_identifiers).len()["len"]
    assert sizes.min() >= step.k  # type: ignore[operator]
    assert done.facts["smallest"] == sizes.min()
    assert frame["home"].equals(table.frame["home"]), "rows stay in place"


def test_a_release_of_households_has_nothing_to_warn_of() -> None:
    frame = people(1, 60)
    recipe = mv.Recipe(
        roles=ROLES, steps=[mv.Mondrian(k=3)], require=[mv.KAnonymity(k=3)], keep=["home"]
    )
    release = mv.run(recipe, frame, seed=1)
    assert release.data.height == frame.height
    assert not list(contradictions(release.original, release.table, frame.columns))


def test_further_models_and_few_households_are_left_to_the_step_itself() -> None:
    frame = people(3, 40)
    frame = frame.with_columns(disease=pl.Series(np.arange(frame.height) % 3))
    roles = ROLES.model_copy(update={"sensitive": ("disease",)})
    diverse = mv.Mondrian(k=3, models=[mv.LDiversity(l=2, column="disease")])
    assert (
        "household_columns"
        not in diverse.apply(mv.Table(frame, roles), np.random.default_rng(0)).facts
    )
    few = mv.Mondrian(k=5).apply(mv.Table(people(5, 4).head(6), ROLES), np.random.default_rng(0))
    assert "household_columns" not in few.facts


def test_a_table_without_households_is_treated_as_before() -> None:
    frame, roles = people(2, 30), ROLES.model_copy(update={"household": None})
    step = mv.Mondrian(k=3)
    assert (
        "household_columns"
        not in step.apply(mv.Table(frame, roles), np.random.default_rng(0)).facts
    )
