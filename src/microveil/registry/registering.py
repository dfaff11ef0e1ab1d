"""Registering a release: its entry and signatures, noted when its files appear."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from microveil.errors import FileError
from microveil.files.formats import format_of
from microveil.registry.composing import Composition
from microveil.registry.entries import Kind, Output, ReleaseEntry
from microveil.registry.history import History
from microveil.registry.keyed_hashes import content_sha256
from microveil.registry.measuring import measure_release
from microveil.registry.registry import Registry
from microveil.registry.signatures import Signatures, people_of, sign_table
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.files import WriteReport
    from microveil.files.placing import Witness
    from microveil.privacy import Check
    from microveil.recipes import Recipe
    from microveil.release import Release

LARGEST_CONTENT = 5_000_000
"""Rows up to which the content of a file has a checksum of its own."""


@dataclass(frozen=True)
class RegistryTerms:
    """Where and how a release is registered."""

    registry: Registry
    source: str = ""
    """Name of the source; releases of other names are compared, too, if they share people."""
    person: str | None = None
    """Column of the original that tells people apart; by default the entity, or whole rows."""
    audience: str | None = None
    made_by: str | None = None
    input_sha256: str | None = None

    def note_outputs(
        self,
        project: str,
        files: Mapping[str, bytes],
        records: Sequence[Mapping[str, Any]],
        folder: Path,
    ) -> Witness:
        """Who notes the outputs of a project when their files appear."""
        from microveil.registry.outputting import OutputsRegistration

        return OutputsRegistration.of(self, project, files, records, folder)


class NotedFiles:
    """What is noted before its files appear, and withdrawn if they do not."""

    terms: RegistryTerms
    entry: ReleaseEntry | None

    def finish(self) -> None:
        """Note that they were written."""
        if self.entry is not None:
            self.terms.registry.finish(self.entry)

    def withdraw(self) -> None:
        """Note that they were not."""
        if self.entry is not None:
            self.terms.registry.withdraw(self.entry)
        self.entry = None


@dataclass(eq=False)
class Registration:
    """A release on its way into the registry: compared before it is written, noted when it is."""

    terms: RegistryTerms
    recipe: Recipe
    signatures: Signatures | None
    kind: Kind = "microdata"
    privacy_loss: Mapping[str, Any] | None = None
    compositions: Mapping[str | None, Composition] = field(default_factory=dict)
    """What the release tells together with earlier ones, by scenario."""
    entry: ReleaseEntry | None = None
    text: str | None = None
    """The recipe as it is noted, where it is not that of one table."""

    @classmethod
    def of(
        cls,
        terms: RegistryTerms,
        recipe: Recipe,
        original: Table,
        released: Table,
        privacy_loss: Mapping[str, Any] | None = None,
    ) -> Registration:
        """Sign the classes of a release, and compare it with those before it."""
        signed, kind = None, "synthesis"
        if not released.synthetic:
            people, by = people_of(original, released, terms.person)
            signed, kind = sign_table(
                terms.registry.hashes, released, people, people_by=by, missing=recipe.missing_keys
            ), "microdata"  # fmt: skip
        made = cls(terms, recipe, signed, cast("Kind", kind), privacy_loss)
        made.compositions = dict(made._compare())
        return made

    @classmethod
    def of_people(
        cls,
        terms: RegistryTerms,
        recipe: Recipe,
        view: Table | None,
        people: pl.Series | None,
        *,
        people_by: str = "",
        text: str | None = None,
    ) -> Registration:
        """Sign what several tables show of each person: one row of ``view`` for each of them.

        Without a view the tables are synthetic, and nobody is in them.
        """
        signed, kind = None, "synthesis"
        if view is not None and people is not None:
            signed, kind = sign_table(
                terms.registry.hashes, view, people, people_by=people_by,
                missing=recipe.missing_keys,
            ), "linked"  # fmt: skip
        made = cls(terms, recipe, signed, cast("Kind", kind), text=text)
        made.compositions = dict(made._compare())
        return made

    @property
    def composition(self) -> Composition:
        """What it tells together with earlier releases, to who knows the quasi-identifiers."""
        return next(iter(self.compositions.values()))

    def checks(self, n_records: int) -> tuple[Check, ...]:
        """The recipe's requirements on all releases together."""
        return tuple(
            composition.check(one, n_records, scenario)
            for one in self.recipe.across
            for scenario, composition in self.compositions.items()
        )

    def _compare(self) -> Iterator[tuple[str | None, Composition]]:
        k = max((one.k for one in self.recipe.across), default=0) or _k_of(self.recipe)
        history = History.of(self.terms.registry, self.signatures, self.terms.source)
        own = self.privacy_loss
        sets = self.recipe.roles.key_sets()
        wanted = {name: keys for name, keys in sets.items() if keys} or {None: ()}
        for scenario, keys in wanted.items():
            yield scenario, history.compare(self.signatures, k, scenario, keys, own)

    def witness(
        self, release: Release | None, written: Sequence[WriteReport], checks: Sequence[Check]
    ) -> RegistryWitness:
        """What notes the files when they are placed."""
        frame = None if release is None else release.exportable()
        signed = self.signatures
        terms = self.terms
        entry = ReleaseEntry(
            id="",
            at="",
            kind=self.kind,
            source=terms.source,
            audience=terms.audience,
            made_by=terms.made_by,
            recipe=self.text or self.recipe.to_yaml(),
            recipe_sha256=hashlib.sha256((self.text or self.recipe.identity).encode()).hexdigest(),
            requirements=tuple(one.to_dict() for one in self.recipe.require),
            checks=tuple(check.to_dict() for check in checks),
            input_sha256=terms.input_sha256,
            outputs=tuple(_output(one, frame if place == 0 else None) for place, one in
                          enumerate(written)),
            n_records=written[0].n_rows if written else 0,
            people_by=None if signed is None else signed.people_by,
            n_people=0 if signed is None else len(set(signed.people.tolist()) - {0}),
            key_sets={name or "": keys for name, keys in self.recipe.roles.key_sets().items()},
            privacy_loss=self.privacy_loss,
            composition=self.composition.to_dict(),
            measured=None if release is None else measure_release(release, terms.registry.hashes),
        )  # fmt: skip
        return RegistryWitness(self, entry)


