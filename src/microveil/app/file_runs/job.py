"""The task of a run from file to file, and whether all of its targets can be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microveil.app.file_runs.watch import Watch
from microveil.errors import FileError, InputError
from microveil.files import Format, format_of
from microveil.files.folders import is_many
from microveil.files.formats import display_source, part_target, place_beside, source_format
from microveil.files.targets import Target, check_target, same_place
from microveil.metadata.study import Study
from microveil.metadata.writing import metadata_files
from microveil.methods.drop import Drop
from microveil.methods.pseudonymize import Pseudonymize
from microveil.recipes import Recipe
from microveil.registry.registering import RegistryTerms
from microveil.spark.places import place_at

REPORTS = (".html", ".htm", ".pdf", ".json")


@dataclass(frozen=True, eq=False, kw_only=True)
class FileJob:
    """A recipe, the source of the table, and all targets."""

    recipe: Recipe
    source: str | Path
    out: str | Path
    report: str | Path | None = None
    public_report: str | Path | None = None
    """A second report, for those who get the release."""
    mapping: str | Path | None = None
    tables: str | Path | None = None
    """Where the recipe's tables go."""
    tables_written: list[Path] = field(default_factory=list)
    """The files that they went to."""
    seed: int | None = field(default=None, repr=False)
    keep_order: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    """How the source is read."""
    writing: Mapping[str, Any] = field(default_factory=dict)
    """How the result is written."""
    details: bool = True
    """Whether full details of the result are wanted, or an outline."""
    progress: Watch
    record: str | Path | None = None
    dry_run: bool = False
    """Whether everything is done except writing."""
    made_by: str | None = None
    """Who is responsible for the release; named at the top of the report."""
    language: str = "en"
    """Language of the report."""
    memory_limit: int = 2**31
    """Bytes that a run may use."""
    limited: bool = False
    """Whether somebody set this limit, so that a run beyond it is refused."""
    resume: bool = False
    """Whether finished parts are kept beside the target until the run is done."""
    attacks: bool = False
    """Whether the release is attacked in simulation, and warned of where that succeeds."""
    registry: RegistryTerms | None = None
    """Where the release is noted, and compared with earlier ones."""
    metadata: str | Path | None = None
    """Folder or file for the metadata of the release."""
    study: Study | None = None
    """What the metadata say beyond the columns."""
    folders: bool = False
    """Whether the target is a folder of files, as Spark writes them."""

    @property
    def data_only(self) -> bool:
        """Whether only the protected table is requested."""
        return self.report is None and self.public_report is None and self.mapping is None

    @property
    def source_format(self) -> Format:
        """Format of the source."""
        return source_format(self.source)

    @property
    def out_format(self) -> Format:
        """Format of the target."""
        return format_of(self.out)

    def check(self) -> None:
        """Refuse, before any work is done, a target that cannot be written."""
        self._check_mapping()
        self._check_tables()
        self._check_report()
        self._check_numbers()
        targets = dict(self._targets())
        for what, target in targets.items():
            self._check_not_read(what, target)
            if not self.dry_run or what == "record":
                check_target(target)
        self._check_distinct(targets)

    def record_stands_apart(self) -> bool:
        """Whether the record has a file of its own."""
        targets = dict(self._targets())
        record = targets.pop("record")
        taken = (self._read, *self._read_beside(), *targets.values())
        return not any(same_place(one, record) for one in taken)

    @property
    def _read(self) -> Target:
        """The source, as a place that no target may be."""
        many = is_many(self.source)
        return Target(self.source, dict(self.options), text=self.folders or many, source=many)

    def _read_beside(self) -> list[Target]:
        """The recipe, the files that it names, and a code book, as such places, too."""
        books = [Path(one) for one in (self.options.get("labels"),) if isinstance(one, str | Path)]
        return [Target(path, text=True) for path in (*self.recipe.files_read(), *books)]

    def _targets(self) -> Iterator[tuple[str, Target]]:
        """Everything that will be written, by the option that names it."""
        yield from self._data_targets()
        reports = {"report": self.report, "public report": self.public_report}
        yield from ((what, Target(one, text=True)) for what, one in reports.items() if one)
        if self.metadata is not None:
            files = metadata_files(self.metadata)
            if len(files) > 1 and not files[0].parent.exists():
                files = (files[0].parent,)  # a new folder: whether it can be made
            for file in files:
                yield f"metadata {file.name}", Target(file, text=True)
        if self.tables is not None:
            yield "tables", Target(self.tables, text=True, folder=not Path(self.tables).suffix)
        if self.record is not None:
            yield "record", Target(self.record, text=True)
        if self.mapping is not None:
            for path in self.mapping_files():
                yield "mapping" if path == self.mapping else f"mapping {path}", Target(path)

    def _data_targets(self) -> Iterator[tuple[str, Target]]:
        """The protected table and further ones; Spark looks itself at what only it reaches."""
        place = place_at(self.out) if self.folders else None
        if place is None:
            yield "out", Target(self.out, dict(self.writing), folder=self.folders)
            for name in self._part_names():
                yield f"part '{name}' of out", self._part(name)
        elif place == place_at(self.source):
            raise FileError(
                "{place} is the source of this run ({what}): an input is never overwritten. "
                "Name another target.",
                place=str(place),
                what="out",
            )

    def _part(self, name: str) -> Target:
        if self.folders:
            return Target(place_beside(self.out, name), folder=True)
        return Target(*part_target(self.out, name, self.writing))

    def _part_names(self) -> list[str]:
        groups = [getattr(step, "groups", {}) for step in self.recipe.steps if step.splits]
        return [name for names in groups for name in list(names)[1:]]

    def mapping_files(self) -> list[str | Path]:
        """Where each mapping goes: one file, or one for each of several steps."""
        if self.mapping is None:
            return []
        makers = [i for i, step in enumerate(self.recipe.steps) if step.makes_mapping]
        if len(makers) == 1:
            return [self.mapping]
        names = [f"{self.recipe.steps[i].kind()}_mapping" for i in makers]
        told = [
            name if place == 0 else f"{name}_{makers[place]}" for place, name in enumerate(names)
        ]
        return [part_target(self.mapping, name, {})[0] for name in told]

    def _check_mapping(self) -> None:
        """Refuse a mapping without a target, or a target without a mapping."""
        made = any(step.makes_mapping for step in self.recipe.steps)
        if made and self.mapping is None:
            raise InputError(
                "The recipe asks for a pseudonym mapping: give it a file, apart from the "
                "release (--mapping FILE)."
            )
        if self.mapping is not None and not made:
            raise InputError("No step of the recipe makes a mapping: set `mapping: true` in one.")

    def _check_tables(self) -> None:
        """Refuse tables without a target, or a target without tables."""
        if self.recipe.tables is not None and self.tables is None and not self.dry_run:
            raise InputError(
                "The recipe publishes tables with its records: say where they go (--tables "
                "tables.xlsx)."
            )
        if self.tables is not None and self.recipe.tables is None:
            raise InputError("The recipe has no tables: add a block `tables` to it.")

    def _check_report(self) -> None:
        for report in (self.report, self.public_report):
            if report is not None and Path(report).suffix.lower() not in REPORTS:
                raise FileError(
                    "{report}: a report is .html, .pdf or .json. Change the suffix.", report=report
                )

    def _check_numbers(self) -> None:
        """Refuse pseudonyms that are numbers with more digits than a target's format keeps."""
        numbers: set[str] = set()
        for step in self.recipe.steps:
            if isinstance(step, Drop):
                numbers.difference_update(step.columns)
            if isinstance(step, Pseudonymize) and step.style == "number":
                numbers.update(step.columns)
        if not numbers or self.folders:
            return
        for target in (self.out, *self.mapping_files()):
            known = format_of(target)
            if known.exact_whole is not None:
                raise InputError(
                    "{title} keeps whole numbers up to {exact_whole:,}, and numbers as "
                    "pseudonyms have 18 digits (column {numbers:quoted}). Use style token or "
                    "uuid, or write another format.",
                    title=known.title,
                    exact_whole=known.exact_whole,
                    numbers=sorted(numbers),
                )

    def _check_not_read(self, what: str, target: Target) -> None:
        """Refuse to overwrite an input."""
        if same_place(self._read, target):
            raise FileError(
                "{place} is the source of this run ({what}): an input is never overwritten. "
                "Name another target.",
                place=display_source(target.place),
                what=what,
            )
        if any(same_place(one, target) for one in self._read_beside()):
            raise FileError(
                "{place} is the recipe, or a file that this run reads ({what}): an input is never "
                "overwritten. Name another target.",
                place=display_source(target.place),
                what=what,
            )

    def _check_distinct(self, targets: Mapping[str, Target]) -> None:
        told = list(targets.items())
        for place, (what, target) in enumerate(told):
            for other_what, other in told[:place]:
                if same_place(other, target):
                    raise FileError(
                        "{place} is named for two things: {other_what} and {what}. Give each "
                        "a file of its own.",
                        place=display_source(target.place),
                        other_what=other_what,
                        what=what,
                    )
