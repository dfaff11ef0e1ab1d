"""What all attacks promise alike."""

from __future__ import annotations

import math

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.risk.attacks.base import AttackMeasure
from microveil.risk.inference import Inference
from microveil.risk.linkability import Linkability
from microveil.risk.membership import Membership
from microveil.risk.nearest_neighbour_ratio import NearestNeighbourRatio
from microveil.risk.singling_out import SinglingOut
from tests.conformance import cases
from tests.risk.attack_data import noisy, parts, people

MEASURES: dict[str, AttackMeasure] = {
    "singling_out": SinglingOut(n_attacks=300),
    "univariate": SinglingOut(n_attacks=300, mode="univariate"),
    "linkability": Linkability(n_attacks=300),
    "inference": Inference(n_attacks=300, secret="income"),
    "membership": Membership(n_attacks=300),
    "nearest_neighbour_ratio": NearestNeighbourRatio(n_attacks=300),
}
attacks = pytest.mark.parametrize("name", list(MEASURES))


@attacks
def test_a_copy_of_the_original_is_a_high_risk(name: str) -> None:
    original, control = people(1, 500), people(2, 500)
    for held_out in (None, control):
        score = MEASURES[name].measure(original, original, control=held_out)
        assert score.value > 0.9
        assert score.interval is not None
        assert score.interval[0] > 0.85
        assert score.parts["risk"] == score.value


@attacks
def test_a_release_that_never_saw_the_original_is_no_risk(name: str) -> None:
    covered = 0
    for seed in range(8):
        original, released, control = (people(10 * seed + i, 600) for i in range(3))
        score = MEASURES[name].measure(original, released, control=control, seed=seed)
        assert score.interval is not None
        covered += score.interval[0] == 0
    assert covered >= 7


@attacks
def test_noise_lowers_the_risk(name: str) -> None:
    if name in ("univariate", "membership"):
        pytest.skip("asks about single columns, which keep their values")
    original, control = people(1, 600), people(2, 600)
    values = [
        MEASURES[name].measure(original, noisy(original, share, 3), control=control).value
        for share in (0.0, 0.5, 1.0)
    ]
    assert values[0] > values[1] - 1e-9
    assert values[0] > values[2] + 0.3


@attacks
def test_a_score_repeats_and_a_seed_varies_it(name: str) -> None:
    original, control = people(1, 900), people(2, 900)
    released = noisy(original, 0.4, 5)
    measure = MEASURES[name].model_copy(update={"n_attacks": 100})
    first, again = (measure.measure(original, released, control=control) for _ in range(2))
    assert first.to_dict() == again.to_dict()
    others = [measure.measure(original, released, control=control, seed=s) for s in (1, 2, 3)]
    if name != "univariate":  # asks all questions there are
        assert len({other.value for other in others}) > 1


@attacks
def test_the_order_of_rows_does_not_matter_where_all_are_attacked(name: str) -> None:
    original, control = people(1, 150), people(2, 150)
    released = noisy(original, 0.3, 5).head(140)
    mixed = [
        frame.sample(fraction=1, shuffle=True, seed=7) for frame in (original, released, control)
    ]
    straight = MEASURES[name].measure(original, released, control=control)
    other = MEASURES[name].measure(mixed[0], mixed[1], control=mixed[2])
    assert straight.value == pytest.approx(other.value, abs=1e-9)


@attacks
@pytest.mark.parametrize("height", [0, 1, 2, 8])
@pytest.mark.parametrize("column", [*cases.COLUMNS, *cases.NESTED])
def test_a_score_is_a_number_whatever_the_column(name: str, height: int, column: str) -> None:
    series = {**cases.COLUMNS, **cases.NESTED}[column]
    frame = cases.frame_with(series).head(height)
    measure = MEASURES[name]
    if name == "inference":
        measure = Inference(n_attacks=10)
    score = measure.measure(frame, frame, roles=cases.roles())
    assert math.isfinite(score.value)
    assert 0 <= score.value <= 1
    if height:
        held_out = measure.measure(frame, frame, roles=cases.roles(), control=frame)
        assert math.isfinite(held_out.value)


