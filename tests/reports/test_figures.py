from __future__ import annotations

import sys
from pathlib import Path

import pytest

from microveil.release import Release
from microveil.reports import summarize
from microveil.reports.figures import figures_of
from tests.reports.pages import page_of


@pytest.mark.parametrize(("audience", "n_figures"), [("internal", 5), ("public", 1)])
def test_each_audience_has_its_figures(
    sound: Release, tmp_path: Path, audience: str, n_figures: int
) -> None:
    assert page_of(sound, tmp_path, audience).tags.count("svg") == n_figures


def test_no_risk_figure_is_even_drawn_for_the_public(sound: Release) -> None:
    figures = figures_of(sound, summarize(sound, "public"))

    assert [one.about for one in figures] == ["utility"]


def test_without_the_plots_extra_the_page_says_so(
    sound: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)

    page = page_of(sound, tmp_path)

    assert "svg" not in page.tags
    assert "microveil[plots]" in page.text
