"""The five outputs of the program, from stages of a small table."""

from __future__ import annotations

import pytest

from microveil.risk import acceptable_k
from microveil.studies.petersburg import study
from microveil.studies.petersburg.study import (
    Stages,
    _k_reached,
    _stages,
    _statistics,
    _utility,
    _worst,
)


@pytest.fixture(scope="module")
def stages() -> Stages:
    return _stages(3_000)


def test_rows_are_recoded_and_then_suppressed(stages: Stages) -> None:
    assert stages.original.n_records == stages.recoded.n_records == 3_000
    assert stages.released.n_records < 3_000
    assert stages.original.k == 1
    assert stages.released.k >= 5
    assert stages.seconds > 0
    assert all(0 <= share <= 1 for share in stages.changed.values())


def test_published_numbers_stand_beside_the_full_size_alone(
    stages: Stages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(study.ACCEPTABLE, 3_000, str(acceptable_k(3_000)))
    small = {cell.quantity: cell.published for cell in _k_reached([stages]).cells}
    assert small["K released"] is small["seconds"] is None
    assert small["acceptable K"] == "10"
    monkeypatch.setattr(study, "FULL", 3_000)
    full = {cell.quantity: cell for cell in _k_reached([stages]).cells}
    assert full["K released"].published == "5"
    assert full["seconds"].mark == "not compared"
    lost = study._before_suppression([stages]).cells
    assert {cell.quantity: cell.published for cell in lost} == {
        "K": None,
        "unique rows": "185",
        "bad rows, per cent": "0.33",
        "rows suppressed": None,
    }
    by_name = {cell.quantity: cell.ours for cell in lost}
    assert by_name["rows suppressed"] == 3_000 - stages.released.n_records


def test_the_worst_classes_are_told_without_their_values(stages: Stages) -> None:
    cells = _worst(stages).cells
    sizes = [cell.ours for cell in cells if cell.quantity == "K"]
    assert sizes == sorted(sizes)
    assert len(sizes) == study.N_WORST
    assert {key for cell in cells for key in cell.where} == {"worst"}


def test_utility_is_in_per_cent(stages: Stages) -> None:
    cells = {cell.quantity: cell.ours for cell in _utility([stages]).cells}
    share = stages.changed["changed_share"]
    assert cells["changed_share, per cent"] == pytest.approx(100 * share)


def test_views_are_counted_by_platform_season_and_product(stages: Stages) -> None:
    views = stages.views
    assert views["recoded"].sum() == stages.recoded.n_records
    assert views["released"].sum() == stages.released.n_records
    cells = _statistics(stages).cells
    most = {
        (cell.where["platform"], cell.where["season"]): cell.ours
        for cell in cells
        if cell.quantity == "views released"
    }
    assert len(most) == 16
    for (platform, season), n in most.items():
        assert n == views.filter(platform=platform, date=season)["released"].max()


def test_the_limits_of_k_are_those_of_the_report() -> None:
    assert {size: str(acceptable_k(size)) for size in study.SIZES} == study.ACCEPTABLE