@attacks
def test_missing_cells_are_values_of_their_own(name: str) -> None:
    original = people(1, 300).with_columns(
        pl.when(pl.int_range(pl.len()) % 3 == 0).then(None).otherwise(pl.all()).name.keep()
    )
    score = MEASURES[name].measure(original, original, control=people(2, 300))
    assert math.isfinite(score.value)


@attacks
@pytest.mark.parametrize("kind", ["constant", "alike"])
def test_a_table_without_differences_gives_nobody_away(name: str, kind: str) -> None:
    same = pl.DataFrame({"income": [1.0] * 40, "town": ["a"] * 40})
    if kind == "alike":
        same = same.with_columns(town=pl.Series(["a", "b"] * 20))
    score = MEASURES[name].measure(same, same, control=same)
    assert score.interval is None or score.interval[0] == 0


@attacks
def test_a_generalised_release_is_attacked_as_what_it_says(name: str) -> None:
    original, control = parts(1, 1500, 1500)
    keys = ["age", "sex", "education", "occupation", "race"]
    roles = mv.Roles(quasi_identifiers=keys, sensitive=["salary-class"])
    released = mv.Mondrian(k=5).protect(original.select(*keys, "salary-class"), roles=roles)
    measure = MEASURES[name] if name != "inference" else Inference(n_attacks=300)
    score = measure.measure(original, released, roles=roles, control=control)
    assert 0 <= score.value <= 1
    starred = released.with_columns(pl.lit("*").alias(key) for key in keys)
    blank = measure.measure(original, starred, roles=roles, control=control)
    assert blank.interval is None or blank.interval[0] <= 0.05


@attacks
def test_generalising_more_does_not_raise_the_risk(name: str) -> None:
    original, control = people(1, 800), people(2, 800)
    columns = ["height", "weight", "income"]
    roles = mv.Roles(quasi_identifiers=columns)
    values = []
    for k in (2, 50):
        released = mv.Mondrian(k=k).protect(original.select(columns), roles=roles)
        measure = MEASURES[name]
        values.append(measure.measure(original, released, control=control).value)
    assert values[1] <= values[0] + 0.05


@attacks
def test_mistakes_are_told_in_a_sentence(name: str) -> None:
    measure, frame = MEASURES[name], people(1, 20)
    with pytest.raises(TypeError, match="takes two tables"):
        measure.measure(frame)
    with pytest.raises(InputError, match="control has no rows"):
        measure.measure(frame, frame, control=frame.head(0))
    if name != "inference":
        with pytest.raises(InputError, match="no column"):
            measure.measure(frame, frame.rename({c: c + "2" for c in frame.columns}))


def test_identifiers_and_the_survey_s_design_are_left_out_unless_named() -> None:
    frame = people(1, 100).with_columns(
        name=pl.Series([f"p{i}" for i in range(100)]), w=pl.Series(range(100))
    )
    roles = mv.Roles(identifiers=["name"], weight="w")
    parts_of = Inference(n_attacks=50).measure(frame, frame, roles=roles).parts
    assert "name" not in parts_of["secrets"]
    assert "w" not in parts_of["secrets"]
    named = Inference(n_attacks=50, secret="w", known="name").measure(frame, frame, roles=roles)
    assert named.parts["attack"]["rate"] == 1


def test_a_role_whose_column_the_release_dropped_is_no_mistake() -> None:
    frame = people(1, 60)
    roles = mv.Roles(quasi_identifiers=["height", "town"], sensitive=["ill"])
    score = Linkability().measure(frame, frame.drop("town"), roles=roles)
    assert score.parts["known"] == [["height"], ["weight", "income", "ill"]]


def test_a_spec_survives_a_file_and_holds_no_seed() -> None:
    for measure in MEASURES.values():
        assert type(measure).parse(measure.to_dict()) == measure
        assert "seed" not in type(measure).model_fields
