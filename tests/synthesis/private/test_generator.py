"""Promises of the generators with differential privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.synthesis import Aim, Mst
from microveil.synthesis.private.generator import PrivateFitted, PrivateGenerator
from microveil.tables import Table

GENERATORS = [Mst, Aim]
DOMAIN: dict[str, Any] = {
    "sex": ["f", "m"],
    "age": {"low": 0, "high": 99, "bins": 10},
    "work": ["none", "part", "full"],
    "ill": {"values": ["no", "yes"], "missing": True},
}


def people(n: int = 3000, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 100, n)
    work = np.where(age < 20, "none", np.where(rng.random(n) < 0.4, "part", "full"))
    ill = np.where(rng.random(n) < age / 120, "yes", "no")
    return pl.DataFrame(
        {"sex": rng.choice(["f", "m"], n), "age": age, "work": work, "ill": ill}
    ).with_columns(pl.when(pl.col("age") % 10 == 3).then(None).otherwise("ill").alias("ill"))


def fitted(
    generator: type[PrivateGenerator], frame: pl.DataFrame, seed: int = 1, **settings: Any
) -> PrivateFitted:
    spec = generator(**{"epsilon": 3.0, "domain": DOMAIN} | settings)
    model = spec.fit(Table(frame), np.random.default_rng(seed))
    assert isinstance(model, PrivateFitted)
    return model


@pytest.mark.parametrize("generator", GENERATORS)
def test_strong_relations_are_kept(generator: type[PrivateGenerator]) -> None:
    frame = people()
    model = fitted(generator, frame, insecure=True)
    drawn = model.sample(3000, np.random.default_rng(2))
    assert drawn.schema == frame.schema
    young = drawn.filter(pl.col("age") < 20)
    assert (young["work"] == "none").mean() > 0.9  # type: ignore[operator]
    assert drawn["ill"].null_count() / 3000 == pytest.approx(
        frame["ill"].null_count() / 3000, abs=0.03
    )
    assert abs(model.n_records - 3000) < 150


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_parts_of_the_budget_add_up_to_the_whole_exactly(
    generator: type[PrivateGenerator],
) -> None:
    for width in (1, 2, 4):
        frame = people(200)[:, :width]
        domain = {name: DOMAIN[name] for name in frame.columns}
        model = fitted(generator, frame, insecure=True, domain=domain)
        shares = [Fraction(one) for one in model.facts["budget_shares"].values()]
        assert sum(shares) == 1


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_seed_repeats_only_what_is_declared_insecure(generator: type[PrivateGenerator]) -> None:
    frame = people(300)

    def drawn(*, insecure: bool) -> pl.DataFrame:
        model = fitted(generator, frame, seed=7, insecure=insecure)
        return model.sample(300, np.random.default_rng(7))

    assert drawn(insecure=True).equals(drawn(insecure=True))
    assert not drawn(insecure=False).equals(drawn(insecure=False))


@pytest.mark.parametrize("generator", GENERATORS)
def test_undeclared_records_leave_no_trace(generator: type[PrivateGenerator]) -> None:
    frame = people(400)
    stranger = pl.DataFrame({"sex": ["x"], "age": [5], "work": ["full"], "ill": ["no"]})
    models = [
        fitted(generator, one, insecure=True)
        for one in (frame, pl.concat([frame, stranger], how="vertical_relaxed"))
    ]
    drawn = [one.sample(50, np.random.default_rng(1)) for one in models]
    assert drawn[0].equals(drawn[1])


@pytest.mark.parametrize("generator", GENERATORS)
def test_domains_are_never_read_from_the_data(generator: type[PrivateGenerator]) -> None:
    with pytest.raises(InputError, match="declared domain for every column"):
        fitted(generator, people(50), domain={})
    frame = people(500).with_columns(pl.lit("none").alias("work"))
    drawn = fitted(generator, frame, insecure=True, epsilon=0.05).sample(
        500, np.random.default_rng(1)
    )
    assert set(drawn["work"].unique()) > {"none"}


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_few_records_give_a_model_all_the_same(generator: type[PrivateGenerator], n: int) -> None:
    model = fitted(generator, people(50)[:n], insecure=True, epsilon=0.5)
    assert model.sample(20, np.random.default_rng(1)).height == 20
    assert model.n_records >= 1


@pytest.mark.parametrize("generator", GENERATORS)
def test_ten_thousand_categories_and_constants_are_modelled(
    generator: type[PrivateGenerator],
) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"code": rng.integers(0, 10_000, 500), "one": [1] * 500, "sex": ["f", "m"] * 250}
    )
    domain = {"code": {"low": 0, "high": 9999, "bins": 10_000}, "one": [1], "sex": ["f", "m"]}
    drawn = fitted(generator, frame, insecure=True, domain=domain).sample(100, rng)
    assert drawn["one"].unique().to_list() == [1]


@pytest.mark.parametrize("name", ["mst", "aim"])
def test_the_step_draws_by_a_noisy_number_of_records_and_says_what_it_spent(name: str) -> None:
    step = mv.Synthesize(generator={"generator": name, "epsilon": 2, "domain": DOMAIN})
    outcome = step.apply(Table(people(600)), np.random.default_rng(1))
    assert outcome.facts["epsilon"] == 2
    assert outcome.facts["trust_map"]["private"] is True
    assert outcome.table.height == outcome.facts["n_records"]
    assert "n_replicated_uniques" not in outcome.facts


def test_rules_hold_in_every_row() -> None:
    rule = {"when": "age < 20", "then": {"work": "none"}}
    step = mv.Synthesize(
        generator={"generator": "mst", "epsilon": 1, "domain": DOMAIN},
        rules=[rule],
    )
    drawn = step.apply(Table(people(600)), np.random.default_rng(1)).table.frame
    assert set(drawn.filter(pl.col("age") < 20)["work"]) <= {"none"}


def test_a_private_model_is_not_saved() -> None:
    import pickle

    with pytest.raises(InputError, match="not saved"):
        pickle.dumps(fitted(Mst, people(50), insecure=True))


def test_given_columns_are_refused() -> None:
    with pytest.raises(InputError, match="all columns"):
        Mst(epsilon=1, domain=DOMAIN).fit(Table(people(50)), np.random.default_rng(0), ["sex"])


VISITS: dict[str, Any] = {"ward": ["a", "b"], "acute": [True, False]}
entities = pytest.mark.parametrize("role", ["entity", "household"])


def visits(n_people: int = 200, each: int = 5) -> pl.DataFrame:
    person = np.repeat(np.arange(n_people), each)
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "ward": rng.choice(["a", "b"], len(person)),
            "person": person,
            "acute": rng.random(len(person)) < 0.3,
        }
    )


@entities
@pytest.mark.parametrize("generator", GENERATORS)
def test_several_rows_of_a_person_need_a_bound_and_no_row_level_advice(
    generator: type[PrivateGenerator], role: str
) -> None:
    spec = generator(epsilon=1, domain=VISITS)
    with pytest.raises(InputError, match="rows_per_entity") as caught:
        mv.Synthesizer(generator=spec).fit(visits(), mv.Roles.parse({role: "person"}))
    assert "leave" not in str(caught.value).lower()
    bounded = generator(epsilon=1, domain=VISITS, rows_per_entity=2)
    with pytest.raises(InputError, match="needs the role entity"):
        mv.Synthesizer(generator=bounded).fit(visits().drop("person"))


@entities
@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("rows", [1, 3])
def test_a_persons_rows_are_bounded_and_the_budget_is_theirs(
    generator: type[PrivateGenerator], role: str, rows: int
) -> None:
    frame = visits().with_columns(pl.when(pl.col("person") != 7).then("person").alias("person"))
    spec = generator(epsilon=50, domain=VISITS, rows_per_entity=rows)
    roles = mv.Roles.parse({role: "person"})
    model = mv.Synthesizer(generator=spec).fit(frame, roles)
    plain = generator(epsilon=50, domain=VISITS).fit(
        Table(frame.drop("person")), np.random.default_rng()
    )
    assert model.facts["rho"] == plain.facts["rho"]
    drawn = model.sample()
    assert isinstance(drawn, pl.DataFrame)
    assert drawn.columns == frame.columns
    # 199 people are known, with so many rows each; each synthetic row is a person of its own.
    assert drawn.height == pytest.approx(199 * rows, abs=8)
    assert drawn["person"].n_unique() == drawn.height


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("rows", [1, 2, 5])
def test_noise_grows_with_the_rows_that_a_person_may_add(
    generator: type[PrivateGenerator], rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Removing a person moves no measured count by more than what its noise was made for."""
    from microveil.synthesis.private import measuring
    from microveil.synthesis.private.accounting import cost_of

    seen: list[tuple[Any, float]] = []
    before = measuring.measure

    def measure(table: Any, columns: Any, *rest: Any) -> Any:
        found = before(table, columns, *rest)
        seen.append((table.counts(columns), float(np.sqrt(found.variance.flat[0]))))
        return found

    monkeypatch.setattr(measuring, "measure", measure)
    spec = generator(epsilon=2, delta=1e-6, domain=VISITS, rows_per_entity=rows)
    counted = []
    # The person removed is all of one kind, the worst case.
    frame = visits(30).with_columns(
        pl.when(pl.col("person") == 4).then(pl.lit("a")).otherwise("ward").alias("ward")
    )
    for one in (frame, frame.filter(pl.col("person") != 4)):
        seen.clear()
        mv.Synthesizer(generator=spec).fit(one, mv.Roles(entity="person"))
        counted.append(list(seen))
    assert len(counted[0]) == len(VISITS)
    total = Fraction(0)
    for (with_them, scale), (without, _) in zip(*counted, strict=False):
        moved = int(np.square(with_them - without).sum())
        assert moved <= rows**2
        total += cost_of(scale) * rows**2
    assert total <= Fraction(spec_rho(spec))


def spec_rho(spec: PrivateGenerator) -> Fraction:
    from microveil.statistics.zcdp import zcdp_rho

    return zcdp_rho(spec.epsilon, spec.delta)


def test_the_release_says_whose_privacy_it_is() -> None:
    step = mv.Synthesize(generator=Mst(epsilon=5, domain=VISITS, rows_per_entity=2))
    table = Table(visits(), mv.Roles(entity="person"))
    found = mv.dp.coverage([step], table, table.columns)
    assert found is not None
    assert "for all rows of one 'person'" in found.sentence
    assert found.holds