@dataclass(eq=False)
class RegistryWitness:
    """Notes a release before its first file is placed, and after the last."""

    registration: Registration
    entry: ReleaseEntry

    def begin(self) -> None:
        """Note what is about to be written."""
        signed = self.registration.signatures
        packed = None if signed is None else signed.pack()
        self.entry = self.registration.terms.registry.begin(self.entry, packed)
        self.registration.entry = self.entry

    def finish(self) -> None:
        """Note that it was written; if that fails, the next look at the registry finds the file."""
        with suppress(FileError):
            self.registration.terms.registry.finish(self.entry)

    def withdraw(self) -> None:
        """Note that it was not."""
        self.registration.entry = None
        self.registration.terms.registry.withdraw(self.entry)


def _k_of(recipe: Recipe) -> int:
    """The k that the recipe asks of this release alone, or a usual one."""
    asked = [k for k in (getattr(one, "k", None) for one in recipe.models) if isinstance(k, int)]
    return max([2, *asked]) if asked else 5


def _output(written: WriteReport, frame: pl.DataFrame | None) -> Output:
    database = format_of(written.path, written.format).database
    small = frame is not None and frame.height <= LARGEST_CONTENT
    return Output(
        name=written.path if database else Path(written.path).name,
        sha256=written.sha256,
        content_sha256=content_sha256(frame) if small and frame is not None else None,
        n_rows=written.n_rows,
        columns=() if frame is None else tuple(frame.columns),
        target=None if database else str(Path(written.path).expanduser().resolve()),
    )
