from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import microveil as mv


def people(n: int = 400, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 90, n)
    wages = np.where(age < 18, 0, rng.lognormal(8, 1, n).round(2))
    rents = rng.integers(0, 500, n).astype(float)
    return pl.DataFrame(
        {
            "age": age,
            "status": np.where(age < 18, "single", rng.choice(["single", "wed"], n)),
            "sex": rng.choice(["f", "m"], n),
            "wages": wages,
            "rents": rents,
            "income": (wages + rents).round(2),
        }
    )


def test_all_columns_come_back_in_their_order_and_of_their_types() -> None:
    frame = people()
    drawn = mv.Synthesizer().fit(frame, seed=1).sample(seed=2)
    assert drawn.schema == frame.schema
    assert drawn.height == frame.height
    assert not drawn.equals(frame)


def test_any_number_of_records_can_be_drawn() -> None:
    model = mv.Synthesizer(n=7).fit(people(), seed=1)
    assert model.sample(seed=1).height == 7
    assert model.sample(1000, seed=1).height == 1000


def test_the_same_seeds_give_the_same_records_and_copies_differ() -> None:
    first, second = (mv.Synthesizer().fit(people(), seed=1).sample(seed=2) for _ in range(2))
    assert first.equals(second)
    copies = mv.Synthesizer().fit(people(), seed=1).copies(2, seed=3)
    assert not copies[0].equals(copies[1])


def test_pandas_frames_come_back_as_pandas_with_a_new_index() -> None:
    frame = people().to_pandas().set_index(np.arange(400) + 1000)
    drawn = mv.Synthesizer().fit(frame, seed=1).sample(400, seed=2)
    assert isinstance(drawn, pd.DataFrame)
    assert drawn.index.tolist() == list(range(400))


def test_a_model_cannot_be_pickled() -> None:
    with pytest.raises(mv.InputError, match="not saved"):
        pickle.dumps(mv.Synthesizer().fit(people(), seed=1))
    with pytest.raises(mv.InputError, match="not saved"):
        pickle.dumps(mv.Synthesizer().fit(people(), seed=1).model)


@pytest.mark.parametrize("generator", ["cart", "marginals", "bootstrap"])
def test_rules_hold_in_every_row_and_sums_add_up(generator: str) -> None:
    settings = mv.Synthesizer(
        generator=generator,
        rules=[
            mv.Rule(when="age < 18", then={"status": "single", "wages": 0}),
            mv.Rule(must="rents < 400"),
        ],
        sums=[mv.Sum(total="income", parts=["wages", "rents"])],
    )
    drawn = settings.fit(people(), seed=1).sample(500, seed=2)
    assert drawn.height == 500
    young = drawn.filter(pl.col("age") < 18)
    assert young.height > 0
    assert young["status"].unique().to_list() == ["single"]
    assert drawn.filter(pl.col("rents") >= 400).is_empty()
    assert (drawn["income"] - drawn["wages"] - drawn["rents"]).abs().max() == pytest.approx(0)


def test_only_combinations_that_occur_are_drawn() -> None:
    drawn = mv.Synthesizer(
        generator="marginals",
        structural_zeros=[["age", "status"]],
    ).fit(people(), seed=1)
    pairs = set(people().select("age", "status").rows())
    assert set(drawn.sample(seed=2).select("age", "status").rows()) <= pairs


def test_partial_synthesis_leaves_all_other_cells_bit_identical() -> None:
    frame = people().with_columns(note=pl.lit([1]).repeat_by(1))
    drawn = mv.Synthesizer(columns=["sex", "wages"]).fit(frame, seed=1).sample(seed=2)
    untouched = [name for name in frame.columns if name not in ("sex", "wages")]
    assert drawn.select(untouched).equals(frame.select(untouched))
    assert drawn.columns == frame.columns
    assert not drawn["wages"].equals(frame["wages"])


def test_only_records_above_the_risk_threshold_are_synthesized() -> None:
    frame = people()
    roles = mv.Roles(quasi_identifiers=["age", "sex"])
    model = mv.Synthesizer(risk_threshold=0.4).fit(frame, roles, seed=1)
    drawn = model.sample(seed=2)
    risks = mv.IndividualRisk().measure(frame, roles=roles).records
    assert risks is not None
    safe = pl.Series(risks <= 0.4)
    assert 0 < safe.sum() < frame.height
    assert drawn.filter(safe).equals(frame.filter(safe))
    assert model.facts["n_records"] == int((~safe).sum())
    assert drawn.drop("age", "sex").equals(frame.drop("age", "sex"))
    assert not drawn.equals(frame)


