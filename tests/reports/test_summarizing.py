from __future__ import annotations

import json
from html import unescape
from typing import Any

import polars as pl
import pytest

from microveil.errors import InputError, RequirementNotMetError
from microveil.release import Release
from microveil.reports import summarize
from microveil.reports.page import page
from microveil.risk import RISK_MEASURES
from microveil.tables import Roles
from tests.reports.cases import (
    COUNTED,
    LABEL,
    RARE,
    SCALE,
    Jitter,
    Keep,
    Leave,
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
    assert [one["title"] for one in plain["requirements"]] == ["k-anonymity"]
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


def test_a_recipe_without_requirements_is_not_called_safe(make_release: MakeRelease) -> None:
    verdict = summarize(make_release(k=None)).verdict

    assert verdict.tone == "open"
    assert "no requirement" in verdict.sentence


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_class_sizes_are_no_evidence_after_changed_values(
    make_release: MakeRelease, audience: str
) -> None:
    summary = summarize(make_release(Jitter(column="age"), k=None), audience)

    assert not summary.class_sizes_valid
    assert "not valid evidence" in summary.cautions[0]
    assert "step 1 (jitter)" in summary.cautions[0]


def test_class_sizes_stay_evidence_where_no_counted_column_changed(
    make_release: MakeRelease,
) -> None:
    summary = summarize(make_release(Jitter(column="income"), k=2, data=people().head(199)))

    assert summary.class_sizes_valid
    assert "not quasi-identifiers" in summary.cautions[0]
    assert "step 1 (jitter)" in summary.cautions[0]


def test_an_empty_table_has_a_report(make_release: MakeRelease) -> None:
    release = make_release(data=people().clear())

    assert summarize(release).content.n_records == 0
    assert summarize(release, "public").content.n_records == 0


def test_without_quasi_identifiers_risk_is_said_to_be_unknown(make_release: MakeRelease) -> None:
    summary = summarize(make_release(roles=Roles(), k=None))

    assert summary.risk == ()
    assert "not assessed" in summary.cautions[0]


def test_risk_after_is_open_once_no_quasi_identifier_is_left(make_release: MakeRelease) -> None:
    (risk,) = summarize(make_release(Leave(columns=("age", "town")), k=None)).risk or ()

    assert risk.before["k"] == 1
    assert risk.after is None


def test_further_measures_are_taken_of_both_tables(sound: Release) -> None:
    taken = summarize(sound).risk_scores
    assert taken is not None
    wanted = {
        kind.kind() for kind in RISK_MEASURES if kind.by_default and kind.kind() != "class_sizes"
    }

    assert set(taken) <= wanted
    for name, pair in taken.items():
        assert ("before" in pair) == (not RISK_MEASURES[name].needs_original)
        assert pair["after"]["measure"] == name
    assert summarize(sound, "public").risk_scores is None


def test_verdicts_are_for_internal_readers_only(sound: Release) -> None:
    verdicts = summarize(sound).risk_verdicts
    assert verdicts is not None
    assert [one["question"] for one in verdicts] == ["singling out", "linkability", "inference"]
    assert "risk_verdicts" not in summarize(sound, "public").to_dict()
    shown = unescape(page(summarize(sound)))
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


def test_cells_of_any_kind_become_plain_data(make_release: MakeRelease) -> None:
    odd = pl.DataFrame({"day": ["2024-02-29", None], "x": [float("nan"), float("inf")]})
    odd = odd.with_columns(pl.col("day").str.to_date(), pl.lit("y" * 999).alias("long"))
    roles = Roles(quasi_identifiers=["day", "x", "long"])
    release = make_release(data=odd, roles=roles, k=None)

    text = json.dumps(summarize(release).to_dict(), allow_nan=False)

    assert "2024-02-29" in text
    assert "y" * 99 not in text


def test_what_was_written_is_told_without_small_counts(sound: Release) -> None:
    written = {"shuffled": True, "n_neutralized": {"town": 3}}

    assert "3 text cells in town" in " ".join(summarize(sound, written=written).export)
    public = " ".join(summarize(sound, "public", written=written).export)
    assert "random order" in public
    assert "<10 text cells in town" in public


def test_steps_are_told_in_words(sound: Release) -> None:
    first, second = summarize(sound, "public").steps

    assert (first.method, first.summary) == ("widen", "Make ages coarse.")
    assert (first.columns, first.on_keys) == (("age",), False)
    assert (second.columns, second.on_keys) == (("age", "town"), True)
