"""Outputs of a project on their way into the registry: counts as keyed hashes of their labels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from microveil.registry.entries import Output, ReleaseEntry
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.published_tables import (
    Differences,
    PublishedTable,
    difference_tables,
    pack_tables,
    unpack_tables,
)
from microveil.registry.registering import NotedFiles, RegistryTerms
from microveil.tabulation.outputs.reading import OutputTable, read_outputs
from microveil.texts import Message

LABELS = "labels"
"""The one variable of outputs: a cell is known by all of its labels."""
THRESHOLD = 10
"""People that a difference must have where the records say nothing else."""


@dataclass(eq=False)
class OutputsRegistration(NotedFiles):
    """Outputs that are compared before they are written, and noted when they are."""

    terms: RegistryTerms
    project: str
    records: tuple[Mapping[str, Any], ...]
    tables: tuple[PublishedTable, ...]
    outputs: tuple[Output, ...]
    k: int = THRESHOLD
    differences: Mapping[str, tuple[Differences, ...]] = field(default_factory=dict)
    """Cells that differ by few from those of earlier outputs, by publication."""
    entry: ReleaseEntry | None = None

    @classmethod
    def of(
        cls,
        terms: RegistryTerms,
        project: str,
        files: Mapping[str, bytes],
        records: Sequence[Mapping[str, Any]],
        folder: Path,
    ) -> OutputsRegistration:
        """Hash the counts, and compare them with those of earlier outputs of the same source."""
        hashed = tuple(hash_output(terms.registry.hashes, one) for one in _tables_in(files))
        outputs = tuple(
            Output(name, hashlib.sha256(body).hexdigest(), target=str((folder / name).resolve()))
            for name, body in files.items()
        )
        asked = [int(one.get("limits", {}).get("threshold", THRESHOLD)) for one in records]
        made = cls(terms, project, tuple(records), hashed, outputs, max(asked, default=THRESHOLD))
        made.differences = made._compare()
        return made

    @property
    def source(self) -> str:
        """The source that they are of: by default the project."""
        return self.terms.source or self.project

    @property
    def n_small(self) -> int:
        """Cells that differ by few."""
        return sum(one.n_small for some in self.differences.values() for one in some)

    def sentence(self) -> str:
        """What the outputs tell together with earlier ones."""
        if not self.differences:
            return Message("across.no_outputs", "No outputs of this source left before.")
        return Message(
            "across.outputs",
            "1 cell differs by fewer than {k} from the same cell of an earlier output.",
            many="{n:,} cells differ by fewer than {k} from the same cells of earlier outputs.",
            n=self.n_small,
            k=self.k,
        )

    def _compare(self) -> dict[str, tuple[Differences, ...]]:
        registry = self.terms.registry
        found = {}
        for entry in registry.releases(self.source):
            packed = registry.signatures(entry) if entry.kind == "outputs" else None
            if packed is not None:
                earlier = unpack_tables(packed)
                found[f"{entry.id} {entry.title}"] = tuple(
                    difference_tables(one, other, self.k)
                    for one in self.tables
                    for other in earlier
                )
        return found

    def begin(self) -> None:
        """Note what is about to be written."""
        text = json.dumps([dict(one) for one in self.records], sort_keys=True, default=str)
        terms = self.terms
        entry = ReleaseEntry(
            id="",
            at="",
            kind="outputs",
            source=self.source,
            audience=terms.audience,
            made_by=terms.made_by,
            recipe_sha256=hashlib.sha256(text.encode()).hexdigest(),
            checks=tuple(_check(one) for one in self.records),
            input_sha256=terms.input_sha256,
            outputs=self.outputs,
            composition={"n_small": self.n_small, "sentence": self.sentence()},
        )
        self.entry = terms.registry.begin(entry, pack_tables(self.tables))


def hash_output(hashes: KeyedHashes, table: OutputTable) -> PublishedTable:
    """An output as hashes of the label sets of its cells, 0 for the total of all."""
    texts = ["\x1f".join(sorted(key)) for key in table.cells]
    hashed = hashes.cells(pl.Series(LABELS, texts, dtype=pl.String))
    whole = np.array([not text for text in texts], dtype=np.bool_)
    counts = np.array([np.nan if one is None else one for one in table.cells.values()])
    cells = np.where(whole, np.uint64(0), hashed).astype(np.uint64)
    return PublishedTable((LABELS,), cells.reshape(-1, 1), counts.astype(np.float64))


def _tables_in(files: Mapping[str, bytes]) -> list[OutputTable]:
    """Tables of counts among files that are not written yet."""
    with TemporaryDirectory() as scratch:
        for number, (name, body) in enumerate(files.items()):
            (Path(scratch) / f"{number}{Path(name).suffix}").write_bytes(body)
        tables, _ = read_outputs(scratch)
    return [one for one in tables if one.counts and not one.links]


def _check(record: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "model": "outputs",
        "title": f"{record.get('name')}: {record.get('verdict')}",
        "holds": record.get("verdict") != "fail",
    }
