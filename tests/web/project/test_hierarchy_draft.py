"""The editor's drafts become hierarchies, with a preview that counts."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.methods import Generalize
from microveil.web.project.hierarchy_draft import begin_draft, kind_for, preview, raw_of

AGES = pl.Series("age", [20, 30, 30, 40, 50, None])
TOWNS = pl.Series("town", ["Tartu", "Pärnu", "Tartu", "Riga"])


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (AGES, "intervals"),
        (TOWNS, "tree"),
        (pl.Series(["08001", "08002"]), "digits"),
        (pl.Series([date(2024, 5, 1)]), "dates"),
        (pl.Series([], dtype=pl.String), "tree"),
    ],
)
def test_a_column_gets_the_kind_that_suits_it(column: pl.Series, kind: str) -> None:
    assert kind_for(column) == kind


def test_cut_points_make_ranges_and_the_preview_counts_the_records() -> None:
    raw = raw_of({"kind": "intervals", "cuts": [45.0, 25.0]}, AGES)
    assert raw["cuts"] == [[25.0, 45.0]]
    assert sorted(preview(raw, AGES, "1").labels) == [("<25", 1), ("[25, 45)", 3), ("≥45", 1)]


def test_a_width_is_taken_instead_of_cut_points() -> None:
    assert raw_of({"kind": "intervals", "cuts": [1.0], "width": "10"}, AGES)["width"] == 10


def test_categories_that_are_put_together_share_a_label() -> None:
    draft = begin_draft(TOWNS)
    draft["groups"] = {"Tartu": "Estonia", "Pärnu": "Estonia"}
    raw = raw_of(draft, TOWNS)
    assert preview(raw, TOWNS, "1").labels == [("Estonia", 3), ("Riga", 1)]
    step = Generalize(column="town", hierarchy=raw, level=1)
    assert step.protect(TOWNS.to_frame())["town"].to_list() == [
        "Estonia", "Estonia", "Estonia", "Riga",
    ]  # fmt: skip


def test_a_first_draft_of_any_column_can_be_built() -> None:
    for column in (
        AGES,
        TOWNS,
        pl.Series("code", ["08001", "08002"]),
        pl.Series([date(2024, 5, 1)]),
    ):
        assert preview(raw_of(begin_draft(column), column), column, "1").labels


def test_an_unfinished_draft_says_what_is_missing() -> None:
    with pytest.raises(InputError, match="cut point"):
        raw_of({"kind": "intervals", "cuts": []}, AGES)
    with pytest.raises(InputError, match="number"):
        raw_of({"kind": "intervals", "width": "wide"}, AGES)
