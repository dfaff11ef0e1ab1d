"""From a release, or a released file, to its metadata: the one place that decides what is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

import polars as pl

from microveil.errors import InputError
from microveil.files import Labels, read_labelled
from microveil.files.formats import display_source, source_format
from microveil.files.reading_back import sha256
from microveil.files.sources import expand_home
from microveil.metadata.model import DataFile, DataTable, Metadata, Role
from microveil.metadata.study import Study
from microveil.metadata.treatments import Treatment, treatment_of
from microveil.metadata.variables import describe_column, role_of
from microveil.release.coding import PACKAGES, code_release
from microveil.release.release import Release
from microveil.reports.audience import public_count
from microveil.reports.requirements import requirements_of
from microveil.tables import Roles, Table

if TYPE_CHECKING:
    from microveil.files import WriteReport
    from microveil.privacy import Check
    from microveil.recipes import Recipe


@dataclass(frozen=True, eq=False)
class Content:
    """One released table on its way into metadata."""

    name: str
    recipe: Recipe
    columns: Sequence[str]
    """Columns of the original and of the release, which steps may concern."""
    frame: Callable[[], pl.DataFrame] | pl.DataFrame | pl.LazyFrame
    labels: Labels = field(default_factory=Labels)
    written: WriteReport | None = None
    keys: Mapping[str, tuple[str, str] | None] = field(default_factory=dict)
    """Columns that link tables: with the table and column they repeat, or None for the key."""


@runtime_checkable
class Linked(Protocol):
    """A release of several linked tables."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Its requirements."""

    def contents(self, written: Sequence[WriteReport]) -> tuple[Content, ...]:
        """Its tables."""


class Done(Protocol):
    """A run from file to file."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Its requirements."""

    @property
    def written(self) -> tuple[WriteReport, ...]:
        """What it wrote."""


def describe_release(
    release: Release | Linked,
    study: Study | None = None,
    written: WriteReport | Sequence[WriteReport] | None = None,
) -> Metadata:
    """The metadata of a release that may be published; raises as ``release.data`` does otherwise.

    ``study`` says what only people know, ``written`` is what :meth:`Release.write` returned: the
    metadata then name the file and its checksum. Nothing in them helps an intruder: no parameter of
    a step, no count below ten, no value that fewer than ten records have.

    >>> import microveil as mv
    >>> made = mv.run(mv.Recipe(undeclared="keep"), {"sex": ["f", "m"] * 20})
    >>> [one.value for one in describe_release(made).tables[0].variables[0].categories]
    ['f', 'm']
    """
    reports = _as_tuple(written)
    if not isinstance(release, Release):
        return make_metadata(release.contents(reports), study, checks=_names(release.checks))
    frame, labels = release.exportable(), release.labels
    first = reports[0] if reports else None
    if first is not None and first.format in PACKAGES and labels:
        coded = code_release(release, frame, labels, first.format)
        frame, labels = coded.frame, coded.labels
    name = Path(first.path).stem if first is not None else "data"
    around = (*release.original.columns, *release.table.columns)
    contents = [Content(name, release.recipe, around, frame, labels, first)]
    for place, (part, table) in enumerate(release.parts.items(), 1):
        more = reports[place] if place < len(reports) else None
        contents.append(Content(part, release.recipe, around, table, labels, more))
    private = release.privacy_loss
    made = make_metadata(contents, study, checks=checked_rules(release))
    return replace(
        made,
        privacy=None if private is None or not private.covered else private.sentence,
        synthetic=release.table.synthetic,
    )


def describe_file(
    recipe: Recipe, released: str | Path, study: Study | None = None, **reading: Any
) -> Metadata:
    """The metadata of a released file and the recipe that made it, wherever it was made.

    ``reading`` are the options of :func:`microveil.read`; ``labels`` names a code book or DDI file.
    """
    frame, labels = read_labelled(released, **reading)
    if lost := [name for name in recipe.roles.identifiers if name in frame.columns]:
        raise InputError(
            f"The file has columns that the recipe calls identifiers: {', '.join(lost)}. Describe "
            "the released file, not the original."
        )
    path = expand_home(released) if "://" not in str(released) else None
    name = path.stem if path is not None else "data"
    content = Content(name, recipe, frame.columns, frame, labels)
    made = make_metadata([content], study)
    if path is None or not path.is_file():
        return made
    known = source_format(released).name
    file = DataFile(path.name, known, path.stat().st_size, sha256(path))
    return replace(made, tables=(replace(made.tables[0], file=file),))


