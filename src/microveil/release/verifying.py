"""Verifying: requirements checked on what is released, and on what a file can hold of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import MicroveilError, RequirementNotMetError
from microveil.files import format_of
from microveil.files.reading_back import as_stored, sha256
from microveil.files.sources import expand_home, reading
from microveil.files.writing import holds_exactly
from microveil.privacy import Check, KAnonymity, PrivacyModel
from microveil.recipes import Recipe
from microveil.release.evidence import Evidence
from microveil.release.limits import check_limits
from microveil.tables import Classes, LazyTable, Table
from microveil.tables.values import plain
from microveil.texts import join

if TYPE_CHECKING:
    from microveil.files import WriteReport
    from microveil.release.release import Release

Stored = Callable[[pl.DataFrame], pl.DataFrame]
"""A frame as a file will hold it, under its own names."""


def verify(recipe: Recipe, released: Table | LazyTable | Evidence) -> tuple[Check, ...]:
    """Check every requirement on what is released, for each set of quasi-identifiers."""
    evidence = released if isinstance(released, Evidence) else Evidence(released)
    checks: list[Check] = []
    if not recipe.models:
        return ()
    for scenario, keys in evidence.roles.key_sets().items():
        with recipe.beside_its_files():
            found = _verify_keys(recipe, evidence, keys)
            checks += [replace(check, scenario=scenario) for check in found]
    return tuple(checks)


def _verify_keys(recipe: Recipe, evidence: Evidence, keys: tuple[str, ...]) -> Iterator[Check]:
    """Each requirement for one set of keys, with classes counted once for all of them."""
    counted: dict[int, Classes] = {}

    def classes_of(table: Table | LazyTable) -> Classes:
        if id(table) not in counted:
            counted[id(table)] = Classes.of(table, keys, recipe.missing_keys)
        return counted[id(table)]

    for model in recipe.models:
        table = evidence.with_columns((*keys, *model.reads(evidence.roles)))
        classes = classes_of(table)
        check = model.verify_noting_missing(classes)
        if table is evidence.possible and evidence.records_have(keys):
            check = _enough_records(check, model, classes_of(evidence.records))
        yield check


def _enough_records(check: Check, model: PrivacyModel, classes: Classes) -> Check:
    """A check on possible values, whose rows are not records: records are counted here."""
    k = getattr(model, "k", None)
    if k is None or KAnonymity(k=max(k, 2)).verify(classes).holds or k < 2:  # noqa: PLR2004  one is always there
        return check
    return replace(check, kept_as_a_whole=False, n_broken=classes.n_records)


def check_stored(release: Release, stored: Stored, title: str) -> None:
    """Refuse to write to a format in which the requirements would no longer hold.

    Most formats hold a table unchanged. Some change cells: text loses trailing blanks in SPSS, or
    gets an apostrophe against formulas. Two values may then become one.
    """
    checks = (*_models_stored(release, stored), *_limits_stored(release, stored))
    broken = [check for check in checks if not check.holds]
    if broken:
        raise RequirementNotMetError(
            "{parts} It holds in the table, but not in what {title} can keep of it. Write "
            "Parquet instead.",
            parts=join(check.sentence() for check in broken),
            title=title,
        )


def _models_stored(release: Release, stored: Stored) -> tuple[Check, ...]:
    """Check the models on the cells of the file; nothing if they equal those of the table."""
    recipe, evidence = release.recipe, release.evidence
    if not recipe.models or not isinstance(evidence.records, Table):
        return ()
    possible = evidence.possible
    told = Evidence(
        _with_merged_values(recipe, evidence.records, stored),
        _with_merged_values(recipe, possible, stored) if isinstance(possible, Table) else None,
    )
    same = told.records is evidence.records and told.possible is evidence.possible
    return () if same else verify(recipe, told)


def _limits_stored(release: Release, stored: Stored) -> tuple[Check, ...]:
    """Check the limits of measures likewise; a measure may read any released column."""
    if not release.recipe.limits:
        return ()
    whole, may = release.whole, set(release.leaving_columns())
    changed = _changed_columns(whole, [name for name in whole.columns if name in may], stored)
    if not changed:
        return ()
    return check_limits(release.recipe, release.original, whole.with_columns(changed))


def _with_merged_values(recipe: Recipe, table: Table, stored: Stored) -> Table:
    """The table with the cells of the file; the same table if distinct values stay distinct.

    A one-to-one change of spelling changes no class. An apostrophe before a formula is not part of
    a key that is looked up in a population.
    """
    changed = _changed_columns(table, read_columns(recipe, table), stored)
    merged = [new for new in changed if not _is_renaming(table.frame[new.name], new)]
    return table.with_columns(merged) if merged else table


def _changed_columns(table: Table, columns: Iterable[str], stored: Stored) -> list[pl.Series]:
    """The columns whose cells differ in the file."""
    names = [name for name in columns if name != table.roles.entity]
    before = table.frame.select(names)
    after = stored(before)
    found = [_fitting(before[name], after[name]) for name in names]
    return [new for new in found if not _equal(before[new.name], new)]


def _is_renaming(before: pl.Series, after: pl.Series) -> bool:
    """Whether values of a text column are renamed one to one, with the same cells missing."""
    old = plain(before)
    if old.dtype != pl.String or after.dtype != pl.String:
        return False
    if not old.is_null().equals(after.is_null()):
        return False
    n_pairs = pl.DataFrame([old.alias("old"), after.alias("new")]).n_unique()
    return n_pairs == old.n_unique() == after.n_unique()


def _fitting(before: pl.Series, after: pl.Series) -> pl.Series:
    """The stored cells in the column's own type, if that can hold them."""
    if before.dtype == after.dtype:
        return after
    try:
        cast = as_stored(after.to_frame(), pl.Schema({after.name: before.dtype}))[after.name]
    except pl.exceptions.PolarsError:
        return after
    return cast if cast.null_count() == after.null_count() else after


