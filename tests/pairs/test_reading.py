from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.hierarchies import Types
from microveil.pairs.reading import Reading, first_of_each
from microveil.tables import Roles, Table

FRAME = pl.DataFrame({"age": [40, 43, 47, 51, 58, 59], "job": ["a", "a", "a", "b", "c", "d"]})
STEPS = [
    mv.Generalize(column="age", hierarchy={"hierarchy": "types"}, level=1),
    mv.GroupRare(columns=["job"], min_count=3),
]
RECIPE = mv.Recipe(roles=mv.Roles(quasi_identifiers=["age", "job"]), steps=STEPS)


def read(released: pl.DataFrame | Table, recipe: mv.Recipe | None = RECIPE) -> Reading:
    table = released if isinstance(released, Table) else Table(released)
    return Reading.of(Table(FRAME, RECIPE.roles), table, recipe=recipe)


def standing_for(reading: Reading, name: str) -> dict[str, list[object]]:
    column = reading.column(name)
    return {
        label: column.written.gather(column.cover.members(place)).to_list()
        for place, label in enumerate(column.label_texts.cast(pl.String))
    }


def test_labels_mean_the_same_however_the_release_comes() -> None:
    release = mv.run(RECIPE, FRAME).table
    shuffled = release.frame[[3, 1, 5, 0, 2, 4]]
    as_numbers = release.frame.with_columns(pl.col("age").cast(pl.Int64))
    fewer = release.take(np.array([0, 1, 3, 4, 5]))
    for released in (release, release.frame, shuffled, as_numbers, fewer):
        reading = read(released)
        assert standing_for(reading, "age") == {"40": [40, 43, 47], "50": [51, 58, 59]}
        assert standing_for(reading, "job") == {"a": ["a"], "other": ["b", "c", "d"]}


def test_a_given_hierarchy_says_the_same_as_the_step() -> None:
    release = mv.run(RECIPE, FRAME).table
    reading = read(release, None).with_hierarchies({"age": Types()})
    assert standing_for(reading, "age") == {"40": [40, 43, 47], "50": [51, 58, 59]}


def test_a_column_is_read_once() -> None:
    reading = read(FRAME, None)
    assert reading.column("age") is reading.column("age")
    assert not reading.column("age").labelled
    assert [one.name for one in reading.columns(["job", "age"])] == ["job", "age"]
    assert reading.common == ("age", "job")


def test_hierarchies_in_files_are_found_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("a;G\nb;G\nc;H\nd;H\n")
    (tmp_path / "recipe.yaml").write_text(
        "roles: {quasi_identifiers: [job]}\n"
        "steps: [{method: generalize, column: job, hierarchy: jobs.csv, level: 1}]\n"
    )
    recipe = mv.Recipe.read(tmp_path / "recipe.yaml")
    reading = read(mv.run(recipe, FRAME).table, recipe)
    assert standing_for(reading, "job") == {"G": ["a", "b"], "H": ["c", "d"]}


def test_removed_rows_and_chances_are_known() -> None:
    reading = read(Table(FRAME).take(np.array([4, 0])), None)
    assert reading.removed is not None
    assert reading.removed.tolist() == [1, 2, 3, 5]
    assert read(FRAME.head(2), None).removed is None
    assert read(mv.run(RECIPE, FRAME).table).column("age").chances.tolist() == [0.5, 0.5]


def test_rows_that_say_the_same_about_a_person_count_once() -> None:
    frame = pl.DataFrame({"who": [1, 1, 2, 2, 2], "x": [5, 5, 5, 6, 6]})
    roles = mv.Roles(entity="who", quasi_identifiers=["x"])
    reading = Reading.of(Table(frame, roles), Table(frame, roles))
    assert reading.people is not None
    assert reading.once(["x"]).tolist() == [0, 2, 3]
    alone = Reading.of(Table(frame), Table(frame))
    assert alone.people is None
    assert alone.once(["x"]).tolist() == [0, 1, 2, 3, 4]
    dropped = Reading.of(Table(frame, roles), Table(frame.drop("who")))
    assert dropped.people_released is not None
    assert dropped.once(["x"]).tolist() == [0, 2, 3]


def test_the_first_of_each_combination_is_kept_in_order() -> None:
    people = np.array([2, 1, 2])
    assert first_of_each(people, pl.DataFrame({"x": ["a", "a", "a"]})).tolist() == [0, 1]
    assert first_of_each(people, pl.DataFrame()).tolist() == [0, 1]


@pytest.mark.parametrize("removed", [False, True])
def test_rows_that_repeat_what_is_said_of_a_person_are_left_out(removed: bool) -> None:  # noqa: FBT001  a case
    frame = pl.DataFrame({"who": [1, 1, 2, 1, 2], "age": [30, 30, 40, 31, 40]})
    before = Table(frame, Roles(entity="who"))
    rows = np.array([0, 1, 2, 3]) if removed else np.arange(5)
    after = before.take(rows).with_columns([pl.Series("age", [3, 3, 4, 3, 4][: len(rows)])])
    once = Reading.of(before, after).said_once
    assert once.original.frame["age"].to_list() == ([30, 40, 31, 40] if removed else [30, 40, 31])
    assert once.link is not None
    assert once.original.frame["age"].gather(once.link).to_list() == [30, 40, 31]
    assert once.released.frame["age"].to_list() == [3, 4, 3]


def test_without_people_a_reading_is_what_it_was() -> None:
    table = Table({"age": [30, 30]})
    reading = Reading.of(table, table)
    assert reading.said_once is reading
