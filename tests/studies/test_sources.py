"""The data that ship with the studies are those the documents describe."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.studies.sources import (
    adult,
    adult_hierarchies,
    adult_numbers,
    census,
    salaries,
    titanic_ages,
)
from microveil.studies.zaragoza.tables import data_sets


def test_the_known_ages_have_the_moments_the_thesis_prints() -> None:
    ages = titanic_ages()["age"].to_numpy()
    found = (len(ages), round(ages.mean(), 4), round(ages.std(ddof=1), 4))
    assert found == (714, 29.6991, 14.5265)


def test_the_salaries_are_always_the_same_and_have_the_moments_the_thesis_prints() -> None:
    frame = salaries()
    assert frame.equals(salaries())
    assert len(frame) == 148_651
    assert frame["salary"].mean() == pytest.approx(74_759, abs=0.5)
    assert frame["salary"].std() == pytest.approx(50_476, abs=0.5)
    skewness = frame["salary"].skew()
    assert skewness is not None
    assert skewness > 1


def test_every_value_of_adult_stands_in_its_hierarchy() -> None:
    frame = adult()
    assert frame.shape == (30_162, 9)
    for name, builder in adult_hierarchies().items():
        listed = set(builder.build(frame[name]).frame.to_series().cast(pl.String))
        assert set(frame[name].cast(pl.String)) <= listed


def test_adult_s_numbers_are_those_of_its_training_part() -> None:
    frame = adult_numbers()
    assert frame.shape == (32_561, 6)
    # As the repository describes the training part.
    assert round(float(frame["age"].to_numpy().mean()), 4) == 38.5816
    assert round(float(frame["hours-per-week"].to_numpy().mean()), 4) == 40.4375
    assert frame["education-num"].n_unique() == 16


def test_census_has_its_thirteen_amounts() -> None:
    assert census().shape == (1_080, 13)


def test_zaragoza_has_twenty_independent_and_six_dependent_sets() -> None:
    sets = list(data_sets())
    assert [each.kind for each in sets].count("independent") == 20
    assert [each.kind for each in sets].count("dependent") == 6
    small = [each for each in sets if each.n_records <= 10_000]
    assert all(each.frame().shape == (each.n_records, each.n_columns) for each in small)
