"""Release: data with the evidence for publishing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol, cast

import polars as pl
from typing_extensions import TypeVar

from microveil.arrays import Longs
from microveil.display import Card, Shown, grid, number
from microveil.dp.coverage import Coverage, coverage
from microveil.errors import InputError, InternalError, RequirementNotMetError
from microveil.files import Labels, WriteReport, format_of, write
from microveil.files.formats import part_target
from microveil.files.placing import Placing, Witness
from microveil.files.writing import Terms, stored_form
from microveil.measures.choosing import choose_measures
from microveil.measures.evidence import perturbed_keys
from microveil.measures.subject import Subject
from microveil.measures.taking import MeasuresTaken, take
from microveil.privacy import Check, strictest_parameters
from microveil.recipes import Recipe
from microveil.release.aligning import Removed, with_blanks
from microveil.release.attackers import attackers_in
from microveil.release.attacks import attack_release, caution_of_attack, score_attacks
from microveil.release.cautions import Caution, cautions_of
from microveil.release.coding import PACKAGES, code_release
from microveil.release.compacting import compact, compact_native, forget_categories
from microveil.release.deriving import Derivation, caution_of, derive
from microveil.release.evidence import Evidence
from microveil.release.exact_values import caution_of_exact
from microveil.release.export_rules import evidence_of, leaving, state_of, undecided_columns
from microveil.release.households import contradictions
from microveil.release.mending import say_mends
from microveil.release.revealing import warnings_of
from microveil.release.verifying import check_stored
from microveil.risk import Assessment, assess_table
from microveil.risk.assessment.attackers import Attackers
from microveil.scores import Score
from microveil.tables import Door, Table, standings
from microveil.texts import Message, join
from microveil.utility import UTILITY_MEASURES, CellChanges

FrameT = TypeVar("FrameT", default=Any)
"""The kind of frame that came in, and that goes out."""


class Registering(Protocol):
    """Notes a release in a registry when its files appear."""

    @property
    def composition(self) -> Any:
        """What the release tells together with earlier ones."""

    def witness(
        self, release: Release, written: Sequence[WriteReport], checks: Sequence[Check]
    ) -> Witness:
        """Who notes these files."""


@dataclass(frozen=True, eq=False)
class StepFacts:
    """What one step did: plain numbers and column names, never cell values."""

    method: str
    facts: Mapping[str, Any]
    perturbative: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"method": self.method, **self.facts}


@dataclass(frozen=True, eq=False, repr=False)
class Release(Shown, Generic[FrameT]):
    """A protected table with its recipe, checks and facts; data are available only if all hold.

    ``original`` and ``table`` are for inspection; ``data``, ``parts`` and ``write`` release data,
    and all of them release the same columns.
    """

    write_report: ClassVar[Callable[..., Path] | None] = None
    """Writes reports; set by the reports package, which lies above this one."""

    notice_data: ClassVar[Callable[[Release], tuple[Caution, ...]] | None] = None
    """Looks for codes of missing values and impossible values; set by the use cases above."""

    recipe: Recipe
    original: Table = field(repr=False)
    table: Table = field(repr=False)
    checks: tuple[Check, ...]
    facts: tuple[StepFacts, ...]
    part_tables: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    """Further tables of the release, for inspection, like ``table``."""
    joined: Table | None = field(default=None, repr=False)
    """All tables joined on their links, if there are several."""
    secrets: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    """Tables to keep separate, such as a pseudonym mapping; ``write`` never writes them."""
    door: Door | None = field(default=None, repr=False)
    checked: Evidence | None = field(default=None, repr=False)
    """The tables that requirements were checked on, if they were combined already."""
    known_derivations: tuple[Derivation, ...] | None = field(default=None, repr=False)
    """What the release gives back of its keys, if that was found already."""
    labels: Labels = field(default_factory=Labels, repr=False)
    """What the file of the original says about its columns and codes."""
    notes: tuple[str, ...] = ()
    """Assumptions made on the way, in sentences without cell values."""
    registration: Registering | None = field(default=None, repr=False)
    """Notes in a registry what is written, if there is one."""

    def card(self) -> Card:
        """Requirements, steps and columns, without records of either table."""
        state, refusal = state_of(self)
        title = f"Release of {self.table.height:,} of {self.original.height:,} records; it {state}"
        lines = [
            *(repr(check) for check in self.checks),
            *refusal,
            *map(str, self.cautions),
            *self.notes,
        ]
        steps = [(i, one.method, _short(one.facts)) for i, one in enumerate(self.facts, 1)]
        grids = (grid(("step", "method", "what it did"), steps),) if steps else ()
        return Card(title, tuple(lines), grids)

    @property
    def holds(self) -> bool:
        """Whether every requirement is met."""
        return all(check.holds for check in self.checks)

    @property
    def data(self) -> FrameT:
        """The released data, as the kind of frame that came in, with a new index.

        Raises :class:`~microveil.errors.RequirementNotMetError` if a requirement is not met, and
        :class:`~microveil.errors.InputError` for an undeclared column, as ``write`` does. The frame
        holds nothing but the cells it shows.
        """
        return self._hand_out(self._leaving(), self.table.rows, keep_index=False)

    def align(self, removed: Removed = "missing") -> FrameT:
        """The released data beside what came in: as many rows, in the same order, same index.

        A row that was removed has no content: all its cells are missing, or its text keys read
        ``*`` (``coarsest``). With ``drop`` such rows are left out and the others keep their index.
        An index may identify people: publish ``data`` instead. Raises as ``data`` does.
        """
        frame, rows = self._leaving(), self.table.rows
        if self.table.synthetic:
            raise InputError("Synthetic records have no row beside them in what came in.")
        if removed != "drop" and rows is not None:
            starred = self.recipe.roles.quasi_identifiers if removed == "coarsest" else ()
            frame, rows = with_blanks(frame, self.original.height, rows, starred), None
        return self._hand_out(frame, rows, keep_index=True)

    def _hand_out(self, frame: pl.DataFrame, rows: Longs | None, *, keep_index: bool) -> FrameT:
        made = self.door and self.door.back(frame, rows, keep_index=keep_index)
        return cast("FrameT", compact(frame) if self.door is None else compact_native(made))

    @property
    def parts(self) -> Mapping[str, pl.DataFrame]:
        """Further tables of the release, written beside the first one; raises as ``data`` does."""
        self.require_all()
        may = set(self.leaving_columns())
        return {
            name: compact(part.select(column for column in part.columns if column in may))
            for name, part in self.part_tables.items()
        }

    @property
    def rows(self) -> Longs | None:
        """Position in the original of each released row; None while all rows are there in order."""
        return self.table.rows

    @cached_property
    def evidence(self) -> Evidence:
        """The released tables as an intruder can combine them."""
        if self.checked is not None:
            return self.checked
        return evidence_of(self.recipe, self.table, self.joined, self.original)

    @property
    def whole(self) -> Table:
        """Every released column by record: the tables joined, if links allow it."""
        joined = self.joined
        return self.table if joined is None or joined.height != self.table.height else joined

    @cached_property
    def risk(self) -> Assessment:
        """Disclosure risk of the result."""
        return self.assess_after(models=True)

    @cached_property
    def risk_before(self) -> Assessment:
        """Disclosure risk of the original."""
        return self.assess_before(models=True)

    def assess_after(self, *, models: bool) -> Assessment:
        """Disclosure risk of the result, with the level of each privacy model only on request."""
        more: dict[str, Any] = {"models": strictest_parameters} if models else {}
        return assess_table(self.evidence.records, missing=self.recipe.missing_keys, **more)

    def assess_before(self, *, models: bool) -> Assessment:
        """Disclosure risk of the original; ``models`` as above."""
        more: dict[str, Any] = {"models": strictest_parameters} if models else {}
        return assess_table(self.original, missing=self.recipe.missing_keys, **more)

    @cached_property
    def cell_changes(self) -> Score:
        """Share of cells that changed."""
        return CellChanges().measure(self.original, self.whole)

    @cached_property
    def utility(self) -> Mapping[str, Score]:
        """What the protection cost, by the quick measures that suit the columns.

        :func:`microveil.compare` also takes those that fit models.
        """
        return self._measured.scores

    @property
    def not_measured(self) -> Mapping[str, str]:
        """The quick utility measures that could not be taken, and why."""
        return self._measured.skipped

    @cached_property
    def _measured(self) -> MeasuresTaken:
        quick = [one for one in choose_measures("default", UTILITY_MEASURES) if one.quick]
        return take(quick, Subject.made_by(self.recipe, self.original, self.whole))

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What the requirements do not cover: columns that reveal a key, members who disagree."""
        columns = [name for name in self.whole.columns if name not in self.held_back]
        known = {(one.by, one.key) for one in self.derivations}
        revealing = warnings_of(self.original, self.whole, columns, known)
        return (*revealing, *contradictions(self.original, self.whole, columns, known))

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """What the requirements leave open, and keys that say nothing any more."""
        missing, notice = self.recipe.missing_keys, type(self).notice_data or _nothing
        released = [name for name in self._columns if name not in self.held_back]
        before, after = (standings(one, missing) for one in (self.original, self.evidence.records))
        return (
            *cautions_of(self.recipe, released, before, after),
            *caution_of(self.derivations, self.evidence.records, missing),
            *caution_of_exact(self.original, self.whole, released),
            *notice(self),
        )

    @cached_property
    def attackers(self) -> Attackers:
        """Prosecutor, journalist and marketer: what each may expect of the result."""
        records = self.evidence.records
        if not isinstance(records, Table) or perturbed_keys(self.recipe, self.original):
            return Attackers()  # class sizes are no evidence there
        return attackers_in(records, self.recipe.missing_keys)

    @cached_property
    def attack_scores(self) -> Mapping[str, Score]:
        """The score of each simulated attack that no requirement limits; takes seconds."""
        return score_attacks(self.recipe, self.original, self.table)

    @cached_property
    def attacks(self) -> tuple[Caution, ...]:
        """Simulated attacks that succeed more often than is accepted."""
        return tuple(caution_of_attack(one) for one in attack_release(self) if one.is_above)

    @cached_property
    def derivations(self) -> tuple[Derivation, ...]:
        """What the released columns give back of suppressed, coarsened or changed keys."""
        if self.known_derivations is not None:
            return self.known_derivations
        return derive(self.recipe, self.original, self.evidence)

    @property
    def n_suppressed(self) -> int:
        """Number of original records that are not in the result."""
        return self.original.height - self.table.height if not self.table.synthetic else 0

    def require_all(self) -> None:
        """Raise an error unless every requirement is met."""
        broken = [check.sentence() for check in self.checks if not check.holds]
        if broken:
            look = Message("release.look", "The unsafe result is in `release.table`.")
            mends = filter(None, [say_mends(self.checks, self.recipe)])
            raise RequirementNotMetError(join([*broken, *mends, look]))

    def write(self, path: str | Path, *, keep_order: bool = False, **options: Any) -> WriteReport:
        """Write the data, and parts beside them; nothing if a requirement is not met.

        A file is read back, and appears only if it holds exactly what was released. ``options`` are
        those of :func:`microveil.write`.
        """
        return self.write_all(path, keep_order=keep_order, **options)[0]

    def write_all(
        self,
        path: str | Path,
        *,
        keep_order: bool = False,
        placing: Placing | None = None,
        **options: Any,
    ) -> tuple[WriteReport, ...]:
        """Write like :meth:`write`; return what was written for the data first, then for each part.

        All of them appear together, or none; with ``placing``, together with everything else it
        places.
        """
        frame, known = self.exportable(), format_of(path, options.get("format"))
        neutralize = bool(options.get("neutralize", True))
        check_stored(
            self, lambda some: stored_form(some, known, neutralize=neutralize), known.title
        )
        labels = options.pop("labels", None) or self.labels
        targets = [(frame, path, {**options, "labels": labels})]
        if known.name in PACKAGES:
            coded = code_release(self, frame, labels, known.name)
            targets = [(coded.frame, path, {**options, "labels": coded.labels})]
        for name, part in self.parts.items():
            targets.append((part, *part_target(path, name, {**options, "labels": labels})))
        with ExitStack() as together:
            placing = placing or together.enter_context(Placing())
            terms = Terms(placing, checked=True)
            written = tuple(
                write(table, target, keep_order=keep_order, terms=terms, **said)
                for table, target, said in targets
            )
            if self.registration is not None:
                placing.tell(self.registration.witness(self, written, self.checks))
            return written

    def report(
        self,
        path: str | Path,
        *,
        audience: Literal["internal", "public"] = "internal",
        written: WriteReport | None = None,
        placing: Placing | None = None,
        source: str | None = None,
        made_by: str | None = None,
        language: str | None = None,
    ) -> Path:
        """Write the report of this release as one HTML or JSON file.

        ``written`` is what :meth:`write` returned: the report then says what became of the file.
        ``source`` names the original, for internal readers, and ``made_by`` who answers for the
        release. The page is in English, or in Spanish with ``language="es"``.
        """
        writer = type(self).write_report
        if writer is None:
            raise InternalError("Nothing writes reports: the use cases were not loaded.")
        given = {"placing": placing, "source": source, "made_by": made_by, "language": language}
        more = {name: value for name, value in given.items() if value is not None}
        return writer(self, Path(path), audience=audience, written=written, **more)

    @property
    def privacy_loss(self) -> Coverage | None:
        """The differential privacy guarantee of the released columns, if a step provides one."""
        released = [name for name in dict.fromkeys(self._columns) if name not in self.held_back]
        return coverage(self.recipe.steps, self.original, released)

    @cached_property
    def held_back(self) -> tuple[str, ...]:
        """Columns of the table and its parts that would not be released as things stand."""
        return undecided_columns(self.recipe, self._columns, self.original)

    @property
    def _columns(self) -> list[str]:
        parts = [name for part in self.part_tables.values() for name in part.columns]
        return list(dict.fromkeys([*self.table.columns, *parts]))

    def leaving_columns(self) -> list[str]:
        """Columns of the table and its parts that may be released; raises as ``data`` does."""
        return leaving(self.recipe, self._columns, self.original)

    def exportable(self) -> pl.DataFrame:
        """The data that may be written: requirements met, and every column decided."""
        return forget_categories(self._leaving())

    def _leaving(self) -> pl.DataFrame:
        self.require_all()
        may = set(self.leaving_columns())
        return self.table.frame.select(name for name in self.table.columns if name in may)


def _nothing(release: Release) -> tuple[Caution, ...]:  # noqa: ARG001  nobody looks at the data
    return ()


def _short(facts: Mapping[str, Any]) -> str:
    """The plain numbers among the facts of a step."""
    plain = {name: fact for name, fact in facts.items() if isinstance(fact, int | float | str)}
    return ", ".join(f"{name} {number(fact)}" for name, fact in plain.items())