def test_parts_are_drawn_to_fit_a_total_that_stays() -> None:
    frame = people()
    settings = mv.Synthesizer(
        columns=["wages", "rents"], sums=[mv.Sum(total="income", parts=["wages", "rents"])]
    )
    drawn = settings.fit(frame, seed=1).sample(seed=2)
    assert drawn["income"].equals(frame["income"])
    assert (drawn["wages"] + drawn["rents"]).round(2).to_list() == frame["income"].to_list()


def test_strata_keep_their_share_and_their_own_relations() -> None:
    frame = pl.DataFrame(
        {"area": ["a"] * 60 + ["b"] * 40, "x": [1] * 60 + [2] * 40, "y": list(range(100))}
    )
    drawn = mv.Synthesizer().fit(frame, mv.Roles(strata=["area"]), seed=1).sample(50, seed=2)
    assert drawn.columns == frame.columns
    assert drawn["area"].value_counts(sort=True).rows() == [("a", 30), ("b", 20)]
    assert drawn.filter(pl.col("area") == "a")["x"].unique().to_list() == [1]
    given = mv.Synthesizer(columns="x").fit(frame, mv.Roles(strata=["area"]), seed=1)
    assert given.sample(seed=2).equals(frame)


def test_small_strata_are_refused_by_count() -> None:
    frame = pl.DataFrame({"area": ["a"] * 60 + ["b"], "x": range(61)})
    with pytest.raises(mv.InputError, match="1 of 2 strata have fewer than 5 records"):
        mv.Synthesizer().fit(frame, mv.Roles(strata=["area"]))
    mv.Synthesizer(by_strata=False).fit(frame, mv.Roles(strata=["area"]))


def test_weights_are_a_column_or_count() -> None:
    frame = pl.DataFrame({"x": ["a"] * 50 + ["b"] * 50, "w": [9.0] * 50 + [1.0] * 50})
    roles = mv.Roles(weight="w")
    drawn = mv.Synthesizer().fit(frame, roles, seed=1).sample(1000, seed=2)
    assert (drawn["x"] == "a").mean() == pytest.approx(0.5, abs=0.06)
    assert set(drawn["w"].unique()) == {9.0, 1.0}
    for generator in ("cart", "marginals", "bootstrap"):
        settings = mv.Synthesizer(weights="count", generator=generator)
        drawn = settings.fit(frame, roles, seed=1).sample(1000, seed=2)
        assert (drawn["x"] == "a").mean() == pytest.approx(0.9, abs=0.04)
        assert drawn["w"].sum() == pytest.approx(500)
        assert drawn.columns == frame.columns


def test_replicated_uniques_are_counted_and_removed_on_request() -> None:
    frame = people(300)
    roles = mv.Roles(quasi_identifiers=["age", "sex"])
    model = mv.Synthesizer().fit(frame, roles, seed=1)
    drawn = model.sample(seed=2)
    by_all_keys = mv.ReplicatedUniques(worst_columns=False)
    found = by_all_keys.measure(frame, drawn, roles=roles).parts["n_replicated"]
    assert model.facts["n_replicated_uniques"] == found > 0
    model = mv.Synthesizer(replicated_uniques="remove").fit(frame, roles, seed=1)
    drawn = model.sample(seed=2)
    assert by_all_keys.measure(frame, drawn, roles=roles).parts["n_replicated"] == 0
    assert model.facts["n_replicated_uniques"] == 0
    assert drawn.height + model.facts["n_uniques_removed"] == 300


def test_copies_are_counted_beside_what_chance_would_give() -> None:
    frame = pl.DataFrame({"x": [1, 1, 1, 2, 2, 3, 4, 5, 6, 7] * 1, "y": ["a"] * 10})
    model = mv.Synthesizer(generator="bootstrap").fit(frame, seed=1)
    model.sample(20, seed=2)
    assert model.facts["equal_share"] == 1.0
    # Five of ten records are unique: half of all new people would be somebody's equal.
    assert model.facts["equal_share_by_chance"] == pytest.approx(0.5)
