from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.risk.linkage.cases import methods

N = 240


def frame(seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    start = date(1999, 3, 1)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "born": [start + timedelta(days=int(day)) for day in rng.integers(0, 3000, N)],
            "job": rng.choice([f"j{i}" for i in range(12)], N),
            "pay": rng.normal(1000, 200, N).round(1),
        }
    )


TREE = {"tree": {f"G{k}": [f"j{i}" for i in range(12) if i % 3 == k] for k in range(3)}}
OTHER = {"tree": {"A": ["other", "j1"], "B": [f"j{i}" for i in range(12) if i != 1]}}
SINGLE = {"tree": {f"only {i}": [f"j{i}"] for i in range(12)}}


def general(column: str, hierarchy: Any, level: int | str = 1) -> list[mv.Generalize]:
    return [mv.Generalize(column=column, hierarchy=hierarchy, level=level)]


def dates(level: str) -> dict[str, Any]:
    return {"hierarchy": "dates", "levels": ["day", level]}


RECODINGS: dict[str, list[Any]] = {
    "types of numbers": general("age", {"hierarchy": "types"}),
    "intervals": general("age", {"hierarchy": "intervals", "width": 10}),
    "closed right": general("age", {"hierarchy": "intervals", "width": 10, "closed": "right"}),
    "digits": general("age", {"hierarchy": "digits"}),
    "order": general("age", {"hierarchy": "order", "sizes": [5]}),
    "frequency": general("age", {"hierarchy": "frequency"}, 2),
    "tree": general("job", TREE),
    "one to one": general("job", SINGLE),
    "prefix": general("job", {"hierarchy": "prefix", "lengths": [2]}),
    "types of dates": general("born", {"hierarchy": "types"}),
    "years by types": general("born", {"hierarchy": "types"}, 2),
    "other": [mv.GroupRare(columns=["job"], min_count=20)],
    "round": [mv.Round(columns=["pay"], base=50)],
    "round down": [mv.Round(columns=["pay"], base=50, mode="down")],
    "top": [mv.TopBottomCode(columns=["age"], top=60, bottom=30)],
    "mask": [mv.Mask(columns=["job"], keep_start=2, char="x")],
    "top, then intervals": [
        mv.TopBottomCode(columns=["age"], top=55),
        *general("age", {"hierarchy": "intervals", "width": 15}),
    ],
    "other, then a tree": [
        mv.GroupRare(columns=["job"], min_count=20),
        *general("job", OTHER),
    ],
    **{
        level: general("born", dates(level))
        for level in (
            "weekday",
            "week",
            "month",
            "quarter",
            "year_season",
            "season",
            "year",
            "decade",
        )
    },
}


@pytest.mark.parametrize("name", RECODINGS)
@pytest.mark.parametrize("others", [(), ("pay",)], ids=["alone", "beside another"])
def test_global_recoding_links_one_in_each_class(name: str, others: tuple[str, ...]) -> None:
    before = frame()
    touched = {one for step in RECODINGS[name] for one in step.touches(mv.Table(before))}
    keys = list(dict.fromkeys([*touched, *others]))
    roles = mv.Roles(quasi_identifiers=keys)
    recipe = mv.Recipe(roles=roles, steps=RECODINGS[name])
    released = mv.run(recipe, before.select(keys)).table
    expected = released.frame.n_unique() / N
    measure = mv.RecordLinkage()
    for after in (released, released.frame):
        found = measure.measure(before.select(keys), after, roles=roles, recipe=recipe).value
        assert found == pytest.approx(expected)
    compared = mv.compare(
        before.select(keys), released, roles, recipe=recipe, measures=["record_linkage"]
    )
    assert compared.risk["record_linkage"].value == pytest.approx(expected)
    limited = recipe.model_copy(update={"require": (mv.limit(measure, at_most=1.0),)})
    check = mv.run(limited, before.select(keys)).checks[0]
    assert check.achieved == pytest.approx(expected)


@methods
def test_labels_of_another_form_for_the_same_classes_change_nothing(
    parameters: dict[str, Any],
) -> None:
    before = frame().select("age", "job")
    tens = range(0, 100, 10)
    words = {"tree": {f"about {low}": [str(low + i) for i in range(10)] for low in tens}}
    values = []
    for hierarchy in ({"hierarchy": "types"}, {"hierarchy": "intervals", "width": 10}, words):
        recipe = mv.Recipe(
            roles=mv.Roles(quasi_identifiers=["age", "job"]),
            steps=[*general("age", hierarchy), mv.Pram(columns=["job"], retention=0.8)],
        )
        released = mv.run(recipe, before, seed=4).table
        measure = mv.RecordLinkage(**parameters)
        values.append(measure.measure(before, released, roles=recipe.roles, recipe=recipe).value)
    assert values[0] == pytest.approx(values[2])
    assert values[1] == pytest.approx(values[0])


@methods
def test_rows_of_one_person_change_nothing(parameters: dict[str, Any]) -> None:
    once = frame().with_row_index("who").head(120)
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.2).protect(once, seed=1)
    roles = mv.Roles(entity="who", quasi_identifiers=["age", "pay", "job"])
    times = np.repeat(np.arange(120), np.arange(120) % 3 + 1)
    order = np.random.default_rng(1).permutation(len(times))
    measure = mv.RecordLinkage(**parameters)
    one = measure.measure(once, noisy, roles=roles)
    many = measure.measure(once[times[order]], noisy[times[order]], roles=roles)
    assert many.value == pytest.approx(one.value)
    assert many.parts["n_people"] == 120
    assert many.records is not None
    assert one.records is not None
    assert many.records == pytest.approx(one.records[times[order]])


@methods
@pytest.mark.parametrize("added", ["constant", "random", "permuted"])
def test_a_further_column_never_lowers(parameters: dict[str, Any], added: str) -> None:
    before = frame().select("age", "pay")
    after = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.1).protect(before, seed=1)
    rng = np.random.default_rng(2)
    column = {
        "constant": (np.zeros(N), np.zeros(N)),
        "random": (rng.normal(size=N), rng.normal(size=N)),
        "permuted": (before["age"].to_numpy(), rng.permutation(before["age"].to_numpy())),
    }[added]
    wide = [
        one.with_columns(z=pl.Series(cells))
        for one, cells in zip((before, after), column, strict=True)
    ]
    measure = mv.RecordLinkage(**parameters)
    assert measure.measure(*wide).value >= measure.measure(before, after).value - 1e-9


def test_one_infinite_cell_takes_no_column_away() -> None:
    pay = pl.col("pay") + pl.int_range(N) / 1000
    before = frame().select(pl.when(pl.int_range(N) == 5).then(np.inf).otherwise(pay).alias("pay"))
    for measure in (
        mv.RecordLinkage(),
        mv.IdentityDisclosure(),
        mv.NoiseFiltering(),
        mv.IntersectionAttack(),
    ):
        assert measure.measure(before, before).value == 1
