"""One random run: a release is made, and everything it says is worked out again by other code."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

import microveil as mv
from tests.verifier import restated
from tests.verifier.derived import completed
from tests.verifier.files import FORMATS, read_again, target
from tests.verifier.recipes import TREE, random_population, random_recipe
from tests.verifier.seen import Seen, plain, plain_rows
from tests.verifier.tables import MARK, random_table

LAZY = ("csv", "tsv", "parquet", "jsonl")
ESTIMATED = ("population_uniqueness",)


@dataclass(frozen=True)
class Case:
    """A random table, recipe and population."""

    seed: int
    frame: pl.DataFrame
    recipe: mv.Recipe
    people: Sequence[Mapping[str, Any]]
    """The population, row by row."""
    folder: Path

    @classmethod
    def of(cls, seed: int, folder: Path) -> Case:
        """The case of a seed."""
        rng = random.Random(seed)
        frame, keys = random_table(rng)
        population = random_population(rng, frame)
        if seed % 5 < 2:  # whose row is whose is not always told
            population = population.drop("person")
        path = folder / f"population-{seed}.parquet"
        population.write_parquet(path)
        recipe = random_recipe(rng, frame, keys, path)
        return cls(seed, frame, recipe, plain_rows(population), folder)

    def said(self, model: mv.PrivacyModel) -> dict[str, Any]:
        """The parameters of a model as a recipe states them."""
        return {
            "kind": getattr(model, "variant", None),
            "tree": TREE,
            "people": self.people,
            "entity": self.recipe.roles.entity,
            **{name: getattr(model, name) for name in type(model).model_fields},
        }


def check_case(seed: int, folder: Path) -> str:
    """Verify one random release: in memory, in a file, and in parts; what there was to see."""
    case = Case.of(seed, folder)
    try:
        release = mv.run(case.recipe, case.frame, seed=seed)
    except mv.InputError as error:
        _tells_no_cell(str(error))
        return "refused"
    seen = dict(_seen(case, release))
    _agree(case, release.checks, seen, "in memory", dict(_completed(case, release)))
    _in_a_file(case, release, seen)
    if case.recipe.row_wise:
        _in_parts(case)
    return "holds" if release.holds else "broken"


def _seen(case: Case, release: mv.Release) -> Iterator[tuple[str | None, Seen]]:
    """Each set of keys with what an intruder sees: all tables joined on their links."""
    yield from _by_scenario(case, _joined(release), release.rows)


def _joined(release: mv.Release) -> pl.DataFrame:
    frame = release.table.frame
    for part in release.part_tables.values():
        frame = frame.join(part, on="link_id", how="left", maintain_order="left")
    return frame


def _by_scenario(
    case: Case, frame: pl.DataFrame, rows: Any, *, known_people: bool = True
) -> Iterator[tuple[str | None, Seen]]:
    roles = case.recipe.roles
    people = _people(case, rows) if roles.entity and known_people else None
    cells = plain_rows(frame)
    linked = False
    shown = set(frame.columns) - _held_back(case.recipe)
    if people is not None and roles.entity in shown:
        pairs = {(person, row[roles.entity]) for person, row in zip(people, cells, strict=True)}
        linked = len(pairs) == len(set(people)) == len({told for _, told in pairs})
    ranks = {
        name: {value: rank for rank, value in enumerate(dtype.categories)}
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.Enum)
    }
    whole = Seen(cells, (), case.recipe.missing == "wildcard", people, linked, roles.weight, ranks)
    main: dict[str | None, Sequence[str]] = {None: roles.quasi_identifiers}
    for scenario, keys in (main | dict(roles.scenarios)).items():
        there = [name for name in keys if name in shown]
        if there or scenario is None:
            yield scenario, replace(whole, keys=there)


def _held_back(recipe: mv.Recipe) -> set[str]:
    """Ids that are dropped on the way out, because no step deals with them."""
    roles = recipe.roles
    dealt = {name for step in recipe.steps for name in getattr(step, "columns", ())}
    if any(step.splits for step in recipe.steps):
        dealt |= {"person", "home"}  # left out of the tables
    ids = {*roles.identifiers, roles.entity or "", roles.household or ""}
    return ids - dealt - set(recipe.keep) if recipe.undeclared == "drop" else set()


def _people(case: Case, rows: Any) -> list[Any]:
    """Whose each released row is, by the original."""
    entity = case.recipe.roles.entity
    assert entity is not None
    told = [plain(cell) for cell in case.frame[entity].to_list()]
    return told if rows is None else [told[row] for row in rows]


def _completed(case: Case, release: mv.Release) -> Iterator[tuple[str | None, Seen]]:
    """What an intruder sees after filling in what the release gives back; nothing if unknown."""
    rows, roles = release.rows, case.recipe.roles
    after = _joined(release)
    if release.table.synthetic or after.height != release.table.height:
        return  # a link that leads to several values gives none back
    if rows is None and after.height != case.frame.height:
        return
    before = case.frame if rows is None else case.frame[rows]
    shown = [name for name in after.columns if name not in release.held_back]
    keys = {key: None for some in roles.key_sets().values() for key in some}
    ids = {name for name in (roles.household, roles.entity) if name}
    perturbed = {
        name
        for step in case.recipe.steps
        if step.perturbative
        for name in step.touches(release.original)
    }
    there = [key for key in keys if key in shown]
    people = _people(case, rows) if roles.entity else None
    told = completed(before, after, there, shown, ids, perturbed, people)
    for scenario, one in _by_scenario(case, after, rows):
        yield scenario, replace(one, rows=told)


def _agree(
    case: Case,
    checks: Sequence[mv.Check],
    seen: Mapping[str | None, Seen],
    where: str,
    told_more: Mapping[str | None, Seen],
) -> None:
    """Every check says what the definition says, and fails if it holds only until it is derived."""
    models = [(scenario, model) for scenario in seen for model in case.recipe.models]
    assert len(checks) == len(models), f"seed {case.seed}: checks {where}"
    for check, (scenario, model) in zip(checks, models, strict=True):
        assert check.scenario == scenario
        _tells_no_cell(check.sentence())
        restate = restated.MODELS[model.kind()]
        reached, kept = restate(seen[scenario], case.said(model))
        if kept and scenario in told_more and getattr(model, "population", None) is None:
            completed_reached, still = restate(told_more[scenario], case.said(model))
            reached, kept = (reached, kept) if still else (completed_reached, still)
        told = f"seed {case.seed}, {where}: {check.sentence()} Restated: {reached}, {kept}"
        close = 1e-3 if model.kind() in ESTIMATED else 1e-9
        if seen[scenario].rows:
            assert _near(check.achieved, reached, close), told
        if _decided(model, reached, close):
            assert check.holds == kept, told


def _near(one: float, other: float, close: float) -> bool:
    return one == other or math.isclose(one, other, rel_tol=close, abs_tol=1e-9)


def _decided(model: mv.PrivacyModel, reached: float, close: float) -> bool:
    """Whether an estimate is far enough from its limit to be compared."""
    limit = getattr(model, "threshold", None)
    return model.kind() not in ESTIMATED or not _near(reached, limit or 0, 10 * close)


def _in_a_file(case: Case, release: mv.Release, seen: Mapping[str | None, Seen]) -> None:
    rng = random.Random(case.seed + 1)
    kind = rng.choice(FORMATS)
    path, options = target(case.folder, str(case.seed), kind)
    try:
        release.write(path, keep_order=True, **options)
    except (mv.InputError, mv.RequirementNotMetError) as error:
        _tells_no_cell(str(error))
        assert not Path(path).exists(), f"seed {case.seed}: {kind} was left behind"
        return
    assert release.holds, f"seed {case.seed}: a broken release was written"
    if release.part_tables:
        return
    names = [name for name in release.table.columns if name not in release.held_back]
    cells = read_again(path, kind)
    if kind in ("xlsx", "ods", "csv", "tsv", "csv.gz") and len(cells) < release.table.height:
        return  # a row in which nothing stands is no row to other readers
    assert len(cells) == release.table.height, f"seed {case.seed}: rows in {kind}"
    _kept(case, _as_before(cells, names, release), seen, kind)


def _as_before(
    cells: Sequence[tuple[Any, ...]], names: Sequence[str], release: mv.Release
) -> list[dict[str, Any]]:
    """The file's rows; numbers and dates that stand there as text are taken for what they were.

    So is text with an apostrophe against formulas, unless that makes two values one.
    """
    rows = [{name: plain(cell) for name, cell in zip(names, row, strict=True)} for row in cells]
    typed = plain_rows(release.table.frame.select(names))
    for row, before in zip(rows, typed, strict=True):
        for name, cell in before.items():
            if cell is None or row[name] is None:
                continue
            if not isinstance(cell, str) or row[name] == f"'{cell}":
                row[name] = cell
    return rows


def _kept(
    case: Case, rows: Sequence[Mapping[str, Any]], seen: Mapping[str | None, Seen], kind: str
) -> None:
    """The file keeps what the table keeps; columns that did not leave are not looked at."""
    there = set(rows[0]) if rows else set()
    for scenario, before in seen.items():
        keys = [name for name in before.keys if name in there]
        weight = before.weight if before.weight in there else None
        stored = replace(before, rows=rows, keys=keys, weight=weight)
        for model in case.recipe.models:
            if not set(model.reads(case.recipe.roles)) <= there or weight != before.weight:
                continue
            _, kept = restated.MODELS[model.kind()](stored, case.said(model))
            assert kept, f"seed {case.seed}: {model.kind()} of {scenario} in {kind}"


def _in_parts(case: Case) -> None:
    rng = random.Random(case.seed + 2)
    source_kind, kind = rng.choice(LAZY), rng.choice(LAZY)
    source = case.folder / f"{case.seed}-in.{source_kind}"
    out = case.folder / f"{case.seed}-parts.{kind}"
    try:
        mv.write(case.frame, source, keep_order=True, neutralize=False)
        done = mv.run_file(case.recipe, source, out, seed=case.seed, in_parts=True, keep_order=True)
    except mv.InputError as error:
        _tells_no_cell(str(error))
        return
    assert out.exists() == done.holds, f"seed {case.seed}: a file in parts"
    whole = case.folder / f"{case.seed}-whole.{kind}"
    try:
        other = mv.run_file(
            case.recipe, source, whole, seed=case.seed, in_parts=False, keep_order=True
        )
    except mv.RequirementNotMetError:
        assert not done.holds, f"seed {case.seed}: written in parts, refused as a whole"
        return
    if any("'=1+1" in case.frame[name].cast(pl.String).to_list() for name in case.frame.columns):
        return  # the file may keep what the table does not: two values become one in it
    told = f"seed {case.seed}: {source_kind} to {kind} in parts and whole"
    assert [one.holds for one in done.checks] == [one.holds for one in other.checks], told
    for one, two in zip(done.checks, other.checks, strict=True):
        assert _near(one.achieved, two.achieved, 1e-9), f"{told}: {one.sentence()} {two.sentence()}"


def _tells_no_cell(message: str) -> None:
    assert MARK not in message, message
    assert "please report" not in message, message
