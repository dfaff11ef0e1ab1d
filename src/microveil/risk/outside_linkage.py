"""Linkage with an external list: whom an intruder with a list of people finds in a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.files import read
from microveil.hierarchies.text_files import find
from microveil.labels.overlap import overlaps
from microveil.measures.base import RiskMeasure, roles_for
from microveil.measures.evidence import AppliedRecipe
from microveil.pairs.columns import Column
from microveil.pairs.reading import Reading
from microveil.risk.attacks.base import readable_table
from microveil.risk.attacks.rates import Rate
from microveil.scores import Score
from microveil.tables import Roles, Table, to_polars
from microveil.tables.codes import pack
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import is_nested
from microveil.tables.roles import Columns, check_columns
from microveil.tables.values import as_text, positions_among
from microveil.texts import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from microveil.arrays import Flags, Longs

CELLS = 50_000_000
"""Pairs of people and classes compared at a time."""
FEW = 10
"""People with at most this many candidates are listed in ``frames["links"]``."""


class OutsideLinkage(RiskMeasure):
    """Share of the people on an external list who match exactly one released record.

    A person's candidates are the released records whose labels are compatible with the list: a
    value in a range, a postcode under a mask (the list itself may hold only ``970**``). A value
    missing on either side is compatible with anything. *Identity disclosure*: one candidate.
    *Attribute disclosure*: the candidates leave fewer possible sensitive values than the table has
    (``n_attribute``), or just one (``n_certain``). The list is treated as a sample of what an
    intruder may have, hence the interval. After perturbation a single candidate may be the wrong
    one, which this measure cannot detect.

    ``parts`` has the counts; ``records`` has the highest probability, 1/candidates, with which
    anybody on the list is matched to each released record; ``frames["people"]`` has the candidates
    of each person, ``frames["links"]`` the row numbers for people with few.

    >>> teachers = {"job": ["Education", "Education"], "zip": ["970**", "401**"]}
    >>> released = {"job": ["Education"] * 3, "zip": ["40***", "40***", "97***"], "pay": [1, 2, 3]}
    >>> OutsideLinkage().measure(released, auxiliary=teachers).parts["n_identity"]
    1
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "People of an outside list found"
    headline: ClassVar[bool] = True
    name: Literal["outside_linkage"] = "outside_linkage"
    by_default: ClassVar[bool] = False  # it needs a list
    auxiliary: str | None = None
    """Path of the list: any file with some of the release's column names."""
    known: Columns = ()
    """Columns the list provides; by default all that it shares with the release."""
    sensitive: Columns = ()
    """Columns the intruder wants to learn; by default the sensitive columns, otherwise the rest."""

    def measure(
        self,
        first: Any,
        second: Any = None,
        *,
        roles: Roles | None = None,
        recipe: AppliedRecipe | None = None,
        auxiliary: Any = None,
    ) -> Score:
        """``measure(released, auxiliary=…)``: link with a list given as a data frame or a file.

        With an original passed first, labels that do not describe themselves (nodes of a tree) are
        read as the original values they stand for, by the ``recipe`` if it is given.
        """
        roles = roles_for(first, roles, recipe)
        released = readable_table(first if second is None else second, roles)
        reading = None
        if second is not None:
            reading = Reading.of(readable_table(first, roles), released, recipe=recipe)
        people = self._read_people(released) if auxiliary is None else to_polars(auxiliary)
        return self._link(released, people, reading)

    def score(self, original: Table | None, table: Table) -> Score:
        """Link with the list in the file."""
        reading = None if original is None else Reading.of(original, table)
        return self._link(table, self._read_people(table), reading)

    def score_reading(self, reading: Reading) -> Score:
        """Link with the list in the file; labels are read as all measures read them."""
        return self._link(reading.released, self._read_people(reading.released), reading)

    def _read_people(self, table: Table) -> pl.DataFrame:
        """The people on the list in the file."""
        if self.auxiliary is None:
            raise InputError(
                "Outside linkage needs a list of people: `auxiliary`, the path of a file, or "
                "measure(released, auxiliary=frame)."
            )
        place = self.auxiliary if "://" in self.auxiliary else find(self.auxiliary)
        return _read_list(place, table.frame.schema)

    def _link(self, released: Table, people: pl.DataFrame, reading: Reading | None) -> Score:
        known = self._known_columns(released, people)
        sensitive = self._sensitive(released, known)
        groups = _Groups(released.frame, known, released.people)
        asked = _Groups(people, known)
        match = _Matches(people, released.frame, known, asked, groups, reading)
        n_values = {name: match.distinct(released.frame[name]) for name in sensitive}
        found = pl.DataFrame(
            {"n_candidates": match.n_candidates[asked.of_row]}
            | {f"n_values_{name}": count[asked.of_row] for name, count in n_values.items()}
        )
        in_table = {name: released.frame[name].n_unique() for name in sensitive}
        rate = Rate(people.height, float((found["n_candidates"] == 1).sum()))
        return Score(
            measure=self.kind(),
            value=rate.share,
            interval=rate.interval if people.height else None,
            parts={"risk": rate.share, **_count_disclosed(found, in_table), "known": list(known)},
            records=match.record_chances(),
            frames={"people": found.with_row_index("person"), "links": match.links()},
        )

    def _known_columns(self, released: Table, people: pl.DataFrame) -> tuple[str, ...]:
        if self.known:
            check_columns(self.known, people.columns)
            check_columns(self.known, released.columns)
            known: tuple[str, ...] = self.known
        else:
            secret = {*self.sensitive, *released.roles.sensitive}
            secret -= set(released.roles.quasi_identifiers)  # known to some: the worst case
            known = tuple(
                name for name in people.columns if name in released.columns and name not in secret
            )
        if not known:
            raise InputError(
                "The list and the release have no column in common. Rename the list's columns as "
                "in the release."
            )
        for frame in (released.frame, people):
            refuse_nested(frame, known, phrase("Outside linkage"))
        return known

    def _sensitive(self, released: Table, known: tuple[str, ...]) -> list[str]:
        chosen = self.sensitive or released.roles.sensitive
        if chosen:
            released.require(chosen)
            refuse_nested(released.frame, chosen, phrase("Outside linkage"))
            return list(chosen)
        schema = released.frame.schema
        return [name for name, kind in schema.items() if name not in known and not is_nested(kind)]


