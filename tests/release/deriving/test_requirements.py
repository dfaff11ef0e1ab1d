"""A requirement that holds only until cells are derived does not hold, and says what helps."""

from __future__ import annotations

import json

import pytest

import microveil as mv
from microveil.release.deriving import not_looked_at, restore
from tests.release.deriving.cases import KEYS, release_of, survey
from tests.release.deriving.test_finding import APART, TOPPED

WHOLE = mv.LocalSuppression(k=3)


@pytest.mark.parametrize(
    ("steps", "without", "cause"),
    [
        ((APART,), ("years", "size"), "from other members of the household"),
        ((TOPPED, WHOLE), ("years",), "by counting the rows that share 'home'"),
        ((WHOLE,), ("home",), "from 'years'"),
    ],
)
def test_what_can_be_derived_breaks_the_requirement(
    steps: tuple[mv.Method, ...], without: tuple[str, ...], cause: str
) -> None:
    release = release_of(*steps, without=without)
    (check,) = release.checks
    assert not check.holds
    assert cause in check.sentence()
    assert "Drop " in check.sentence()
    with pytest.raises(mv.RequirementNotMetError, match="It holds only until somebody works out"):
        _ = release.data
    keys = [key for key in KEYS if key in release.table.columns]
    completed = restore(release.evidence.records, release.derivations).frame  # type: ignore[arg-type]
    assert check.achieved == completed.group_by(keys).len()["len"].min()


def test_one_caution_names_cause_columns_cells_and_k() -> None:
    release = release_of(TOPPED, APART)
    (caution,) = [one for one in release.cautions if one.kind == "derivable_keys"]
    assert {"home", "years", "size", "origin", "school"} <= set(caution.columns)
    assert caution.details["k"] == 1
    cells = {
        (one.key, place) for one in release.derivations for place in one.back.arg_true().to_list()
    }
    assert caution.details["n_cells"] == len(cells)
    assert json.loads(json.dumps(caution.to_dict()))["details"]["derivations"]
    assert not any("home" in one or "years" in one for one in release.warnings)


def test_the_remedies_help() -> None:
    assert release_of(WHOLE, without=("years", "size")).holds
    dropped = mv.Drop(columns=["home", "years"])
    assert release_of(dropped, TOPPED, APART, keep=()).holds
    frame = survey()
    roles = mv.Roles(quasi_identifiers=[*KEYS, "years"], sensitive=["pay"])
    recipe = mv.Recipe(
        roles=roles,
        steps=[mv.Drop(columns=["home"]), WHOLE],
        require=[mv.KAnonymity(k=3)],
    )
    assert mv.run(recipe, frame, seed=1).holds


@pytest.mark.parametrize("missing", ["category", "wildcard"])
def test_a_missing_key_that_comes_back_matches_only_its_own_value(missing: str) -> None:
    release = release_of(
        APART.model_copy(update={"missing": missing}), without=("years", "size"), missing=missing
    )
    assert not release.holds
    assert release.checks[0].missing == missing


def test_files_in_parts_are_judged_like_whole_tables(tmp_path: object) -> None:
    frame = survey()
    path = f"{tmp_path}/in.csv"
    frame.write_csv(path)
    roles = mv.Roles(
        quasi_identifiers=["size", "sex"], insensitive=["years", "origin", "school", "age"],
        sensitive=["pay"], household="home",
    )  # fmt: skip
    recipe = mv.Recipe(
        roles=roles,
        steps=[mv.TopBottomCode(columns=["size"], top=2)],
        require=[mv.KAnonymity(k=120)],
        keep=["home"],
    )
    ended = [
        mv.run_file(recipe, path, f"{tmp_path}/out-{parts}.csv", seed=1, in_parts=parts)
        for parts in (True, False)
    ]
    assert [one.holds for one in ended] == [False, False]
    assert len({one.checks[0].sentence() for one in ended}) == 1
    kinds = [[one.kind for one in run.cautions] for run in ended]
    assert all("derivable_keys" in some for some in kinds)


def test_what_was_not_examined_is_said() -> None:
    assert "was not examined" in not_looked_at().sentence
