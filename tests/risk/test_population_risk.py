from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError
from microveil.risk.population.log_linear import LogLinear
from microveil.risk.population_risk import PopulationRisk
from microveil.tables import Roles

DATA = Path(__file__).parents[1] / "data"
SDCMICRO = DATA / "sdcmicro"
MODRISK = json.loads((SDCMICRO / "frequency_risk.json").read_text("utf-8"))["modrisk"]
ARX = json.loads((DATA / "arx" / "adult_risk.json").read_text("utf-8"))
THREE = ["sex", "water", "roof"]
FIVE = ["urbrur", "roof", "walls", "water", "sex"]
METHODS = {
    "default": "poisson",
    "CE": "offset",
    "PML": "pseudo_likelihood",
    "weightedLLM": "weighted",
    "IPF": "poisson",
}
Q = Roles(quasi_identifiers=["q"])


def frame_of(case: str) -> pl.DataFrame:
    if case.startswith("testdata2"):
        return pl.read_csv(SDCMICRO / "individual_risk_testdata2.csv")
    return pl.read_parquet(SDCMICRO / "individual_risk_testdata.parquet")


def cases() -> list[Any]:
    return [
        pytest.param(case, method, id=f"{case}-{method}")
        for case, of_method in MODRISK.items()
        if case not in ("note", "weight_values")
        for method in METHODS
        if not of_method[method]["gr1_is_nan"]
    ]


@pytest.mark.parametrize(("case", "method"), cases())
def test_the_log_linear_risks_are_those_of_sdcmicro(case: str, method: str) -> None:
    """Its integer keys are numbers, not categories, except to IPF."""
    keys = THREE if case.startswith("testdata2") else FIVE
    model = LogLinear.parse(
        {
            "method": METHODS[method],
            "linear": keys if "integer" in case and method != "IPF" else (),
            "bound": int(case.partition("bound")[2]) if "bound" in case else None,
        }
    )
    roles = Roles(quasi_identifiers=keys, weight="sampling_weight")
    parts = PopulationRisk(log_linear=model).measure(frame_of(case), roles=roles).parts
    for name in ("gr1", "gr2"):
        found = parts["models"]["log_linear"][name]
        assert found == pytest.approx(MODRISK[case][method][name], rel=1e-6)


def test_where_sdcmicro_finds_no_number_there_is_one() -> None:
    assert MODRISK["testdata_factor_keys_boundInf"]["default"]["gr1_is_nan"]
    roles = Roles(quasi_identifiers=FIVE, weight="sampling_weight")
    found = PopulationRisk().measure(frame_of("testdata"), roles=roles).parts["models"]
    assert 0 < found["log_linear"]["gr1"] < found["log_linear"]["gr2"] < 1


@pytest.mark.parametrize("case", range(2))
def test_population_uniqueness_is_that_of_arx(case: int) -> None:
    """But for its slide negative binomial, which multiplies where the model divides."""
    theirs = ARX["input"][case]
    roles = Roles(quasi_identifiers=theirs["qis"])
    adult = pl.read_parquet(DATA / "adult" / "adult.parquet")
    for found in theirs["population_uniqueness"][::2]:
        measure = PopulationRisk(population_size=found["population_size"])
        parts = measure.measure(adult, roles=roles).parts
        assert parts["pitman"] == pytest.approx(found["pitman"], rel=1e-6)
        assert parts["zayatz"] == pytest.approx(found["zayatz"], rel=1e-6)
        if found["dankar_choice"] == "PITMAN":
            assert parts["dankar"] == pytest.approx(found["dankar"], rel=1e-6)
            assert parts["dankar_choice"] == "pitman"


def test_tau_finds_the_matches_of_a_population_with_independent_keys() -> None:
    """Skinner and Holmes' sums, beside what a drawn sample really has.

    Within four standard deviations of the sum of independent chances. sdcMicro's numbers take the
    fitted number of records for that of people, and miss.
    """
    rng = np.random.default_rng(8)
    n, share = 60_000, 0.2
    skewed = [np.arange(1, k + 1) ** -1.2 for k in (40, 30, 25)]
    columns = [rng.choice(len(p), n, p=p / p.sum()) for p in skewed]
    population = pl.DataFrame(dict(zip("abc", columns, strict=True)))
    sample = population.filter(pl.Series(rng.random(n) < share))
    behind = (
        sample.group_by("a", "b", "c").len("f").filter(pl.col("f") == 1)
        .join(population.group_by("a", "b", "c").len("F"), on=["a", "b", "c"])["F"].to_numpy()
    )  # fmt: skip
    roles = Roles(quasi_identifiers=["a", "b", "c"])
    parts = PopulationRisk(population_size=n).measure(sample, roles=roles).parts
    found = parts["models"]["log_linear"]
    for name, real in (("tau_1", (behind == 1).sum()), ("tau_2", (1 / behind).sum())):
        assert found[name] == pytest.approx(real, abs=4 * np.sqrt(real))
    n_cells = sample.n_unique()
    assert found["gr1"] * n_cells > found["tau_1"] + 4 * np.sqrt(found["tau_1"])


