"""The labelled survey: households, labels for every code, and the dirt of such files."""

from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.studies.examples.labelled_survey import LABELS, labelled_survey

HOUSEHOLD = ["hhweight", "strata", "psu", "region", "urban", "hhsize", "hhincome"]


def test_what_belongs_to_a_household_is_the_same_for_its_members_but_for_the_dirt() -> None:
    frame = labelled_survey(4000, 1)
    by = frame.group_by("hhid").agg(pl.col(HOUSEHOLD).n_unique(), pl.col("ethnic").n_unique(),
                                    pl.len().alias("n"), size=pl.col("hhsize").first())  # fmt: skip
    assert max(by.select(HOUSEHOLD).max().row(0)) == 1
    assert (by["n"] == by["size"]).all()
    assert 0 < (by["ethnic"] > 1).sum() < 40
    assert frame.select("hhid", "pernum").is_unique().all()


def test_every_code_has_a_label_and_every_column_one() -> None:
    frame = labelled_survey(4000, 2)
    assert list(LABELS.columns) == frame.columns
    for name, codes in LABELS.values.items():
        if name not in ("educyrs", "height", "hhincome"):
            assert set(frame[name].unique()) <= set(codes), name
    assert {9999} <= set(frame["height"])
    assert {-9} <= set(frame["hhincome"])
    assert frame.filter(educ=98)["educyrs"].unique().to_list() == [98]


def test_an_inspection_finds_household_weight_and_the_codes_that_mean_missing() -> None:
    looked = mv.inspect(labelled_survey(3000, 3), labels=LABELS)
    assert looked.roles.household == "hhid"
    assert looked.roles.weight == "hhweight"
    assert {"region", "sex", "age", "marital"} <= set(looked.roles.quasi_identifiers)
    said = " ".join(str(one.text) for one in looked.warnings)
    assert "height" in said
