"""Noting: a release of linked tables in the registry; written and noted, or neither."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.files import WriteReport
from microveil.files.databases.address import is_url
from microveil.files.placing import Placing
from microveil.files.reading_back import sha256
from microveil.recipes import Recipe
from microveil.registry.entries import Output
from microveil.registry.keyed_hashes import row_texts, texts_of
from microveil.registry.registering import Registration, RegistryTerms
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.linked.release import LinkedRelease
    from microveil.registry import Registry


def compare_linked(release: LinkedRelease, registry: Registry | RegistryTerms) -> Registration:
    """What a linked release tells of its people together with earlier releases."""
    terms = registry if isinstance(registry, RegistryTerms) else RegistryTerms(registry)
    people = release.recipe.people
    recipe = Recipe(roles=release.view.roles, require=people.require)
    text = release.recipe.to_yaml()
    if release.recipe.synthesize is not None:
        return Registration.of_people(terms, recipe, None, None, text=text)
    ids = pl.Series("person", people_ids(release), dtype=pl.String)
    view = Table(release.view.frame, release.view.roles)
    return Registration.of_people(terms, recipe, view, ids, people_by=people.key, text=text)


def people_ids(release: LinkedRelease) -> pl.Series:
    """The key, as it was, of everybody who is released, in the order of their table."""
    people = release.recipe.people
    own = release.releases[people.table]
    parts = [part.strip() for part in people.key.split("+")]
    frame = own.original.frame.select(parts)
    frame = frame if own.table.rows is None else frame[own.table.rows]
    if len(parts) > 1:
        return row_texts(frame)
    return texts_of(frame[parts[0]])


def write_noted(
    release: LinkedRelease,
    target: str | Path,
    registry: Registry | RegistryTerms,
    options: Mapping[str, Any],
) -> tuple[list[WriteReport], Registration]:
    """Write all tables and note them: the registry has them if, and only if, they are there."""
    noted = compare_linked(release, registry)
    if is_url(str(target)):  # a server has no files that a later look could find
        written = release.write(target, **options)
        witness = noted.witness(None, written, release.checks)
        witness.begin()
        witness.finish()
        return written, noted
    place = Path(target).expanduser()
    place.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=place.parent, prefix=".microveil-") as scratch:
        made = Path(scratch) / place.name
        written = release.write(made, **options)
        whole = made.is_file()
        if not whole:
            place.mkdir(exist_ok=True)
        sum_ = sha256(made) if whole else None
        with Placing() as placing:
            for one in [made] if whole else sorted(made.iterdir()):
                shutil.move(one, placing.file(place if whole else place / one.name))
            written = [_with_place(report, made, place) for report in written]
            witness = noted.witness(None, written, release.checks)
            if whole:  # a database is recognised as one file
                whole_file = Output(place.name, sum_, target=str(place.resolve()))
                witness.entry = replace(witness.entry, outputs=(whole_file,))
            placing.tell(witness)
    return written, noted


def _with_place(report: WriteReport, made: Path, place: Path) -> WriteReport:
    return replace(report, path=str(report.path).replace(str(made), str(place), 1))
