from __future__ import annotations

from html import unescape

from microveil.release import Release
from microveil.reports import summarize
from microveil.reports.page import page
from microveil.tables import Roles
from tests.reports.cases import (
    Leave,
    MakeRelease,
)


def test_without_quasi_identifiers_risk_is_said_to_be_unknown(make_release: MakeRelease) -> None:
    summary = summarize(make_release(roles=Roles(), k=None))

    assert summary.risk == ()
    assert any("not assessed" in one for one in summary.cautions)


def test_risk_after_is_open_once_no_quasi_identifier_is_left(make_release: MakeRelease) -> None:
    (risk,) = summarize(make_release(Leave(columns=("age", "town")), k=None)).risk or ()

    assert risk.before["k"] == 1
    assert risk.after is None


def test_verdicts_are_for_internal_readers_only(sound: Release) -> None:
    verdicts = summarize(sound).risk_verdicts
    assert verdicts is not None
    assert [one["question"] for one in verdicts] == ["singling out", "linkability", "inference"]
    assert "risk_verdicts" not in summarize(sound, "public").to_dict()
    shown = unescape(page(summarize(sound))).replace("\u00a0", " ")
    assert all(one["sentence"] in shown for one in verdicts)
    assert "Singling out" not in page(summarize(sound, "public"))


def test_each_scenario_has_its_risk(make_release: MakeRelease) -> None:
    roles = Roles(quasi_identifiers=["age"], scenarios={"neighbour": ["town"]})
    main, neighbour = summarize(make_release(roles=roles, k=None)).risk or ()

    assert (main.scenario, main.before["k"]) == (None, 100)
    assert (neighbour.scenario, neighbour.before["k"]) == ("neighbour", 1)


def test_scenarios_are_assessed_without_a_main_set_too(make_release: MakeRelease) -> None:
    roles = Roles(scenarios={"neighbour": ["town"]})
    (neighbour,) = summarize(make_release(roles=roles, k=None)).risk or ()

    assert (neighbour.scenario, neighbour.before["k"]) == ("neighbour", 1)