def _equal(before: pl.Series, after: pl.Series) -> bool:
    return before.dtype == after.dtype and before.equals(after)


def read_columns(recipe: Recipe, table: Table | LazyTable) -> list[str]:
    """The columns that requirements use: keys, those read by models, entity and weight."""
    roles = table.roles
    wanted = {key for keys in roles.key_sets().values() for key in keys}
    wanted |= {name for model in recipe.models for name in model.reads(roles)}
    wanted |= {roles.entity or "", roles.weight or ""}
    return [name for name in table.columns if name in wanted]


@dataclass(frozen=True)
class WrittenFile:
    """The written file, verified."""

    name: str
    n_bytes: int | None
    sha256: str | None
    holds: bool | None
    """Whether it holds what was released; None if that cannot be verified any more."""
    sentence: str


def reread(release: Release, written: WriteReport | Mapping[str, Any] | None) -> WrittenFile | None:
    """Verify the file that was written, as it is now; None if no file is known.

    A file that was read back when it was written is verified by its checksum; any other is read
    now. The checksum lets a reader verify that a file is the one the report describes.
    """
    facts: Mapping[str, Any] = {}
    if written is not None:
        facts = written if isinstance(written, Mapping) else written.to_dict()
    name = facts.get("path")
    if name is None:
        return None
    if format_of(name).database:
        back = bool(facts.get("read_back"))
        told = _sentence(release) if back else "It was not read back."
        return WrittenFile("a database", None, None, back or None, told)
    path = expand_home(name)
    staged = None if isinstance(written, Mapping) else getattr(written, "staged", None)
    place = staged if staged is not None and staged.is_file() else path
    if not place.is_file():
        return WrittenFile(path.name, None, None, None, "It is no longer there to be read back.")
    size, digest = place.stat().st_size, sha256(place)
    holds, told = _looked_at(release, place, digest, facts)
    return WrittenFile(path.name, size, digest, holds, told)


def _looked_at(
    release: Release, place: Path, digest: str, facts: Mapping[str, Any]
) -> tuple[bool, str]:
    known = format_of(str(facts["path"]), facts.get("format"))
    if facts.get("read_back") and facts.get("sha256"):
        if facts["sha256"] == digest:
            return True, _sentence(release)
        return False, "It was changed after it was written, and is not what was released."
    try:
        with reading(place.name, known.title):
            same = holds_exactly(release.exportable(), place, known)
    except MicroveilError as error:
        return False, f"It cannot be read back: {error}"
    return (True, _sentence(release)) if same else (False, "It does not hold what was released.")


def _sentence(release: Release) -> str:
    """A sentence about a file that holds exactly what was released."""
    if not release.checks:
        return "It was read back and has all rows; there were no requirements."
    kept = "the requirement holds" if len(release.checks) == 1 else "all requirements hold"
    return f"It was read back: it has all rows, and {kept} in it."