def describe_parts(
    recipe: Recipe,
    written: Sequence[pl.LazyFrame],
    run: Done,
    columns: Sequence[str],
    labels: Labels,
    study: Study | None = None,
) -> Metadata:
    """The metadata of files that were never whole in memory: each column is read by itself."""
    contents = []
    for frame, report in zip(written, run.written, strict=True):
        names = frame.collect_schema().names()
        path = Path(report.path.rstrip("/"))
        name = path.stem if len(written) == 1 else path.name
        contents.append(Content(name, recipe, (*columns, *names), frame, labels, report))
    return make_metadata(contents, study, checks=_names(run.checks))


def checked_rules(release: Any) -> tuple[str, ...]:
    """The names of requirements that hold, without their numbers but for k, which all can count."""
    told = requirements_of(cast("Release", release), "public")
    return tuple(dict.fromkeys(one.title for one in told if one.holds))


def _names(checks: Sequence[Check]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.model.replace("_", "-") for one in checks if one.holds))


def make_metadata(
    contents: Sequence[Content], study: Study | None = None, *, checks: tuple[str, ...] = ()
) -> Metadata:
    """The metadata of several tables of one release."""
    said = study or Study()
    title = said.title or next((one.labels.title for one in contents if one.labels.title), None)
    today = said.published or datetime.now(UTC).date()
    return Metadata(
        title=title or contents[0].name,
        study=said,
        tables=tuple(_table(one, said) for one in contents),
        checks=checks,
        date=today.isoformat(),
        software=f"Microveil {version('microveil')}",
    )


def _as_tuple(written: WriteReport | Sequence[WriteReport] | None) -> tuple[WriteReport, ...]:
    if written is None:
        return ()
    return tuple(written) if isinstance(written, Sequence) else (written,)


def _table(content: Content, study: Study) -> DataTable:
    """One table; its columns are looked at one by one, so that a large file need not fit."""
    frame = content.frame() if callable(content.frame) else content.frame
    names = frame.collect_schema().names()
    done = _treatments(content.recipe, content.columns)
    n_records = frame.lazy().select(pl.len()).collect().item()
    labels = content.labels
    variables = []
    for name in names:
        column = frame.lazy().select(name).collect()[name]
        fitting = labels if name in labels.books else labels.fitting(column.to_frame())[0]
        role: Role | None = "key" if name in content.keys else role_of(name, content.recipe.roles)
        found = describe_column(column, fitting, role, done.get(name, ()))
        universe = study.universes.get(name, found.universe)
        references = content.keys.get(name)
        variables.append(replace(found, universe=universe, references=references))
    whole = tuple(dict.fromkeys(one for one in done.get(None, ())))
    return DataTable(
        content.name,
        tuple(variables),
        public_count(n_records),
        None if content.written is None else _file(content.written),
        whole,
    )


@dataclass(frozen=True)
class _Outline:
    """All that a step asks a table for to name its columns."""

    columns: tuple[str, ...]
    roles: Roles


def _treatments(recipe: Recipe, columns: Sequence[str]) -> dict[str | None, tuple[Treatment, ...]]:
    """What was done to each column, and (under None) to the table as a whole; each once."""
    outline = cast("Table", _Outline(tuple(dict.fromkeys(columns)), recipe.roles))
    found: dict[str | None, dict[Treatment, None]] = {}
    for step in recipe.steps:
        treatment = treatment_of(step.kind())
        places: Sequence[str | None] = (None,) if treatment.whole else step.touches(outline)
        for place in places:
            found.setdefault(place, {})[treatment] = None
    return {place: tuple(some) for place, some in found.items()}


def _file(written: WriteReport) -> DataFile:
    name = Path(display_source(written.path)).name
    return DataFile(name, written.format, written.n_bytes, written.sha256)
