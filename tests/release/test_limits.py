"""Limits of measures are checked like models: with a sentence, or nothing leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import RequirementNotMetError
from microveil.release.limits import limit_checks
from microveil.reports import summarize
from microveil.scores import Score

ROLES = mv.Roles(quasi_identifiers=["age", "pay"], sensitive=["ill"])
NOISE = mv.AdditiveNoise(columns=["age", "pay"], sd_share=1.0)


def people(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, n).astype(float),
            "pay": rng.normal(3000, 500, n).round(),
            "ill": rng.choice(["a", "b"], n),
        }
    )


def recipe(*limits: mv.MeasureRequirement, steps: tuple[mv.Method, ...] = (NOISE,)) -> mv.Recipe:
    return mv.Recipe(roles=ROLES, steps=steps, require=limits)


def test_a_release_leaves_only_within_its_limits() -> None:
    safe = mv.run(recipe(mv.limit(mv.RecordLinkage(), at_most=0.3)), people(), seed=1)
    (check,) = safe.checks
    assert safe.holds
    assert safe.data.height == 120
    assert check.achieved == mv.RecordLinkage().measure(safe.original, safe.table).value
    assert check.sentence().startswith("record_linkage at most 0.3 holds (reached 0.0")
    open_ = mv.run(recipe(mv.limit(mv.RecordLinkage(), at_most=0.3), steps=()), people())
    assert not open_.holds
    with pytest.raises(RequirementNotMetError, match="record_linkage at most"):
        open_.data  # noqa: B018  it raises


def test_a_limit_on_utility_is_a_floor() -> None:
    floor = mv.limit(mv.GeneralizationLoss(), at_least=0.95)
    assert mv.run(recipe(floor, steps=()), people()).holds
    blank = mv.Generalize(column="age", hierarchy={"hierarchy": "types"}, level=1)
    coarse = mv.run(recipe(floor, steps=(blank,)), people())
    assert not coarse.holds
    assert "1 − generalization_loss at least 0.95 does not hold" in coarse.checks[0].sentence()


def test_an_attack_is_judged_by_its_upper_bound() -> None:
    attack = mv.SinglingOut(n_attacks=50)
    value = mv.run(recipe(mv.limit(attack, at_most=1.0)), people(), seed=1).checks[0].achieved
    bound = mv.run(recipe(mv.limit(attack, upper_bound_at_most=1.0)), people(), seed=1).checks[0]
    assert bound.achieved > value


def test_what_cannot_be_measured_is_not_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Score:
        raise np.linalg.LinAlgError("SECRET")

    words = people().select("ill")
    alone = mv.Recipe(require=[mv.limit(mv.IL1s(), at_most=1e9)], undeclared="keep")
    (check,) = mv.run(alone, words).checks
    assert not check.holds
    assert "no column of numbers" in check.sentence()
    monkeypatch.setattr(mv.RecordLinkage, "score_reading", fail)
    (check,) = mv.run(recipe(mv.limit(mv.RecordLinkage(), at_most=1)), people(), seed=1).checks
    assert not check.holds
    assert "SECRET" not in check.sentence()


def test_classes_counted_after_perturbation_keep_no_limit() -> None:
    counted = mv.limit(mv.ClassSizes(), at_most=1)
    assert mv.run(recipe(counted, steps=()), people()).holds
    (check,) = mv.run(recipe(counted), people(), seed=1).checks
    assert not check.holds
    assert "class sizes say little" in check.sentence()


def test_a_draft_and_a_report_know_limits_too() -> None:
    draft = mv.Draft.start(people(), ROLES, seed=1).apply(NOISE)
    release = draft.require(mv.limit(mv.RecordLinkage(), at_most=0.3)).release()
    assert release.holds
    (requirement,) = summarize(release).requirements
    assert requirement.title == "record_linkage at most 0.3"
    assert requirement.meaning == mv.RecordLinkage.summary()
    (public,) = summarize(release, "public").requirements
    assert public.title == "Records linked by all original values at most 0.3"
    assert public.achieved is None


def test_explore_takes_limits_for_ceilings() -> None:
    limits = (
        mv.limit(mv.RecordLinkage(), at_most=0.15),
        mv.limit(mv.IL1s(), part="per_cell", at_most=0.9),
    )
    grid = {"steps.0.sd_share": [0.01, 0.5, 1.0, 3.0]}
    found = mv.explore(people(), recipe(*limits), grid, seed=1)
    assert found.risk == ("record_linkage",)
    assert found.utility == ("il1s.per_cell",)
    assert dict(found.ceilings) == {"record_linkage": 0.15, "il1s.per_cell": 0.9}
    assert [point.holds for point in found.points] == [False, True, True, False]
    assert found.best().number == 1
    assert found.best(max_risk=0.0001 + (found.points[2].value("record_linkage") or 0)).number == 2


def test_limits_that_compare_records_are_the_same_in_parts(tmp_path: Path) -> None:
    people().write_parquet(tmp_path / "in.parquet")
    limited = recipe(mv.limit(mv.RecordLinkage(), at_most=1), steps=(mv.Drop(columns=["ill"]),))
    done = mv.run_file(limited, tmp_path / "in.parquet", tmp_path / "out.parquet", in_parts=True)
    (check,) = done.checks
    assert check.achieved == mv.run(limited, people()).checks[0].achieved


def test_a_limit_is_kept_in_the_file_as_in_the_table(tmp_path: Path) -> None:
    frame = pl.DataFrame({"town": ["Ulm ", "Ulm", "=Bonn"]})
    kept = mv.Recipe(require=[mv.limit(mv.CellChanges(), at_most=0)], undeclared="keep")
    release = mv.run(kept, frame)
    assert release.holds
    release.write(tmp_path / "out.parquet")
    release.write(tmp_path / "out.csv", neutralize=False)
    for name in ("out.sav", "neutralized.csv"):
        with pytest.raises(RequirementNotMetError, match="cell_changes at most 0 does not hold"):
            release.write(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_limit_is_not_checked_again_where_a_file_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = mv.run(recipe(mv.limit(mv.RecordLinkage(), at_most=1)), people(), seed=1)
    monkeypatch.setattr(mv.RecordLinkage, "score", None)
    for name in ("out.parquet", "out.csv", "out.jsonl", "out.xlsx"):
        assert release.write(tmp_path / name).read_back


def test_a_limit_on_a_measure_names_no_broken_records() -> None:
    """It judges the table as a whole: no record is to blame, and none can be counted."""
    required = mv.limit(mv.ClassSizes(), at_most=0.5)
    score = Score("class_sizes", 0.9)
    for one in (score, None):
        (check,) = limit_checks(required, one, "no reason", n_records=7)
        assert not check.holds
        assert (check.n_broken, check.n_records, len(check.broken_in)) == (0, 7, 0)


def test_a_limit_holds_for_each_scenario_and_names_the_one_that_breaks_it(tmp_path: Path) -> None:
    roles = mv.Roles(quasi_identifiers=["ill"], scenarios={"boss": ["pay", "age"]})
    asked = mv.Recipe(
        roles=roles,
        require=[mv.limit(mv.ClassSizes(), at_most=0.1), mv.limit(mv.CellChanges(), at_most=0)],
    )
    release = mv.run(asked, people())
    assert [(one.scenario, one.holds) for one in release.checks] == [
        (None, True),
        ("boss", False),
        (None, True),
    ]
    sentence = "class_sizes at most 0.1 does not hold for scenario 'boss' (reached 1)."
    assert release.checks[1].sentence() == sentence
    assert release.checks[1].to_dict()["scenario"] == "boss"
    assert [one.scenario for one in summarize(release).requirements] == [None, "boss", None]
    people().write_parquet(tmp_path / "people.parquet")
    done = mv.run_file(asked, tmp_path / "people.parquet", tmp_path / "o.parquet", in_parts=True)
    assert [one.sentence() for one in done.checks] == [one.sentence() for one in release.checks]
    assert not (tmp_path / "o.parquet").exists()


def test_limits_on_one_measure_are_told_apart_by_its_settings() -> None:
    person, home = (
        mv.limit(mv.IndividualRisk.parse({"level": level}), at_most=0.2)
        for level in ("person", "household")
    )
    words = [limit.words for one in (person, home) for limit in one.limits]
    assert words == ["individual_risk at most 0.2", "individual_risk:level=household at most 0.2"]
