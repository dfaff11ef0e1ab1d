"""Requirements are checked on what is released, in memory, in files and joined on links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.release.evidence import Evidence, with_people
from microveil.release.verifying import verify

SHEETS = ["xlsx", "ods"]
FORMATS = ["csv", "tsv", "csv.gz", "parquet", *SHEETS, "jsonl", "sav", "dta", "sqlite", "duckdb"]


def _options(suffix: str) -> dict[str, Any]:
    return {"table": "t"} if suffix in ("sqlite", "duckdb") else {}


def _models(folder: Path) -> list[mv.PrivacyModel]:
    population = folder / "population.parquet"
    people = {"age": [30] * 8 + [40] * 8, "code": ["10.1"] * 8 + ["10.10"] * 8}
    pl.DataFrame(people).write_parquet(population)
    return [
        mv.KAnonymity(k=4),
        mv.KMap(k=4),
        mv.KMap(k=8, population=str(population)),
        mv.DeltaPresence(minimum=0.1, maximum=0.9, population=str(population)),
        mv.AlphaKAnonymity(alpha=0.5, k=4, value="1.0"),
        mv.BetaLikeness(beta=5, column="pay"),
        mv.LDiversity(l=2, column="pay"),
        mv.TCloseness(t=0.9, column="level", distance="ordered"),
        mv.DeltaDisclosure(delta=5, column="pay"),
    ]


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_model_that_holds_in_the_table_is_written_in_every_format(
    suffix: str, tmp_path: Path
) -> None:
    levels = pl.Enum(["low", "middle", "high"])
    frame = pl.DataFrame(
        {
            "age": [30] * 4 + [40] * 4,
            "code": ["10.1"] * 4 + ["10.10"] * 4,
            "pay": [1.0, 2.0, 3.0, 4.0] * 2,
            "level": pl.Series(["low", "middle", "high", "low"] * 2, dtype=levels),
            "w": [2.5] * 8,
        }
    )
    roles = mv.Roles(quasi_identifiers=["age", "code"], sensitive=["pay", "level"], weight="w")
    require = _models(tmp_path)
    release = mv.run(mv.Recipe(roles=roles, require=require), frame)
    assert release.holds, [check.sentence() for check in release.checks]
    report = release.write(tmp_path / f"out.{suffix}", **_options(suffix))
    assert report.read_back
    assert report.n_rows == 8


@pytest.mark.parametrize("suffix", FORMATS)
def test_keys_that_look_alike_are_told_apart_in_every_format(suffix: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"nace": ["10.1", "10.10", "20.2", "20.20"]})
    roles = mv.Roles(quasi_identifiers=["nace"])
    release = mv.run(mv.Recipe(roles=roles, require=[mv.KAnonymity(k=2)]), frame)
    with pytest.raises(mv.RequirementNotMetError):
        release.write(tmp_path / f"out.{suffix}", **_options(suffix))
    assert list(tmp_path.iterdir()) == []


def test_two_values_that_neutralising_makes_one_are_checked_as_one(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f", "f"], "ill": ["=flu", "'=flu"]})
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["ill"])
    release = mv.run(mv.Recipe(roles=roles, require=[mv.LDiversity(l=2)]), frame)
    release.write(tmp_path / "out.parquet")
    with pytest.raises(mv.RequirementNotMetError, match="not in what CSV can keep"):
        release.write(tmp_path / "out.csv")
    release.write(tmp_path / "as_is.csv", neutralize=False)


def test_a_key_with_the_name_of_a_formula_is_checked(tmp_path: Path) -> None:
    frame = pl.DataFrame({"@zip": ["a", "a", "b", "b"]})
    roles = mv.Roles(quasi_identifiers=["@zip"])
    recipe = mv.Recipe(roles=roles, require=[mv.KAnonymity(k=2)])
    for name in ("out.csv", "out.xlsx"):
        mv.run(recipe, frame).write(tmp_path / name)
        assert mv.read(tmp_path / name).columns == ["'@zip"]


def test_people_are_counted_also_when_their_id_is_dropped_or_disguised() -> None:
    frame = pl.DataFrame({"person": [1, 1, 1, 2], "sex": ["f", "f", "f", "f"]})
    roles = mv.Roles(quasi_identifiers=["sex"], entity="person")
    for step in (
        mv.Drop(columns=["person"]),
        mv.Pseudonymize(columns=["person"]),
        mv.Mask(columns=["person"], pattern="X"),
    ):
        release = mv.run(mv.Recipe(roles=roles, steps=[step], require=[mv.KAnonymity(k=3)]), frame)
        assert release.checks[0].achieved == 2
        assert release.risk.k == 2
        assert not release.holds


def test_people_are_followed_through_removed_rows() -> None:
    original = mv.Table(
        {"person": ["a", "b", "b"], "sex": ["m", "f", "f"]},
        mv.Roles(quasi_identifiers=["sex"], entity="person"),
    )
    left = original.filter(np.array([False, True, True])).drop(["person"])
    told = with_people(left, original)
    assert told.people is not None
    assert len(set(told.people.tolist())) == 1
    assert verify(mv.Recipe(require=[mv.KAnonymity(k=2)]), Evidence(told))[0].achieved == 1


def test_files_beside_the_recipe_are_found_when_requirements_are_checked(tmp_path: Path) -> None:
    folder = tmp_path / "recipes"
    folder.mkdir()
    pl.DataFrame({"age": [30] * 10}).write_csv(folder / "population.csv")
    text = (
        "roles: {quasi_identifiers: [age]}\n"
        "require: [{model: k_map, k: 5, population: population.csv}]\n"
    )
    (folder / "recipe.yaml").write_text(text, encoding="utf-8")
    release = mv.run(mv.Recipe.read(folder / "recipe.yaml"), {"age": [30, 30]})
    assert release.checks[0].achieved == 10


def test_promises_made_for_nothing_are_none() -> None:
    assert verify(mv.Recipe(), mv.Table({"x": [1]})) == ()


@pytest.mark.parametrize("in_parts", [False, True])
def test_an_apostrophe_against_formulas_is_no_part_of_a_key(in_parts: bool, tmp_path: Path) -> None:  # noqa: FBT001  a parameter
    frame = pl.DataFrame({"band": ["-1 to 5", "-1 to 5", "=6"], "ill": ["=flu", "no", "no"]})
    frame.write_parquet(tmp_path / "in.parquet")
    frame[[0, 0, 1, 1, 2, 2]].write_parquet(tmp_path / "town.parquet")
    roles = mv.Roles(quasi_identifiers=["band"], sensitive=["ill"])
    require = [
        mv.KMap(k=2, population=str(tmp_path / "town.parquet")),
        mv.AlphaKAnonymity(alpha=0.6, k=1, column="ill", value="=flu"),
    ]
    recipe = mv.Recipe(roles=roles, require=require)
    out = tmp_path / "out.csv"
    done = mv.run_file(recipe, tmp_path / "in.parquet", out, in_parts=in_parts)
    assert [check.achieved for check in done.checks] == [2, 0.5]
    assert "'=6" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("in_parts", [False, True])
def test_cells_that_an_apostrophe_makes_alike_count_as_one(in_parts: bool, tmp_path: Path) -> None:  # noqa: FBT001  a parameter
    frame = pl.DataFrame({"sex": ["f", "f"], "ill": ["=flu", "'=flu"]})
    frame.write_parquet(tmp_path / "in.parquet")
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["ill"])
    recipe = mv.Recipe(roles=roles, require=[mv.LDiversity(l=2)])
    out = tmp_path / "out.csv"
    try:
        assert not mv.run_file(recipe, tmp_path / "in.parquet", out, in_parts=in_parts).holds
    except mv.RequirementNotMetError as error:
        assert "not in what CSV can keep" in str(error)  # noqa: PT017  one of two ways to refuse
    assert not out.exists()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_amounts_of_money_are_looked_up_in_a_population_in_parts(
    suffix: str, tmp_path: Path
) -> None:
    pay = pl.DataFrame({"pay": pl.Series(["2.00", "1.10"]).cast(pl.Decimal(8, 2))})
    pay.write_parquet(tmp_path / "in.parquet")
    population = mv.KMap(k=2, population=str(tmp_path / "town.parquet"))
    pay[[0, 0, 1, 1, 1]].write_parquet(tmp_path / "town.parquet")
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["pay"]), require=[population])
    out = tmp_path / f"out.{suffix}"
    done = mv.run_file(recipe, tmp_path / "in.parquet", out, in_parts=True)
    assert done.checks[0].achieved == 2


def test_a_key_that_is_dropped_on_the_way_out_is_no_key(tmp_path: Path) -> None:
    frame = pl.DataFrame({"home": [1, 2, 3, 4], "sex": ["f", "f", "m", "m"]})
    frame.write_parquet(tmp_path / "in.parquet")
    roles = mv.Roles(quasi_identifiers=["sex", "home"], household="home")
    recipe = mv.Recipe(roles=roles, require=[mv.KAnonymity(k=2)], undeclared="drop")
    release = mv.run(recipe, frame)
    assert release.holds
    assert release.data.columns == ["sex"]
    assert release.risk.k == 2
    for in_parts in (True, False):
        out = tmp_path / f"{in_parts}.csv"
        done = mv.run_file(recipe, tmp_path / "in.parquet", out, in_parts=in_parts)
        assert done.checks[0].achieved == 2
        assert mv.read(out).columns == ["sex"]
    refused = mv.run(recipe.model_copy(update={"undeclared": "refuse"}), frame)
    assert not refused.holds


def test_an_empty_table_of_people_is_checked_with_wildcards() -> None:
    nobody = {"person": ["a"], "sex": [None], "age": ["x"], "ill": ["no"]}
    roles = mv.Roles(quasi_identifiers=["sex", "age"], sensitive=["ill"], entity="person")
    recipe = mv.Recipe(
        roles=roles,
        steps=[mv.Drop(columns=["person"]), mv.SuppressRecords(k=2)],
        require=[mv.LDiversity(l=2), mv.TCloseness(t=0.2)],
        missing="wildcard",
    )
    release = mv.run(recipe, nobody)
    assert release.table.height == 0
    assert release.holds
