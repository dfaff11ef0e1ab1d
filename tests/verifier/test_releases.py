"""What a release hands out keeps its promises, in memory and in every file, by other code."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from tests.verifier import restated
from tests.verifier.tables import random_table

N_RUNS, N_LONG = 300, 20_000
FORMATS = ["csv", "tsv", "parquet", "jsonl", "xlsx", "db", "dta", "sav"]


def random_steps(rng: random.Random, keys: Sequence[str], k: int) -> list[mv.Method]:
    """Some steps in a random order, the last of which usually reaches the goal."""
    choices: list[Callable[[], mv.Method]] = [
        lambda: mv.GroupRare(columns=[rng.choice(keys)], min_count=2),
        lambda: mv.Generalize(column=rng.choice(keys), hierarchy={"hierarchy": "types"}, level=1),
        lambda: mv.Permute(columns=[rng.choice(keys)]),
        lambda: mv.Sample(share=0.7),
    ]
    steps = [rng.choice(choices)() for _ in range(rng.randint(0, 2))]
    last: list[Callable[[], mv.Method]] = [
        lambda: mv.SuppressRecords(k=k),
        lambda: mv.LocalSuppression(k=k),
        lambda: mv.Mondrian(k=k),
    ]
    return [*steps, rng.choice(last)()] if rng.random() < 0.8 else steps


def random_requirements(rng: random.Random, k: int) -> list[mv.PrivacyModel]:
    """k-anonymity, and sometimes a promise about the sensitive column."""
    further: list[Callable[[], mv.PrivacyModel]] = [
        lambda: mv.LDiversity(l=2, column="secret"),
        lambda: mv.LDiversity(l=1.5, column="secret", kind="entropy"),
        lambda: mv.LDiversity(l=2, column="secret", kind="recursive", c=3),
        lambda: mv.TCloseness(t=0.4, column="secret"),
        lambda: mv.AlphaKAnonymity(alpha=0.8, k=k, column="secret"),
        lambda: mv.BetaLikeness(beta=2, column="secret"),
    ]
    found: list[mv.PrivacyModel] = [mv.KAnonymity(k=k)]
    return [*found, rng.choice(further)()] if rng.random() < 0.5 else found


def plain_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The frame as plain rows: NaN and empty text are missing, and there is one zero."""
    return [{name: _plain(cell) for name, cell in row.items()} for row in frame.to_dicts()]


def _plain(cell: Any) -> Any:
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell + 0.0
    return None if cell == "" else cell


def kept(model: mv.PrivacyModel, rows: restated.Rows, keys: Sequence[str]) -> bool:
    """Whether a promise holds for rows, by its definition."""
    everybody = [row["secret"] for row in rows] if rows and "secret" in rows[0] else []
    if isinstance(model, mv.KAnonymity):
        return restated.smallest_class(rows, keys) >= model.k
    if isinstance(model, mv.AlphaKAnonymity):
        share = restated.worst(rows, keys, "secret", restated.largest_share, low=False)
        enough = restated.smallest_class(rows, keys) >= model.k
        return enough and share <= model.alpha + restated.SLACK
    if isinstance(model, mv.TCloseness):
        far = restated.worst(
            rows, keys, "secret", lambda v: restated.variational_distance(v, everybody), low=False
        )
        return far <= model.t + restated.SLACK
    if isinstance(model, mv.BetaLikeness):
        gain = restated.worst(
            rows, keys, "secret", lambda v: restated.relative_gain(v, everybody), low=False
        )
        return gain <= model.beta + restated.SLACK
    assert isinstance(model, mv.LDiversity)
    return _diverse(model, rows, keys)


def _diverse(model: mv.LDiversity, rows: restated.Rows, keys: Sequence[str]) -> bool:
    groups = [[r["secret"] for r in one] for one in restated.classes_of(rows, keys).values()]
    if model.variant == "recursive":
        assert model.c is not None
        return all(restated.is_recursive(one, model.c, int(model.l)) for one in groups)
    measure = {"distinct": restated.distinct_diversity, "entropy": restated.entropy_diversity}
    return all(measure[model.variant](one) >= model.l - restated.SLACK for one in groups)


