"""Linked tables: several tables of one upload, their links, and their release as a whole."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

import polars as pl

from microveil import app
from microveil.errors import MicroveilError
from microveil.files import WriteReport
from microveil.linked import Link, LinkedRecipe, LinkedRelease, TableSet, run_linked
from microveil.linked.certifying import certificate_of_tables
from microveil.linked.noting import write_noted
from microveil.linked.recipe import key_columns
from microveil.metadata import describe_release
from microveil.progress import Progress
from microveil.recipes import Recipe
from microveil.registry.records.recording import make_record, write_record
from microveil.registry.registering import Registration
from microveil.reports.contents.certificate import TITLE, certificate_page
from microveil.reports.contents.pdf import pdf_of
from microveil.tables import Roles
from microveil.web.project.packing import pack_folder, unpack_files
from microveil.web.project.registries import RegistryUse
from microveil.web.project.releasing import CheckView
from microveil.web.project.saved import refuse_paths
from microveil.web.project.states import read_frame, write_frame

DEFAULT_VARIABLE = "MICROVEIL_KEY"
"""Where steps look for their secret key."""
ROLES = ("identifiers", "quasi_identifiers", "sensitive", "insensitive")


@dataclass(frozen=True)
class LinkedTable:
    """One table of several: its size, its columns, and the roles that they may have."""

    name: str
    n_rows: int
    columns: Mapping[str, str]
    """Columns with their types."""
    roles: Mapping[str, str]
    """Role of each column that has one."""

    @property
    def dates(self) -> list[str]:
        """Columns of dates, with or without times."""
        return [name for name, kind in self.columns.items() if kind.startswith("Date")]


@dataclass(frozen=True)
class LinkedOpened:
    """Several tables that were read, and the links that their names and values suggest."""

    tables: tuple[LinkedTable, ...]
    links: tuple[str, ...]

    def table(self, name: str) -> LinkedTable:
        """A table by its name."""
        return next(one for one in self.tables if one.name == name)


@dataclass(frozen=True)
class LinkedMade:
    """What became of a linked recipe."""

    recipe: str
    """As YAML, with the steps that were suggested."""
    holds: bool
    checks: tuple[CheckView, ...]
    n_people: tuple[int, int]
    """Before and after."""
    k: tuple[int | None, int | None]
    """Fewest people alike before and after."""
    sizes: Mapping[str, tuple[int, int]]
    """Rows of each table before and after."""
    files: Mapping[str, str] = field(default_factory=dict)
    sentence: str = ""
    """What the release tells together with earlier ones, where there is a registry."""
    noted: str = ""


def open_tables(source: Path, target: Path, progress: Progress) -> LinkedOpened:
    """Read all tables of a package, a workbook or a database, and keep them for jobs."""
    progress(0, 3, "read")
    target.mkdir(mode=0o700)
    if source.suffix == ".zip":
        unpack_files(source, target / "packed", flat=True)
        tables = TableSet.read(target / "packed").tables
        for path in (target / "packed").iterdir():
            path.unlink()
        (target / "packed").rmdir()
    else:
        tables = TableSet.read(source).tables
    progress(1, 3, "inspect")
    seen = [_look(name, frame) for name, frame in tables.items()]
    progress(2, 3, "keep")
    for place, frame in enumerate(tables.values()):
        write_frame(frame, target / f"{place}.arrow")
    return LinkedOpened(tuple(seen), tuple(map(str, TableSet(tables).propose_links())))


def _look(name: str, frame: pl.DataFrame) -> LinkedTable:
    roles = app.inspect(frame).roles if frame.height else Roles()
    found = {column: role for role in ROLES for column in getattr(roles, role)}
    types = {column: str(dtype) for column, dtype in frame.schema.items()}
    return LinkedTable(name, frame.height, types, found)


def read_tables(folder: Path, opened: LinkedOpened) -> TableSet:
    """The tables as they were read."""
    return TableSet(
        {one.name: read_frame(folder / f"{i}.arrow") for i, one in enumerate(opened.tables)}
    )


@dataclass
class LinkedDraft:
    """What is decided about several tables so far."""

    opened: LinkedOpened
    links: list[str]
    """Links that count."""
    people: str
    """Table with one row for each person."""
    roles: dict[str, dict[str, str]]
    """Role of each column by table."""
    counted: list[str]
    """Tables of which an intruder may know how many rows a person has."""
    k: int = 5
    coarsen: bool = True
    """Whether keys of people are first made coarser by suggested steps."""

    @classmethod
    def begin(cls, opened: LinkedOpened) -> LinkedDraft:
        """A draft from what names, values and contents suggest."""
        links = [Link.parse(one) for one in opened.links]
        roles = {one.name: dict(one.roles) for one in opened.tables}
        draft = cls(opened, [*opened.links], _propose_people(opened, links), roles, [])
        draft.counted = draft.direct()
        for name in draft.children():  # lists of all values single nearly everybody out
            roles[name] = {c: r for c, r in roles[name].items() if r != "quasi_identifiers"}
        return draft

    @property
    def parsed(self) -> list[Link]:
        """The links that count."""
        return [Link.parse(one) for one in self.links]

    @property
    def key(self) -> str:
        """The primary key of people: what links refer to, or else the first column."""
        referred = [link.key for link in self.parsed if link.to == self.people]
        return referred[0] if referred else next(iter(self.opened.table(self.people).columns))

    def direct(self) -> list[str]:
        """Tables that refer to people themselves."""
        return [one for one in self.children() if any(
            link.table == one and link.to == self.people for link in self.parsed
        )]  # fmt: skip

    def children(self) -> list[str]:
        """Tables whose rows lead to one person each, over one link or several."""
        found, grown = {self.people}, True
        while grown:
            more = {link.table for link in self.parsed if link.to in found} - found
            found, grown = found | more, bool(more)
        return [one.name for one in self.opened.tables if one.name in found - {self.people}]

    def recipe(self) -> LinkedRecipe:
        """The recipe that the decisions make."""
        raw: dict[str, Any] = {
            "tables": {one.name: self._table(one) for one in self.opened.tables},
            "links": [*self.links],
            "people": self._people(),
        }
        return LinkedRecipe.parse(raw)

    def key_columns(self, name: str) -> set[str]:
        """Primary and foreign keys of a table, which are replaced."""
        keys = {link.column for link in self.parsed if link.table == name}
        keys |= {link.key for link in self.parsed if link.to == name}
        return keys | ({self.key} if name == self.people else set())

    def _table(self, one: LinkedTable) -> dict[str, Any]:
        keys, roles = self.key_columns(one.name), self.roles[one.name]
        named = {
            role: [name for name, own in roles.items() if own == role and name not in keys]
            for role in ROLES
        }
        steps: list[dict[str, Any]] = []
        if named["identifiers"]:
            steps.append({"method": "drop", "columns": named["identifiers"]})
        moved = [name for name in one.dates if name not in keys | set(named["identifiers"])]
        if moved and one.name in (self.people, *self.children()):
            steps.append({"method": "shift_dates", "columns": moved})
        undecided = [name for name in one.columns if name not in roles and name not in keys]
        return {
            "roles": {role: names for role, names in named.items() if names},
            "steps": steps,
            "keep": undecided,
        }

    def _people(self) -> dict[str, Any]:
        own = self.key_columns(self.people)
        named = self.roles[self.people]
        known = [
            name for name, one in named.items() if one == "quasi_identifiers" and name not in own
        ]
        for child in self.children():
            keys = self.key_columns(child)
            known += [
                f"{child}.{name}"
                for name, role in self.roles[child].items()
                if role == "quasi_identifiers" and name not in keys
            ]
        derived = {f"n_{name}": {"table": name, "take": "count"} for name in self.counted}
        known += list(derived)
        people: dict[str, Any] = {"table": self.people, "key": self.key, "derived": derived}
        if known:
            people |= {
                "quasi_identifiers": known,
                "require": [{"model": "k_anonymity", "k": self.k}],
                "suppress": True,
            }
        return people


def _propose_people(opened: LinkedOpened, links: list[Link]) -> str:
    """The table that most others lead to: with one row for each person, as a rule."""
    order = [one.name for one in opened.tables]
    return max(order, key=lambda name: (sum(link.to == name for link in links), -order.index(name)))


@dataclass(frozen=True)
class LinkedWanted:
    """How linked tables shall leave."""

    target: Path
    """Folder for the files."""
    suffix: str = "csv"
    coarsen: bool = False
    """Whether keys of people are made coarser by suggested steps first."""
    registry: RegistryUse | None = None
    language: str = "en"
    """In which reports and certificate are written."""


def run_tables(
    folder: Path,
    opened: LinkedOpened,
    recipe: LinkedRecipe,
    wanted: LinkedWanted,
    progress: Progress,
) -> LinkedMade:
    """Run a linked recipe; write all tables as one package if every requirement holds.

    With a registry the release is compared with earlier ones of its people, and noted.
    """
    refuse_paths(recipe)
    tables = read_tables(folder, opened)
    if wanted.coarsen:
        progress(0, 1, "suggest")
        recipe = with_suggested_steps(recipe, tables)
    with own_key():
        release = run_linked(recipe, tables, progress=progress)
    noted: Registration | None = None
    files: dict[str, str] = {}
    if release.holds:
        noted, files = _write(release, wanted)
    before, after = release.view_before, release.view
    return LinkedMade(
        recipe.to_yaml(),
        release.holds,
        tuple(
            CheckView(one.model, one.holds, one.sentence(), float(one.required))
            for one in release.checks
        ),
        (before.height, after.height),
        (release.risk_before.k, release.risk.k),
        {name: (one.original.height, one.table.height) for name, one in release.releases.items()},
        files,
        "" if noted is None else noted.composition.sentence(),
        "" if noted is None or noted.entry is None else noted.entry.id,
    )


@contextmanager
def own_key() -> Iterator[None]:
    """A secret of this run alone, where the server has none: dates are shifted by it."""
    given = os.environ.get(DEFAULT_VARIABLE)
    os.environ[DEFAULT_VARIABLE] = given or token_hex(32)
    try:
        yield
    finally:
        if given is None:
            del os.environ[DEFAULT_VARIABLE]


def with_suggested_steps(recipe: LinkedRecipe, tables: TableSet) -> LinkedRecipe:
    """The recipe with suggested steps for the keys of people; as it is where none can be found."""
    people = recipe.people
    own = recipe.tables[people.table]
    ks = [k for k in (getattr(one, "k", None) for one in people.require) if isinstance(k, int)]
    if not own.roles.quasi_identifiers or not ks:
        return recipe
    frame = tables.tables[people.table].drop(key_columns(recipe, people.table))
    dropped = {name for step in own.steps for name in getattr(step, "columns", ()) or ()}
    frame = frame.drop([name for name in dropped if name in frame.columns])
    roles = Roles(quasi_identifiers=own.roles.quasi_identifiers)
    try:
        found = app.propose(frame, roles, k=max(ks)).recipe
    except MicroveilError:  # nobody can say what would do: people are removed instead
        return recipe
    steps = (*own.steps, *(one for one in found.steps if one.kind() != "drop"))
    changed = Recipe.parse(own.to_dict() | {"steps": [one.to_dict() for one in steps]})
    return recipe.model_copy(update={"tables": {**recipe.tables, people.table: changed}})


def _write(
    release: LinkedRelease, wanted: LinkedWanted
) -> tuple[Registration | None, dict[str, str]]:
    """The tables as one package, with reports, certificate, recipe, record and metadata."""
    target, suffix, registry = wanted.target, wanted.suffix, wanted.registry
    target.mkdir(mode=0o700)
    inside = target / "tables"
    place = inside / "released.sqlite" if suffix == "sqlite" else inside
    if suffix == "sqlite":
        inside.mkdir()
    options: dict[str, Any] = {} if suffix == "sqlite" else {"suffix": suffix}
    noted = None
    if registry is None:
        written = release.write(place, **options)
    else:
        written, noted = write_noted(release, place, registry.terms(), options)
    pack_folder(inside, target / "released.zip")
    (target / "recipe.yaml").write_text(release.recipe.to_yaml(), encoding="utf-8")
    paths = sorted(one for one in inside.iterdir() if one.is_file())
    record = make_record(
        "linked",
        release.recipe.to_yaml(),
        [check.to_dict() for check in release.checks],
        {one.name: one for one in (*paths, target / "released.zip")},
    )
    write_record(record, target / "record.json")
    describe_release(release, written=written).write(target / "metadata")
    pack_folder(target / "metadata", target / "metadata.zip")
    return noted, {
        "tables": "released.zip",
        **_papers(release, written, wanted),
        "recipe": "recipe.yaml",
        "record": "record.json",
        "metadata": "metadata.zip",
    }


def _papers(
    release: LinkedRelease, written: Sequence[WriteReport], wanted: LinkedWanted
) -> dict[str, str]:
    """Reports and certificate in the person's language."""
    target, language = wanted.target, wanted.language
    for audience in ("public", "internal"):
        place = target / f"report-{audience}.html"
        release.report(place, audience=audience, written=written, language=language)
    certificate = certificate_of_tables(release, written)
    text = json.dumps(certificate, indent=2, ensure_ascii=False)
    (target / "certificate.json").write_text(text + "\n", encoding="utf-8")
    printed = pdf_of(certificate_page(certificate, language), TITLE)
    (target / "certificate.pdf").write_bytes(printed)
    return {
        "report_public": "report-public.html",
        "report_internal": "report-internal.html",
        "certificate": "certificate.json",
        "certificate_pdf": "certificate.pdf",
    }
