"""One rule for every way out: the same columns by `data`, by `parts` and by `write`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv

FRAME = pl.DataFrame(
    {
        "name": ["Ada", "Ben", "Cleo", "Dan"],
        "person": [1, 1, 2, 3],
        "home": [7, 7, 7, 8],
        "sex": ["f", "f", "f", "f"],
        "note": ["p", "q", "r", "s"],
    }
)
ROLES: dict[str, Any] = {"identifiers": ["name"], "quasi_identifiers": ["sex"]}


def _release(roles: dict[str, Any], *steps: mv.Method, **more: Any) -> mv.Release:
    return mv.run(
        mv.Recipe.model_validate({"roles": {**ROLES, **roles}, "steps": steps, **more}), FRAME
    )


def _ways_out(release: mv.Release, tmp_path: Path) -> list[set[str]]:
    release.write(tmp_path / "out.csv")
    return [set(release.data.columns), set(mv.read(tmp_path / "out.csv").columns)]


@pytest.mark.parametrize("word", ["refuse", "keep"])
def test_an_identifier_leaves_by_no_door(word: str, tmp_path: Path) -> None:
    release = _release({"insensitive": ["person", "home", "note"]}, undeclared=word)
    with pytest.raises(mv.InputError, match="'name' identifies people"):
        _ = release.data
    with pytest.raises(mv.InputError, match="'name' identifies people"):
        release.write(tmp_path / "out.csv")


def test_dropping_what_is_undeclared_drops_identifiers_and_ids_too(tmp_path: Path) -> None:
    release = _release({"entity": "person", "household": "home"}, undeclared="drop")
    assert _ways_out(release, tmp_path) == [{"sex"}] * 2


def test_an_undeclared_column_leaves_by_no_door(tmp_path: Path) -> None:
    release = _release({"insensitive": ["person", "home"]}, mv.Drop(columns=["name"]))
    for way in (lambda: release.data, lambda: release.write(tmp_path / "out.csv")):
        with pytest.raises(mv.InputError, match="Column 'note' is undeclared"):
            way()


@pytest.mark.parametrize("role", ["entity", "household"])
@pytest.mark.parametrize("word", ["refuse", "keep"])
def test_an_id_in_clear_leaves_by_no_door(role: str, word: str, tmp_path: Path) -> None:
    release = _release(
        {role: "person", "insensitive": ["home", "note", "person"]},
        mv.Drop(columns=["name"]),
        undeclared=word,
    )
    for way in (lambda: release.data, lambda: release.write(tmp_path / "out.csv")):
        with pytest.raises(mv.InputError, match=r"'person' shows which rows .* `keep`"):
            way()


def test_an_id_leaves_pseudonymized_dropped_or_kept_on_purpose(tmp_path: Path) -> None:
    roles = {"entity": "person", "insensitive": ["home", "note"]}
    drop = mv.Drop(columns=["name"])
    clear = _release(roles, drop, keep="person")
    assert _ways_out(clear, tmp_path) == [{"person", "home", "sex", "note"}] * 2
    other = _release(roles, drop, mv.Pseudonymize(columns=["person"]))
    assert _ways_out(other, tmp_path) == [{"person", "home", "sex", "note"}] * 2
    gone = _release(roles, mv.Drop(columns=["name", "person"]))
    assert _ways_out(gone, tmp_path) == [{"home", "sex", "note"}] * 2


def test_an_id_that_is_a_key_is_not_dealt_with_by_steps_on_all_keys() -> None:
    roles = {"quasi_identifiers": ["sex", "person"], "entity": "person"}
    drop = mv.Drop(columns=["name", "note", "home"])
    release = _release(roles, drop, mv.SuppressRecords(k=2, max_share=1))
    with pytest.raises(mv.InputError, match="'person' shows which rows"):
        _ = release.data


def test_keep_names_columns_there_are_and_no_identifier() -> None:
    with pytest.raises(mv.ColumnError, match="keep: No column 'persn'"):
        _release({}, keep="persn")
    with pytest.raises(mv.SpecError, match="'name' identifies people"):
        mv.Recipe.parse({"roles": ROLES, "keep": ["name"]})


def test_keep_survives_a_file() -> None:
    recipe = mv.Recipe(keep=["person"])
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe
    assert "keep" not in mv.Recipe().to_dict()


def test_a_single_undeclared_column_may_be_kept() -> None:
    release = _release({"insensitive": ["person", "home"]}, mv.Drop(columns=["name"]), keep="note")
    assert "note" in release.data.columns


def test_splitting_a_table_does_not_deal_with_its_identifiers(tmp_path: Path) -> None:
    groups = {"people": ["sex"], "names": ["name"]}
    release = _release({}, mv.Decompose(groups=groups))
    ways = (lambda: release.data, lambda: release.parts, lambda: release.write(tmp_path / "o.csv"))
    for way in ways:
        with pytest.raises(mv.InputError, match="'name' identifies people"):
            way()
    assert list(tmp_path.iterdir()) == []
    left_out = _release({}, mv.Decompose(groups={"people": ["sex"], "notes": ["note"]}))
    assert left_out.data.columns == ["link_id", "sex"]


def test_parts_of_a_broken_release_are_not_handed_out() -> None:
    steps = [mv.Decompose(groups={"a": ["sex"], "b": ["note"]})]
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["sex", "note"]), steps=steps, require=[mv.KAnonymity(k=2)]
    )
    release = mv.run(recipe, FRAME)
    with pytest.raises(mv.RequirementNotMetError):
        _ = release.parts


def test_secrets_and_doors_are_not_shown() -> None:
    release = _release(
        {"insensitive": ["person", "home", "note"]},
        mv.Pseudonymize(columns=["name"], mapping=True),
    )
    assert "Ada" not in repr(release)
    assert release.secrets["pseudonymize_mapping"].height == 4


def test_the_data_are_numbered_anew_and_parts_are_shuffled(tmp_path: Path) -> None:
    n = 200
    frame = pl.DataFrame({"sex": ["f"] * n, "n": range(n)}).to_pandas()
    frame.index = pl.Series(range(1000, 1000 + n)).to_pandas()
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["sex"], insensitive=["n"]),
        steps=[mv.Decompose(groups={"a": ["sex"], "b": ["n"]})],
    )
    release = mv.run(recipe, frame)
    assert release.data.index.tolist() == list(range(n))
    release.write(tmp_path / "out.parquet")
    links = pl.read_parquet(tmp_path / "out.b.parquet")["link_id"].to_list()
    assert links != sorted(links)
    release.write(tmp_path / "kept.parquet", keep_order=True)
    assert pl.read_parquet(tmp_path / "kept.b.parquet")["link_id"].is_sorted()


def test_a_release_with_an_undecided_column_does_not_say_that_it_may_leave() -> None:
    release = _release({"household": "home"}, mv.Drop(columns=["name", "person", "note"]))
    assert release.holds
    assert "may be released" not in repr(release)
    assert "Column 'home' shows which rows belong to one person or household" in repr(release)
    free = _release({"household": "home"}, mv.Drop(columns=["name", "person", "note", "home"]))
    assert "it was not checked: nothing is required of it" in repr(free)


def test_everything_that_must_be_decided_is_said_at_once() -> None:
    release = _release({"household": "home"})
    with pytest.raises(mv.InputError) as raised:
        _ = release.data
    words = str(raised.value)
    assert "Column 'name' identifies people" in words
    assert "Column 'home' shows which rows" in words
    assert "Columns 'person', 'note' are undeclared: they have no role" in words
