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
    assert frame["home"].is_sorted(), "rows stay in place"
    gone = table.height - frame.height
    assert done.facts.get("n_suppressed", 0) == gone <= 0.2 * table.height
    left = frame.group_by("home").len().join(table.frame.group_by("home").len(), on="home")
    assert left["len"].equals(left["len_right"]), "a household leaves as a whole"


def test_a_release_of_households_has_nothing_to_warn_of() -> None:
    frame = people(1, 60)
    recipe = mv.Recipe(
        roles=ROLES, steps=[mv.Mondrian(k=3)], require=[mv.KAnonymity(k=3)], keep=["home"]
    )
    release = mv.run(recipe, frame, seed=1)
    assert release.data.height == frame.height
    assert not list(contradictions(release.original, release.table, frame.columns))


MODELS = [
    mv.LDiversity(l=3, column="disease"),
    mv.TCloseness(t=0.3, column="disease"),
    mv.AlphaKAnonymity(alpha=0.8, k=4, column="disease"),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model.kind()))
@pytest.mark.parametrize("kind", [mv.Mondrian, mv.LocalRecoding])
def test_further_models_hold_and_members_still_agree(
    kind: type[mv.Method], model: mv.PrivacyModel
) -> None:
    frame = people(3, 60)
    # Half of the households share one disease, so that classes of k alone would violate the model.
    disease = pl.Series(np.where(frame["home"] < 30, 0, np.arange(frame.height) % 4))
    roles = ROLES.model_copy(update={"sensitive": ("disease",)})
    table = mv.Table(frame.with_columns(disease=disease), roles)
    step = kind.parse({"method": kind.kind(), "k": 2, "models": [model.to_dict()]})
    done = step.apply(table, np.random.default_rng(0))
    assert done.facts["household_columns"] == ["town", "rooms"]
    assert model.check(done.table.frame, roles).holds
    assert done.facts["n_classes"] > 2
    for column in ("town", "rooms"):
        assert done.table.frame.group_by("home").agg(pl.col(column).n_unique())[column].max() == 1


def test_a_model_out_of_reach_is_an_error() -> None:
    frame = people(3, 40).with_columns(disease=pl.lit("flu"))
    roles = ROLES.model_copy(update={"sensitive": ("disease",)})
    step = mv.Mondrian(k=3, models=[mv.LDiversity(l=2, column="disease")])
    with pytest.raises(mv.GoalNotReachedError, match="Not even a single class"):
        step.apply(mv.Table(frame, roles), np.random.default_rng(0))


def test_outlying_households_are_removed_where_that_is_allowed() -> None:
    frame = people(4, 60).filter(pl.col("town") == "Ambly")
    far = pl.DataFrame({"home": [99, 99], "town": "Zell", "rooms": 40, "age": 30, "sex": "f"})
    frame = pl.concat([frame, far.cast(frame.schema)])
    hierarchies = {"rooms": {"hierarchy": "intervals", "width": [10, 100]}}
    raw = {"method": "local_recoding", "k": 6, "hierarchies": hierarchies, "steps": 50}
    share = 6 / frame.height
    step = mv.LocalRecoding.parse({**raw, "suppression_share": share})
    done = step.apply(mv.Table(frame, ROLES), np.random.default_rng(0))
    assert 2 <= done.facts["n_suppressed"] <= 6
    assert 99 not in done.table.frame["home"]
    assert done.table.frame["town"].unique().to_list() == ["Ambly"]


def test_few_households_are_left_to_the_step_itself() -> None:
    few = mv.Mondrian(k=5).apply(mv.Table(people(5, 4).head(6), ROLES), np.random.default_rng(0))
    assert "household_columns" not in few.facts


def test_a_table_without_households_is_treated_as_before() -> None:
    frame, roles = people(2, 30), ROLES.model_copy(update={"household": None})
    step = mv.Mondrian(k=3)
    assert (
        "household_columns"
        not in step.apply(mv.Table(frame, roles), np.random.default_rng(0)).facts
    )
