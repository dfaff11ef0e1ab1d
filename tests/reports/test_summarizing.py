from __future__ import annotations

import json
from typing import Any

import pytest

from microveil.errors import InputError, RequirementNotMetError
from microveil.release import Release
from microveil.reports import summarize
from microveil.risk import RISK_MEASURES
from microveil.tables import Roles
from tests.reports.cases import (
    COUNTED,
    LABEL,
    RARE,
    SCALE,
    Keep,
    MakeRelease,
    Widen,
    people,
)


def text_of(release: Release, audience: str, **more: Any) -> str:
    return json.dumps(summarize(release, audience, **more).to_dict())


def test_the_public_reads_no_parameter_fact_or_risk(sound: Release) -> None:
    plain = summarize(sound, "public").to_dict()

    assert "risk" not in plain
    assert all({"parameters", "facts"}.isdisjoint(step) for step in plain["steps"])
    assert all(
        {"required", "achieved", "n_broken", "sentence"}.isdisjoint(one)
        for one in plain["requirements"]
    )
    assert [one["title"] for one in plain["requirements"]] == ["17-anonymity"]
    assert [one["holds"] for one in plain["requirements"]] == [True]


@pytest.mark.parametrize("mark", [str(SCALE + 0.5), str(COUNTED), LABEL, RARE])
def test_marked_values_do_not_reach_the_public(sound: Release, mark: str) -> None:
    assert mark not in text_of(sound, "public")


def test_the_internal_reader_sees_parameters_facts_and_rare_combinations(
    make_release: MakeRelease,
) -> None:
    text = text_of(make_release(Widen(column="age", width=2.25), k=None), "internal")

    assert all(mark in text for mark in ("2.25", str(COUNTED), RARE))


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_nobody_reads_a_seed_or_where_a_key_lies(make_release: MakeRelease, audience: str) -> None:
    release = make_release(Widen(column="age", key_file="elsewhere.key"), k=None)

    text = text_of(release, audience)

    assert "elsewhere" not in text
    assert "424242" not in text


def test_a_small_number_of_removed_records_cannot_be_worked_out(sound: Release) -> None:
    content = summarize(sound, "public").content

    assert (content.n_records, content.n_records_removed) == (196, "<10")
    assert content.n_records_original is None


def test_a_large_number_of_removed_records_is_told(make_release: MakeRelease) -> None:
    content = summarize(make_release(Keep(n_records=150)), "public").content

    assert (content.n_records, content.n_records_removed) == (150, 50)
    assert content.n_records_original == 200


def test_public_utility_is_rounded(sound: Release) -> None:
    internal, public = summarize(sound).utility, summarize(sound, "public").utility

    assert internal is not None
    assert public is not None
    assert internal.kept["town"] == pytest.approx(196 / 200)
    assert public.kept["town"] == 1.0
    assert public.parts is None


def test_a_broken_release_has_an_internal_report_only(broken: Release) -> None:
    summary = summarize(broken)

    assert summary.verdict.headline == "NOT RELEASED"
    assert not summary.verdict.releasable
    with pytest.raises(RequirementNotMetError):
        summarize(broken, "public")


def test_an_empty_table_has_a_report(make_release: MakeRelease) -> None:
    release = make_release(data=people().clear())

    assert summarize(release).content.n_records == 0
    assert summarize(release, "public").content.n_records == 0


def test_further_measures_are_taken_of_both_tables(sound: Release) -> None:
    taken = summarize(sound).risk_scores
    assert taken is not None
    wanted = {
        kind.kind() for kind in RISK_MEASURES if kind.by_default and kind.kind() != "class_sizes"
    }

    assert {pair["after"]["measure"] for pair in taken.values()} <= wanted
    for pair in taken.values():
        kind = RISK_MEASURES[pair["after"]["measure"]]
        assert ("before" in pair) == (not kind.needs_original)
    keys, every = taken["record_linkage"], taken["record_linkage by all columns"]
    assert set(keys["after"]["columns"]) < set(every["after"]["columns"])
    assert summarize(sound, "public").risk_scores is None


def test_steps_are_told_in_words(sound: Release) -> None:
    first, second = summarize(sound, "public").steps

    assert (first.method, first.summary) == ("widen", "Make ages coarse.")
    assert (first.columns, first.on_keys) == (("age",), False)
    assert (second.columns, second.on_keys) == (("age", "town"), True)


def test_columns_nobody_decided_about_stop_a_public_report(make_release: MakeRelease) -> None:
    release = make_release(roles=Roles(quasi_identifiers=["age"]))

    assert summarize(release).content.columns_undecided == ("town", "income")
    assert summarize(release).verdict.headline == "NOT RELEASED"
    with pytest.raises(InputError, match="town"):
        summarize(release, "public")


def test_columns_dropped_on_export_are_not_said_to_be_released(make_release: MakeRelease) -> None:
    release = make_release(roles=Roles(quasi_identifiers=["age"]), undeclared="drop")

    content = summarize(release, "public").content

    assert content.columns == ("age",)
    assert content.columns_removed == ("town", "income")
