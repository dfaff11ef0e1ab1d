from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv

GENERATORS = ["cart", "boosted", "copula", "marginals", "bootstrap"]
generators = pytest.mark.parametrize("generator", GENERATORS)


def sample(frame: object, generator: str, **roles: Any) -> pl.DataFrame:
    settings = mv.Synthesizer(generator=generator)
    drawn = settings.fit(frame, mv.Roles(**roles), seed=1).sample(30, seed=2)
    assert isinstance(drawn, pl.DataFrame)
    return drawn


@pytest.mark.parametrize("height", [0, 1, 4])
@generators
def test_too_few_records_are_refused(generator: str, height: int) -> None:
    frame = pl.DataFrame({"x": range(10)}).head(height)
    with pytest.raises(mv.InputError, match=f"at least 5 records, and the table has {height}"):
        sample(frame, generator)


@generators
def test_one_column_constant_columns_and_empty_ones_are_drawn(generator: str) -> None:
    assert sample({"x": range(20)}, generator).height == 30
    frame = pl.DataFrame(
        {"one": ["a"] * 20, "none": pl.Series([None] * 20, dtype=pl.Int64), "seven": [7] * 20}
    )
    drawn = sample(frame, generator)
    assert drawn.schema == frame.schema
    assert drawn["one"].unique().to_list() == ["a"]
    assert drawn["none"].null_count() == 30
    assert drawn["seven"].unique().to_list() == [7]


@pytest.mark.parametrize("generator", ["cart", "boosted", "copula", "marginals"])
def test_infinite_numbers_are_refused(generator: str) -> None:
    frame = pl.DataFrame({"x": [1.0, float("inf"), *range(10)]})
    with pytest.raises(mv.InputError, match="'x' has 1 infinite numbers"):
        sample(frame, generator)


@generators
def test_names_are_refused_unless_dropped_or_pseudonymised(
    generator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame({"name": [f"person {i}" for i in range(60)], "age": [20, 30, 40] * 20})
    with pytest.raises(mv.InputError, match="'name' identifies people") as caught:
        sample(frame, generator)
    assert "person" not in str(caught.value)
    assert sample(frame.drop("name"), generator).height == 30
    monkeypatch.setenv("MICROVEIL_KEY", "a key of more than enough characters")
    styles: list[mv.Pseudonymize] = [
        mv.Pseudonymize(columns=["name"]),
        mv.Pseudonymize(columns=["name"], style="uuid"),
        mv.Pseudonymize(columns=["name"], style="number"),
    ]
    for step in styles:
        hidden = step.protect(frame)
        drawn = sample(hidden, generator, identifiers=["name"])
        assert drawn.schema == hidden.schema
        assert drawn["name"].n_unique() == 30
        assert not drawn["name"].is_in(hidden["name"].implode()).any()


@pytest.mark.parametrize("generator", ["cart", "boosted", "copula"])
def test_ten_thousand_categories_are_drawn(generator: str) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "code": [f"c{one}" for one in rng.integers(0, 10_000, 30_000)],
            "sex": rng.choice(["f", "m"], 30_000),
        }
    )
    assert sample(frame, generator).height == 30


def test_columns_that_cannot_be_chosen_are_refused() -> None:
    frame = pl.DataFrame({"home": [1, 2] * 10, "x": range(20), "y": [[1]] * 20})
    with pytest.raises(mv.InputError, match="'home' identifies people or groups"):
        mv.Synthesizer(columns=["home"]).fit(frame, mv.Roles(household="home"))
    with pytest.raises(mv.InputError, match="'y'"):
        mv.Synthesizer(columns=["y"]).fit(frame)
    with pytest.raises(mv.InputError, match="'x' is one of the strata"):
        mv.Synthesizer(columns=["x"]).fit(frame, mv.Roles(strata=["x"]))
    with pytest.raises(mv.InputError, match="quasi-identifiers"):
        mv.Synthesizer(risk_threshold=0.5).fit(frame)
    with pytest.raises(mv.InputError, match="Partial synthesis keeps all records"):
        mv.Synthesizer(columns=["x"], n=5).fit(frame)
    with pytest.raises(mv.InputError, match="n or risk_threshold"):
        mv.Synthesizer.parse({"n": 5, "risk_threshold": 0.5})
