"""Surveys and panels: what belongs to a household or a person is the same in all its rows."""

from __future__ import annotations

import polars as pl

from microveil.studies.examples.people import households, panel, patients


def test_households_share_their_town_weight_and_size() -> None:
    by = households(500, 1).group_by("household").agg(
        pl.col("town").n_unique(), pl.col("weight").n_unique(), pl.len(), pl.col("size").first()
    )  # fmt: skip
    assert by["town"].max() == by["weight"].max() == 1
    assert (by["len"] == by["size"]).all()


def test_a_panel_has_one_row_per_person_and_year() -> None:
    frame = panel(500, 1)
    assert frame.select("person", "year").is_unique().all()
    assert frame.group_by("person").agg(pl.col("birth_date").n_unique())["birth_date"].max() == 1


def test_patients_have_names_of_their_own() -> None:
    assert patients(300, 1)["name"].is_unique().all()
