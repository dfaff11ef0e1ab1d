"""Population files: how many people share the keys of a class."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.populations.population_file import fitting, in_population, read_population
from microveil.tables import Classes, Roles, Table
from microveil.tables.classes import Missing

ROLES = Roles(quasi_identifiers=["town", "job"], entity="id")
MISSING: tuple[Missing, ...] = ("category", "wildcard")


def table(rows: list[tuple[str | None, str | None, str]], roles: Roles = ROLES) -> Table:
    return Table(pl.DataFrame(rows, schema=["town", "job", "id"], orient="row"), roles)


def naive(mine: tuple[str | None, ...], theirs: tuple[str | None, ...], missing: Missing) -> bool:
    if missing == "category":
        return mine == theirs
    if None not in mine and set(theirs) == {None}:
        return False
    return all(a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True))


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_people_are_counted_once_however_many_rows_they_have(
    seed: int, *, told: bool, missing: Missing
) -> None:
    rng = random.Random(seed)
    cells = ["a", "b", None]
    rows = [(rng.choice(cells), rng.choice(cells), f"p{rng.randrange(6)}") for _ in range(8)]
    crowd = [(rng.choice(cells), rng.choice(cells), f"p{rng.randrange(9)}") for _ in range(25)]
    people = pl.DataFrame(crowd, schema=["town", "job", "id"], orient="row")
    classes = Classes.of(table(rows), missing=missing).by_row

    found = in_population(classes, people if told else people.drop("id"))

    known = set[object]()
    for key, count in zip(classes.keys.rows(), found.counts, strict=True):
        rows_that_fit = [at for at, one in enumerate(crowd) if naive(key, one[:2], missing)]
        fits = {crowd[at][2] if told else at for at in rows_that_fit}
        assert count == len(fits)
        known |= fits
    everybody = {one[2] if told else at for at, one in enumerate(crowd)}
    assert found.n_outside == len(everybody - known)
    assert bool(found.notes) == (not told)


def test_a_dropped_entity_still_tells_the_population_apart(tmp_path: Path) -> None:
    path = tmp_path / "town.parquet"
    pl.DataFrame({"town": ["a"] * 6, "id": ["p", "p", "p", "q", "q", "q"]}).write_parquet(path)
    survey = pl.DataFrame({"town": ["a", "a"], "id": ["p", "q"]})
    roles = mv.Roles(quasi_identifiers=["town"], entity="id")
    for k, holds in ((2, True), (3, False)):
        recipe = mv.Recipe(
            roles=roles,
            steps=[mv.Drop(columns=["id"])],
            require=[mv.KMap(k=k, population=str(path))],
        )
        release = mv.run(recipe, survey)
        assert release.checks[0].achieved == 2
        assert release.holds is holds


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "xlsx", "ods"])
def test_a_file_tells_people_apart_in_every_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"people.{suffix}"
    crowd = pl.DataFrame({"x": [1, 2, 3], "town": ["a"] * 3, "job": ["j"] * 3, "id": list("ppq")})
    mv.write(crowd, path)
    classes = Classes.of(table([("a", "j", "p")]))
    assert in_population(classes, read_population(str(path), classes)).counts.tolist() == [2]


def test_without_an_entity_every_row_is_a_person() -> None:
    crowd = pl.DataFrame({"town": ["a"] * 3, "job": ["j"] * 3, "id": list("ppq")})
    roles = Roles(quasi_identifiers=["town", "job"])
    found = in_population(Classes.of(table([("a", "j", "p")], roles)), crowd)
    assert found.counts.tolist() == [3]
    assert found.notes == ()


def test_people_with_several_rows_are_no_more_than_fit_their_rarest() -> None:
    crowd = pl.DataFrame({"town": list("aaab"), "job": list("jjjj"), "id": list("pqrp")})
    classes = Classes.of(table([("a", "j", "p"), ("b", "j", "p"), ("a", "j", "q")]))
    own = dict(itertools.zip_longest(classes.record_class.tolist(), ["p", "p", "q"]))
    counts = fitting(classes, crowd)
    assert {own[number]: counts[number] for number in range(2)} == {"p": 1.0, "q": 3.0}
