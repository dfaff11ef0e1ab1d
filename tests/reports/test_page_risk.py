from __future__ import annotations

from dataclasses import replace
from typing import Any

from microveil.release import Release
from microveil.reports.page_risk import risk_section
from microveil.reports.summarizing import summarize


def test_the_public_reads_no_risk_and_others_read_it_before_and_after(sound: Release) -> None:
    assert risk_section(summarize(sound, audience="public"), []) is None
    summary = summarize(sound)
    page = str(risk_section(summary, []))
    assert summary.risk is not None
    risk = summary.risk[0]
    assert risk.after is not None
    for side in (risk.before, risk.after):
        assert f">{side['k']}<" in page
    assert "Smallest classes of the release" in page
    assert "Not valid evidence" not in page


def test_doubt_scenarios_and_lost_keys_are_said(sound: Release) -> None:
    summary = summarize(sound)
    assert summary.risk is not None
    lost = replace(summary.risk[0], scenario="neighbour", after=None)
    doubtful = replace(summary, class_sizes_valid=False, risk=(summary.risk[0], lost))
    page = str(risk_section(doubtful, []))
    assert "Not valid evidence" in page
    assert "Scenario neighbour" in page
    assert "No quasi-identifier is left in the release." in page


def test_without_keys_there_are_no_classes(sound: Release) -> None:
    summary: Any = replace(summarize(sound), risk=())
    assert "no classes to count" in str(risk_section(summary, []))
