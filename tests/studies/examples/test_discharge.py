"""The discharge file: several stays per patient, European dates, and dirt."""

from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.studies.examples.discharge import WARDS, discharge


def test_what_belongs_to_a_patient_is_the_same_in_all_stays() -> None:
    frame = discharge(2000, 1)
    stays = frame.group_by("patient").agg(
        pl.len(), *(pl.col(name).n_unique() for name in ("birth", "sex", "postcode", "town"))
    )
    assert max(stays["len"].to_list()) > 3
    assert stays.select(pl.exclude("patient", "len").max()).row(0) == (1, 1, 1, 1)


def test_nobody_leaves_before_coming_and_diagnoses_are_those_of_the_ward() -> None:
    frame = discharge(1000, 2)
    days = frame.select(pl.col("admission", "discharge").str.to_date("%d/%m/%Y"))
    assert (days["admission"] <= days["discharge"]).all()
    assert all(code in WARDS[ward] for ward, code in frame.select("ward", "icd10").rows())
    assert set(frame.filter(ward="Obstetricia")["sex"]) == {"M"}


def test_about_one_birth_in_a_hundred_is_dirt_and_ids_are_nearly_unique() -> None:
    frame = discharge(5000, 3)
    clean = frame["birth"].str.to_date("%d/%m/%Y", strict=False)
    assert 0.003 < 1 - clean.drop_nulls().len() / frame.height < 0.03
    assert 0 < frame.height - frame["episode"].n_unique() < 50


def test_an_inspection_finds_the_patient_the_dates_and_the_diagnosis() -> None:
    roles = mv.inspect(discharge(3000, 4)).roles
    assert roles.entity == "patient"
    assert {"birth", "sex", "postcode"} <= set(roles.quasi_identifiers)
    assert "icd10" in roles.sensitive
