"""The smallest case of each guarantee that holds wherever two features meet."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv

TWICE = mv.Roles(quasi_identifiers=["a", "b"], entity="id")
VISITS = {"id": [1, 1, 2, 2], "a": ["x", "x", "y", "y"], "b": ["p", None, "q", None]}


@pytest.mark.parametrize("in_parts", [True, False])
@pytest.mark.parametrize(
    ("name", "cells", "k"),
    [("@zip", [*"abcd"], 4), ("nace", ["10.1", "10.10", "20.2", "20.20"], 2)],
    ids=["a name that is neutralised", "text that reads like a number"],
)
def test_keys_are_read_back_by_name_and_type(
    name: str,
    cells: list[str],
    k: int,
    in_parts: bool,  # noqa: FBT001  a parameter
    tmp_path: Path,
) -> None:
    pl.DataFrame({name: cells}).write_parquet(tmp_path / "in.parquet")
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=[name]), require=[mv.KAnonymity(k=k)])
    out = tmp_path / "out.csv"
    assert not mv.run_file(recipe, tmp_path / "in.parquet", out, in_parts=in_parts).holds
    assert not out.exists()


def test_tables_that_a_link_joins_keep_requirements_together() -> None:
    frame = {"age": [1, 2, 1, 2], "zip": [*"aabb"], "illness": [*"uvuv"]}
    split = mv.Decompose(groups={"main": ["age"], "rest": ["zip", "illness"]})
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["age", "zip"], sensitive=["illness"]),
        steps=[split],
        require=[mv.KAnonymity(k=2)],
    )
    assert not mv.run(recipe, frame).holds


def test_removed_records_and_their_categories_leave_no_part(tmp_path: Path) -> None:
    illness = pl.Series([*"uvu", "SECRET"], dtype=pl.Enum(["u", "v", "SECRET"]))
    frame = pl.DataFrame({"age": [1, 1, 1, 4], "illness": illness})
    split = mv.Decompose(groups={"main": ["age"], "rest": ["illness"]})
    roles = mv.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    recipe = mv.Recipe(
        roles=roles, steps=[split, mv.SuppressRecords(k=2)], require=[mv.KAnonymity(k=2)]
    )
    release = mv.run(recipe, frame)
    assert release.parts["rest"].height == 3
    release.write(tmp_path / "out.parquet")
    assert len(list(tmp_path.iterdir())) == 2
    assert all(b"SECRET" not in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("model", "achieved"),
    [
        (mv.KAnonymity(k=2), 1),
        (mv.AverageRisk(threshold=0.5), 1),
        (mv.PopulationUniqueness(threshold=0.1, sampling_share=0.5, estimator="zayatz"), 1),
    ],
)
def test_blanks_of_one_person_do_not_vouch_for_each_other(
    model: mv.PrivacyModel, achieved: float
) -> None:
    check = model.check(VISITS, TWICE, missing="wildcard")
    assert not check.holds
    assert check.achieved == achieved


def test_blanks_of_one_person_do_not_vouch_for_each_other_by_their_weights() -> None:
    frame = VISITS | {"w": [1.0] * 4}
    roles = TWICE.model_copy(update={"weight": "w"})
    for model in (mv.KMap(k=2), mv.DeltaPresence(maximum=0.9)):
        check = model.check(frame, roles, missing="wildcard")
        assert not check.holds
        assert check.achieved == 1


def test_a_persons_weight_counts_once() -> None:
    frame = {"id": [1, 1, 1, 2], "a": [*"xxxx"], "w": [2.0] * 4}
    roles = mv.Roles(quasi_identifiers=["a"], entity="id", weight="w")
    assert mv.KMap(k=5).check(frame, roles).achieved == 4
    assert mv.DeltaPresence(maximum=0.9).check(frame, roles).achieved == 0.5
    score = mv.IndividualRisk().measure(frame, roles=roles)
    assert score.parts["population_size"] == 4


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "xlsx", "dta", "sav", "db"])
def test_zeros_and_blanks_mean_the_same_in_every_format(suffix: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [0.0, -0.0, 0.0, -0.0], "s": ["", None, "u", "v"]})
    roles = mv.Roles(quasi_identifiers=["x"], sensitive=["s"])
    requires = [mv.KAnonymity(k=4), mv.LDiversity(l=3, missing_counts=True)]
    release = mv.run(mv.Recipe(roles=roles, require=requires), frame)
    how: dict[str, Any] = {"table": "t"} if suffix == "db" else {}
    release.write(tmp_path / f"out.{suffix}", **how)
    again = mv.read(tmp_path / f"out.{suffix}", **how)
    assert not np.signbit(again["x"].cast(pl.Float64).to_numpy()).any()
    assert [model.check(again, roles).achieved for model in requires] == [4, 3]


def test_noise_of_one_seed_cannot_be_combined() -> None:
    x = np.arange(50) * 1.7

    def noised(sd_share: float, factor: float = 1.0) -> Any:
        step = mv.AdditiveNoise(columns=["x"], sd_share=sd_share)
        recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["x"]), steps=[step])
        return mv.run(recipe, pl.DataFrame({"x": x * factor}), seed=1).data["x"].to_numpy()

    assert np.abs(2 * noised(0.2) - noised(0.4) - x).max() > 1
    assert np.abs(noised(0.2, 2.0) / 2 - noised(0.2)).max() > 1


def test_people_who_are_alone_with_their_towns_are_not_five_alike() -> None:
    pairs = list(combinations("ABCDEFGH", 2))
    frame = {
        "id": [n for n in range(len(pairs)) for _ in range(2)],
        "town": [town for pair in pairs for town in pair],
    }
    roles = mv.Roles(quasi_identifiers=["town"], entity="id")
    shown = mv.Recipe(
        roles=roles, steps=[mv.Pseudonymize(columns=["id"])], require=[mv.KAnonymity(k=5)]
    )
    hidden = mv.Recipe(roles=roles, steps=[mv.Drop(columns=["id"])], require=[mv.KAnonymity(k=5)])
    assert mv.run(shown, frame).checks[0].achieved == 1
    assert mv.run(hidden, frame).checks[0].achieved == 7


def test_two_people_with_the_same_illnesses_are_not_diverse() -> None:
    frame = {"id": [1, 1, 1, 2, 2, 2], "a": ["x"] * 6, "s": [*"uvwuvw"]}
    roles = mv.Roles(quasi_identifiers=["a"], entity="id", sensitive=["s"])
    assert mv.LDiversity(l=3).check(frame, roles).achieved == 1


NAMES = ["__n", "__class", "__value", "__total"]


@pytest.mark.parametrize("missing", ["category", "wildcard"])
def test_reserved_names_are_names_like_any_other(missing: Any, tmp_path: Path) -> None:
    frame = pl.DataFrame({name: [*"xxyy"] for name in NAMES})
    frame.write_parquet(tmp_path / "people.parquet")
    people = str(tmp_path / "people.parquet")
    roles = mv.Roles(quasi_identifiers=NAMES[:2], sensitive=NAMES[2:])
    for model, achieved in (
        (mv.KAnonymity(k=2), 2),
        (mv.LDiversity(l=2), 1),
        (mv.KMap(k=2, population=people), 2),
        (mv.DeltaPresence(maximum=1, population=people), 1),
        (mv.AlphaKAnonymity(alpha=1, k=2), 1),
        (mv.AverageRisk(threshold=1), 0.5),
    ):
        assert model.check(frame, roles, missing=missing).achieved == achieved


def test_average_risk_is_one_number_for_people_with_several_rows() -> None:
    frame = {"id": [1, 1, 2, 3], "a": [*"xxxy"]}
    roles = mv.Roles(quasi_identifiers=["a"], entity="id")
    assert mv.assess(frame, roles).average_risk == pytest.approx(2 / 3)
    assert mv.AverageRisk(threshold=1).check(frame, roles).achieved == pytest.approx(2 / 3)


def test_without_a_key_left_everybody_of_a_population_counts(tmp_path: Path) -> None:
    pl.DataFrame({"a": [*"xxyy"]}).write_parquet(tmp_path / "people.parquet")
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["a"]),
        steps=[mv.Drop(columns=["a"])],
        require=[mv.KMap(k=2, population=str(tmp_path / "people.parquet"))],
    )
    assert mv.run(recipe, {"a": [*"xxyy"], "b": [1] * 4}).checks[0].achieved == 4
