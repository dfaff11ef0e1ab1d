"""S4: the depersonalisation program's data, recipe and five outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.studies import ad_views, ad_views_recipe

KEYS = ("ip_address", "platform", "date", "viewing_seconds", "product")


def test_the_generator_repeats_itself() -> None:
    assert ad_views(1_000).equals(ad_views(1_000))
    assert not ad_views(1_000).equals(ad_views(1_000, seed=1))


def test_the_views_have_the_report_s_shape() -> None:
    frame = ad_views()
    assert frame.height == 260_000
    assert frame.width == 7
    assert sum(frame.null_count().row(0)) == 0
    before = mv.assess(frame, mv.Roles(quasi_identifiers=KEYS))
    assert (before.k, before.acceptable_k) == (1, 5)


@pytest.mark.parametrize(
    ("n", "k"), [pytest.param(260_000, 5, marks=pytest.mark.slow), (105_000, 7), (51_000, 10)]
)
def test_the_recipe_reaches_the_acceptable_k_of_each_size(n: int, k: int) -> None:
    release = mv.run(ad_views_recipe(), ad_views(n))
    data = release.data
    assert data.columns == list(KEYS)
    assert (data.group_by(KEYS).len()["len"] >= k).all()
    assert release.risk.k >= k
    assert release.risk.acceptable
    assert release.n_suppressed / n < 0.05


def test_before_suppression_the_numbers_are_like_the_report_s() -> None:
    recipe = ad_views_recipe()
    coarse = recipe.model_copy(update={"steps": recipe.steps[:-1], "require": ()})
    risk = mv.run(coarse, ad_views()).risk
    # The report: 185 unique rows, 0.33 % of rows in classes below five.
    assert risk.k == 1
    assert 150 <= risk.n_unique <= 220
    assert risk.below_share == pytest.approx(0.0033, abs=0.0005)
    assert len(risk.worst) == 5
    assert risk.unique_records.height == risk.n_unique


def test_the_release_shows_what_the_program_showed() -> None:
    data = mv.run(ad_views_recipe(), ad_views(51_000)).data
    assert data["ip_address"].unique().to_list() == ["XXX.XXX.XXX.XXX"]
    assert set(data["platform"]) == {
        "social network",
        "video hosting",
        "dating site",
        "information resource",
    }
    assert set(data["date"]) == {"Winter", "Spring", "Summer", "Autumn"}
    assert (data["viewing_seconds"] % 60 == 0).all()
    assert data["product"].n_unique() == 10


def test_a_spreadsheet_goes_in_and_comes_out(tmp_path: Path) -> None:
    ad_views(2_000).write_excel(tmp_path / "views.xlsx")
    result = mv.run_file(ad_views_recipe(), tmp_path / "views.xlsx", tmp_path / "out.xlsx")
    assert result.holds
    assert mv.read(tmp_path / "out.xlsx").height == result.n_records
