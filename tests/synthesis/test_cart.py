from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.cart import Cart


def table(n: int = 2000) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], n)
    age = rng.integers(18, 80, n)
    pay = (age * 100 + (sex == "m") * 2000 + rng.normal(0, 300, n)).round()
    gone = (age > 60) & (rng.random(n) < 0.7)
    return pl.DataFrame(
        {
            "sex": sex,
            "age": age,
            "pay": pl.Series(pay).set(pl.Series(gone), None),
            "start": [dt.date(2000, 1, 1) + dt.timedelta(days=int(a) * 30) for a in age],
        }
    )


def draw(generator: Cart, frame: pl.DataFrame, n: int | None = None) -> pl.DataFrame:
    model = generator.fit(mv.Table(frame), np.random.default_rng(1))
    return model.sample(n or frame.height, np.random.default_rng(2))


def test_relations_between_columns_of_all_kinds_are_kept() -> None:
    frame = table()
    drawn = draw(Cart(), frame)
    for one in (frame, drawn):
        slope = one.drop_nulls().select(pl.cov("age", "pay") / pl.col("age").var()).item()
        assert slope == pytest.approx(100, abs=8)
    gap = drawn.drop_nulls().group_by("sex").agg(pl.col("pay").mean()).sort("sex")["pay"]
    assert gap[1] - gap[0] == pytest.approx(2000, abs=300)
    days = (drawn["start"] - dt.date(2000, 1, 1)).dt.total_days()
    assert (days - drawn["age"] * 30).abs().mean() < 60  # type: ignore[operator]


def test_what_is_missing_depends_on_the_other_columns() -> None:
    drawn = draw(Cart(), table())
    old = drawn.filter(pl.col("age") > 60)["pay"].is_null().mean()
    young = drawn.filter(pl.col("age") <= 60)["pay"].is_null().mean()
    assert old == pytest.approx(0.7, abs=0.08)
    assert young == pytest.approx(0, abs=0.01)


def test_rare_numbers_are_not_copied_unless_asked() -> None:
    frame = pl.DataFrame({"pay": np.random.default_rng(0).lognormal(10, 1, 500)})
    smooth, exact = draw(Cart(), frame), draw(Cart(smoothing=False), frame)
    assert smooth["pay"].is_in(frame["pay"].implode()).mean() == 0
    assert exact["pay"].is_in(frame["pay"].implode()).all()


def test_columns_are_visited_in_the_asked_order_and_see_the_asked_predictors() -> None:
    generator = Cart(order=["pay"], predictors={"age": ["sex"]})
    model = generator.fit(mv.Table(table()), np.random.default_rng(1))
    assert model.facts["order"][0] == "pay"
    assert ("age", "sex") in model.modelled
    with pytest.raises(mv.InputError, match="'sex' cannot depend on 'age'"):
        Cart(predictors={"sex": ["age"]}).fit(mv.Table(table()), np.random.default_rng(1))
    with pytest.raises(mv.InputError, match="No column 'agee'"):
        Cart(order=["agee"]).fit(mv.Table(table()), np.random.default_rng(1))


def test_larger_leaves_keep_less() -> None:
    frame = table()
    fine = Cart(least_leaf=10).fit(mv.Table(frame), np.random.default_rng(1))
    coarse = Cart(least_leaf=500).fit(mv.Table(frame), np.random.default_rng(1))
    leaves = [model.facts["columns"]["pay"]["n_leaves"] for model in (fine, coarse)]
    assert leaves[0] > leaves[1] >= 1


def test_copies_of_a_proper_model_vary_more() -> None:
    frame = pl.DataFrame({"x": np.random.default_rng(0).normal(size=100)})

    def spread(generator: Cart) -> float:
        means = []
        for seed in range(60):
            model = generator.fit(mv.Table(frame), np.random.default_rng(seed))
            drawn = model.sample(2000, np.random.default_rng(seed))
            means.append(float(drawn["x"].to_numpy().mean()))
        return float(np.var(means))

    assert spread(Cart(proper=True)) > 3 * spread(Cart())


def test_thousands_of_categories_are_drawn_in_no_time() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5000, 20_000)
    frame = pl.DataFrame({"job": [f"job {one}" for one in codes], "pay": codes * 10 + 5})
    drawn = draw(Cart(), frame)
    assert drawn["job"].n_unique() > 3000
    numbers = drawn["job"].str.slice(4).cast(pl.Int64)
    assert pl.DataFrame([numbers, drawn["pay"]]).select(pl.corr("job", "pay")).item() > 0.95