def _read_list(place: str | Path, schema: pl.Schema) -> pl.DataFrame:
    """The list from a file; columns that are text in the release are read as text."""
    people = read(place)
    texts = [name for name in people.columns if schema.get(name) == pl.String]
    if all(people.schema[name] == pl.String for name in texts):
        return people
    return read(place, types=dict.fromkeys(texts, "text"))


def _count_disclosed(found: pl.DataFrame, in_table: Mapping[str, int]) -> dict[str, Any]:
    """How many people are identified, and of how many the sensitive values are narrowed down.

    ``in_table`` has the number of distinct values of each sensitive column: nobody learns anything
    from a value that all records share.
    """
    candidates = found["n_candidates"]
    there = candidates > 0
    narrowed = {name: there & (found[f"n_values_{name}"] < n) for name, n in in_table.items()}
    certain = {
        name: there & (found[f"n_values_{name}"] == 1) & (n > 1) for name, n in in_table.items()
    }
    return {
        "n_people": found.height,
        "n_matched": int(there.sum()),
        "n_identity": int((candidates == 1).sum()),
        "n_attribute": _n_any(narrowed),
        "n_certain": _n_any(certain),
        "attribute": {
            name: {
                "n_narrowed": int(narrowed[name].sum()),
                "n_certain": int(certain[name].sum()),
            }
            for name in in_table
        },
        "expected_identity": float((1 / candidates.replace(0, None)).sum()),
    }


def _n_any(flags: dict[str, pl.Series]) -> int:
    return int(np.any([one.to_numpy() for one in flags.values()], axis=0).sum()) if flags else 0


class _Groups:
    """The distinct combinations of some columns."""

    def __init__(
        self, frame: pl.DataFrame, columns: Sequence[str], people: Longs | None = None
    ) -> None:
        numbers = pack(frame.select(columns), columns).values
        _, self.example, self.of_row = np.unique(numbers, return_index=True, return_inverse=True)
        self.sizes = np.bincount(self.of_row, minlength=len(self.example))
        self.people: pl.DataFrame | None = None
        """With an entity: who is in each combination."""
        if people is not None:
            self.people = pl.DataFrame({"group": self.of_row, "person": people}).unique()


