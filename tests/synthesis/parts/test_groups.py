from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv


def households(n: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for home in range(n):
        region, size = int(rng.integers(0, 4)), int(rng.integers(1, 5))
        head = int(rng.integers(30, 60))
        for place in range(size):
            role = ("head", "partner", "child", "child")[place]
            age = head - (0 if place < 2 else 28) + int(rng.integers(-2, 3))
            rows.append((f"h{home}", region, role, age))
    return pl.DataFrame(rows, schema=["home", "region", "role", "age"], orient="row")


def test_households_are_drawn_whole_with_their_sizes_and_roles() -> None:
    frame = households()
    drawn = mv.Synthesizer().fit(frame, mv.Roles(household="home"), seed=1).sample(seed=2)
    assert drawn.schema == frame.schema
    assert drawn.group_by("home").agg(pl.col("region").n_unique())["region"].max() == 1
    first = drawn.group_by("home", maintain_order=True).first()
    assert set(first["role"]) == {"head"}
    assert drawn.group_by("home").agg((pl.col("role") == "head").sum())["role"].max() == 1

    def sizes(table: pl.DataFrame) -> list[float]:
        counts = table.group_by("home").len()["len"].value_counts().sort("len")["count"]
        return (counts / counts.sum()).to_list()

    assert sizes(drawn) == pytest.approx(sizes(frame), abs=0.1)
    assert drawn.height == pytest.approx(frame.height, rel=0.15)


def test_members_depend_on_each_other() -> None:
    fine = mv.Synthesizer(generator=mv.Cart(least_leaf=15))
    drawn = fine.fit(households(), mv.Roles(household="home"), seed=1).sample(seed=2)
    wide = drawn.filter(pl.col("role") != "child").pivot("role", index="home", values="age")
    pairs = wide.drop_nulls()
    assert pairs.select(pl.corr("head", "partner")).item() > 0.8


def test_people_of_several_rows_are_drawn_row_after_row() -> None:
    rng = np.random.default_rng(0)
    n = 200
    frame = pl.DataFrame(
        {
            "person": np.repeat(np.arange(n), 4),
            "sex": np.repeat(rng.choice(["f", "m"], n), 4),
            "weight": (np.repeat(rng.normal(70, 10, n), 4) + rng.normal(0, 1, 4 * n)).round(1),
        }
    )
    drawn = mv.Synthesizer().fit(frame, mv.Roles(entity="person"), seed=1).sample(seed=2)
    per_person = drawn.group_by("person").agg(pl.len(), pl.col("sex").n_unique())
    assert per_person["len"].unique().to_list() == [4]
    assert per_person["sex"].max() == 1
    within = drawn.group_by("person").agg(pl.col("weight").std())["weight"].mean()
    assert within < 5  # far below the 10 between people


def test_rules_are_kept_by_every_member() -> None:
    settings = mv.Synthesizer(rules=[mv.Rule(must="age < 50 or role = 'head'")])
    drawn = settings.fit(households(), mv.Roles(household="home"), seed=1).sample(300, seed=2)
    assert drawn.filter((pl.col("age") >= 50) & (pl.col("role") != "head")).is_empty()
    assert drawn["home"].n_unique() == round(300 * 300 / households().height)


def test_what_a_household_shares_it_shares_after_partial_synthesis() -> None:
    frame = households()
    settings = mv.Synthesizer(columns=["region", "age"])
    drawn = settings.fit(frame, mv.Roles(household="home"), seed=1).sample(seed=2)
    assert drawn.select("home", "role").equals(frame.select("home", "role"))
    assert drawn.group_by("home").agg(pl.col("region").n_unique())["region"].max() == 1
    assert not drawn["region"].equals(frame["region"])


def test_households_and_entities_at_once_are_refused() -> None:
    frame = households().with_columns(person=pl.int_range(pl.len()))
    with pytest.raises(mv.InputError, match="not both at once"):
        mv.Synthesizer().fit(frame, mv.Roles(household="home", entity="person"))