def test_weights_say_how_large_the_population_is() -> None:
    frame = {"q": [1, 1, 2, 3], "w": [10.0, 10.0, 5.0, 15.0]}
    weighted = PopulationRisk().measure(frame, roles=Roles(quasi_identifiers=["q"], weight="w"))
    sized = PopulationRisk(population_size=40).measure(frame, roles=Q)
    assert weighted.parts["population_size"] == 40
    assert weighted.value == sized.value


def test_the_value_is_the_chosen_estimate() -> None:
    frame = {"q": [*range(40), *range(20), *range(10)]}
    for estimator in ("dankar", "pitman", "snb", "zayatz", "poisson", "negative_binomial"):
        measure = PopulationRisk.parse({"estimator": estimator, "sampling_share": 0.3})
        score = measure.measure(frame, roles=Q)
        assert score.value == score.parts[estimator]
        assert 0 <= score.value <= 1


@given(st.lists(st.integers(0, 8), max_size=25), st.sampled_from([1.0, 0.5, 0.01]))
@settings(deadline=None, max_examples=30)
def test_shares_are_shares_and_zero_without_uniques(values: list[int], share: float) -> None:
    frame = pl.DataFrame({"q": pl.Series(values, dtype=pl.Int64)})
    parts = PopulationRisk(sampling_share=share).measure(frame, roles=Q).parts
    n_unique = sum(values.count(value) == 1 for value in values)
    assert parts["n_unique"] == n_unique
    for name in ("dankar", "pitman", "zayatz", "poisson", "negative_binomial", "log_linear"):
        assert 0 <= parts[name] <= 1
        assert n_unique or parts[name] == 0
    for taus in parts["models"].values():
        assert 0 <= taus["tau_1"] <= taus["tau_2"] + 1e-9 <= n_unique + 2e-9


def test_a_census_has_the_uniques_it_has() -> None:
    parts = PopulationRisk(sampling_share=1).measure({"q": [1, 1, 2, 3, 3, 3]}, roles=Q).parts
    for name in ("zayatz", "poisson", "negative_binomial", "log_linear"):
        assert parts[name] == pytest.approx(1 / 6)


def test_records_without_a_key_are_left_out() -> None:
    frame = {"q": ["a", "a", "*", None, "b"]}
    parts = PopulationRisk(sampling_share=0.5).measure(frame, roles=Q).parts
    assert (parts["n_records"], parts["n_unique"], parts["n_suppressed"]) == (3, 1, 2)


def test_a_model_that_does_not_fit_is_none_and_an_error_when_asked_for() -> None:
    frame = {"q": [1, 2, 3, 4, 4, 4]}
    assert PopulationRisk(sampling_share=0.5).measure(frame, roles=Q).parts["snb"] is None
    with pytest.raises(InputError, match="does not fit"):
        PopulationRisk(sampling_share=0.5, estimator="snb").measure(frame, roles=Q)


def test_scenarios_have_their_parts_with_the_model_of_their_keys() -> None:
    frame = {"a": [1, 1, 2], "b": [1, 2, 3]}
    roles = Roles(quasi_identifiers=["a", "b"], scenarios={"neighbour": ["a"]})
    model = LogLinear(interactions=(("a", "b"),), linear=("b",))
    score = PopulationRisk(sampling_share=0.5, log_linear=model).measure(frame, roles=roles)
    assert score.parts["n_unique"] == 3
    assert score.parts["scenarios"]["neighbour"]["n_unique"] == 1


def test_what_cannot_be_fitted_is_said() -> None:
    with pytest.raises(InputError, match="needs the population size"):
        PopulationRisk().measure({"q": [1]}, roles=Q)
    unknown = PopulationRisk(sampling_share=0.5, log_linear=LogLinear(linear=("age",)))
    with pytest.raises(ColumnError, match="No column 'age'"):
        unknown.measure({"q": [1]}, roles=Q)
    texts = PopulationRisk(sampling_share=0.5, log_linear=LogLinear(linear=("q",)))
    with pytest.raises(ColumnError, match="'q' must hold numbers"):
        texts.measure({"q": ["x", "y"]}, roles=Q)
    wide = {name: list(range(200)) for name in "abcd"}
    many = PopulationRisk(sampling_share=0.5, log_linear=LogLinear(method="offset"))
    with pytest.raises(InputError, match="1600000000 combinations of 4 keys"):
        many.measure(wide, roles=Roles(quasi_identifiers=list(wide)))


def test_interactions_and_regressions_go_together_in_the_measure() -> None:
    frame = frame_of("testdata2")
    roles = Roles(quasi_identifiers=THREE, weight="sampling_weight")

    def risks(**model: Any) -> dict[str, float]:
        measure = PopulationRisk(log_linear=LogLinear.parse(model))
        return dict(measure.measure(frame, roles=roles).parts["models"]["log_linear"])

    pair = [["sex", "water"]]
    assert risks(interactions=pair) != pytest.approx(risks(), rel=1e-3)
    two_levels = risks(interactions=pair, linear=["sex"])  # a number of two values is a category
    assert two_levels == pytest.approx(risks(interactions=pair), rel=1e-5)