class _Matches:
    """Classes of the release that each combination on the list may match."""

    def __init__(
        self,
        people: pl.DataFrame,
        released: pl.DataFrame,
        known: Sequence[str],
        asked: _Groups,
        groups: _Groups,
        reading: Reading | None,
    ) -> None:
        self._asked, self._groups = asked, groups
        pairs = [
            _compare(people[name][asked.example], released[name][groups.example], reading)
            for name in known
        ]
        n_asked, n_groups = len(asked.example), len(groups.example)
        size = max(1, CELLS // max(n_groups, 1))
        found = [np.zeros((2, 0), dtype=np.int64)]
        for start in range(0, n_asked, size):
            stop = min(start + size, n_asked)
            fits = np.ones((stop - start, n_groups), dtype=np.bool_)
            for table, ours, theirs in pairs:
                fits &= table[ours[start:stop]][:, theirs]
            found.append(np.array(np.nonzero(fits)) + np.array([[start], [0]]))
        self.asking, self.group = np.concatenate(found, axis=1)
        self.n_candidates: Longs = self._count(n_asked)

    def _count(self, n_asked: int) -> Longs:
        """Released records that fit each combination; people, if rows have an entity."""
        if self._groups.people is not None:
            return self._distinct(self._groups.people.rename({"person": "value"}), n_asked)
        weights = self._groups.sizes[self.group] if len(self._groups.sizes) else None
        return np.bincount(self.asking, weights=weights, minlength=n_asked).astype(np.int64)

    def distinct(self, sensitive: pl.Series) -> Longs:
        """Number of distinct sensitive values among each combination's candidates."""
        values = pack(sensitive.to_frame(), [sensitive.name]).values
        pairs = pl.DataFrame({"group": self._groups.of_row, "value": values}).unique()
        return self._distinct(pairs, len(self.n_candidates))

    def _distinct(self, pairs: pl.DataFrame, n_asked: int) -> Longs:
        """Number of distinct values of the classes that fit each combination."""
        links = pl.DataFrame({"asking": self.asking, "group": self.group})
        counted = links.join(pairs, on="group").group_by("asking").agg(pl.col("value").n_unique())
        counts = np.zeros(n_asked, dtype=np.int64)
        counts[counted["asking"].to_numpy()] = counted["value"].to_numpy()
        return counts

    def record_chances(self) -> NDArray[np.float64]:
        """Highest probability with which anybody on the list is matched to each released record."""
        chances = np.zeros(len(self._groups.example))
        np.maximum.at(chances, self.group, 1 / np.maximum(self.n_candidates[self.asking], 1))
        return chances[self._groups.of_row]

    def links(self) -> pl.DataFrame:
        """Row numbers of people with few candidates, and of their candidates."""
        few = self.n_candidates[self.asking] <= FEW
        pairs = pl.DataFrame({"asking": self.asking[few], "group": self.group[few]})
        people = pl.DataFrame({"asking": self._asked.of_row}).with_row_index("person")
        records = pl.DataFrame({"group": self._groups.of_row}).with_row_index("record")
        linked = people.join(pairs, on="asking").join(records, on="group")
        return linked.select("person", "record").sort("person", "record")


def _compare(
    known: pl.Series, labels: pl.Series, reading: Reading | None
) -> tuple[Flags, Longs, Longs]:
    """Which distinct values may match which distinct labels, and the positions of both."""
    ours, theirs = (_number_values(one) for one in (known, labels))
    values, shown = known[ours[0]], labels[theirs[0]]
    fits = overlaps(values, shown)
    if reading is not None and known.name in reading.common:
        fits |= _standing_for(values, shown, reading.column(known.name))
    return fits, ours[1], theirs[1]


def _standing_for(values: pl.Series, labels: pl.Series, column: Column) -> Flags:
    """Whether a value of the original is one that a label stands for."""
    fits = np.zeros((len(values), len(labels)), dtype=np.bool_)
    if not column.labelled:
        return fits
    written = as_text(column.written).cast(pl.String)
    place = positions_among(as_text(values).cast(pl.String), written)
    label = positions_among(as_text(labels).cast(pl.String), column.label_texts)
    for number in np.flatnonzero(label >= 0):
        covered = np.append(column.cover.contains(int(label[number])), False)
        fits[:, number] = covered[place]
    return fits


def _number_values(series: pl.Series) -> tuple[Longs, Longs]:
    values = pack(series.to_frame("x"), ["x"]).values
    _, example, place = np.unique(values, return_index=True, return_inverse=True)
    return example, place