def released(seed: int) -> tuple[mv.Recipe, mv.Release] | None:
    """A random release; none where the recipe cannot be run on the data."""
    rng = random.Random(seed)
    frame, keys, secret, entity = random_table(rng)
    k = rng.choice([2, 3])
    roles = mv.Roles(quasi_identifiers=keys, sensitive=[secret], identifiers=[entity])
    recipe = mv.Recipe(
        roles=roles,
        steps=[mv.Drop(columns=[entity]), *random_steps(rng, keys, k)],
        require=random_requirements(rng, k),
    )
    try:
        return recipe, mv.run(recipe, frame, seed=seed)
    except mv.InputError:
        return None


def read_again(name: str, path: str | Path) -> pl.DataFrame:
    """What stands in a file; text files by another reader, every cell as text."""
    if name in {"csv", "tsv"}:
        separator = "," if name == "csv" else "\t"
        return pl.read_csv(path, infer_schema=False, separator=separator)
    return mv.read(path)


def check_one(seed: int, folder: Path) -> bool:
    """Verify one random release; whether there was something to verify."""
    made = released(seed)
    if made is None or not made[1].holds or not made[1].table.height:
        return False
    recipe, release = made
    rows = plain_rows(release.data)
    keys = [name for name in recipe.roles.quasi_identifiers if rows and name in rows[0]]
    broken = [model.kind() for model in recipe.models if not kept(model, rows, keys)]
    assert not broken, f"seed {seed}: {broken} in memory"
    rng = random.Random(seed + 1)
    name = rng.choice(FORMATS)
    path = (
        f"sqlite:///{folder / f'{seed}.db'}?table=t" if name == "db" else folder / f"{seed}.{name}"
    )
    try:
        release.write(path)
    except (mv.InputError, mv.RequirementNotMetError):
        return True
    again = read_again(name, path)
    stored = plain_rows(again.rename(dict(zip(again.columns, release.data.columns, strict=True))))
    if name == "xlsx":  # a spreadsheet has no row in which nothing stands
        stored, rows = (
            [r for r in one if any(v is not None for v in r.values())] for one in (stored, rows)
        )
    assert len(stored) == len(rows), f"seed {seed}: rows in {name}"
    if len(stored) < release.table.height:
        return True
    k = next(model.k for model in recipe.require if isinstance(model, mv.KAnonymity))
    assert restated.smallest_class(stored, keys) >= k, f"seed {seed}: k in {name}"
    return True


@pytest.mark.parametrize("part", range(6))
def test_what_is_released_keeps_its_promises_by_other_code(part: int, tmp_path: Path) -> None:
    size = N_RUNS // 6
    done = [check_one(seed, tmp_path) for seed in range(part * size, (part + 1) * size)]
    assert sum(done) > size // 8


@pytest.mark.slow
@pytest.mark.parametrize("part", range(40))
def test_many_releases_keep_their_promises_by_other_code(part: int, tmp_path: Path) -> None:
    size = N_LONG // 40
    first = 1_000_000 + part * size
    assert sum(check_one(seed, tmp_path) for seed in range(first, first + size)) > size // 8


@pytest.mark.parametrize("seed", range(40))
def test_a_promise_holds_for_people_whose_rows_are_linked(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.choice([6, 12, 24])
    frame = pl.DataFrame(
        {
            "person": [f"p{rng.randrange(max(n // 2, 1))}" for _ in range(n)],
            "town": [rng.choice("ab") for _ in range(n)],
        }
    )
    roles = mv.Roles(quasi_identifiers=["town"], entity="person")
    check = mv.KAnonymity(k=2).check(frame, roles)
    plain = restated.smallest_group_of_people(plain_rows(frame), ["town"], "person")
    assert check.achieved == plain
    assert check.holds == (plain >= 2)
