"""Mondrian: top-down partitioning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.arrays import Longs
from microveil.cores import map_on_cores
from microveil.errors import InputError, InternalError
from microveil.hierarchies import AnyHierarchy, Unlisted
from microveil.labels.recoding import Recoding, at_any_level
from microveil.methods.mondrian.keys import Key, key_of, key_space, meant_numbers
from microveil.methods.mondrian.labels import Labels, centre_labels, node_labels, range_labels
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_requirements import (
    Models,
    further_models,
    judge_of,
    keys_of,
    refuse_hopeless,
    refuse_strangers,
    refuse_too_few,
)
from microveil.methods.parts.facts import class_facts
from microveil.methods.parts.household_classes import classes_by_household
from microveil.methods.parts.value_text import value_text
from microveil.tables import Table
from microveil.tables.codes import encode, pack
from microveil.tables.people import alike_in_all, closed_up
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.kernels.mondrian.key_space import KeySpace
    from microveil.kernels.mondrian.partition import Partitions

Split = Literal["widest", "ncp", "information_gain"]
Publish = Literal["ranges", "nodes", "centroids"]


class Mondrian(Method):
    """Divide the records into partitions of at least k, each published as its range of keys.

    Top down (LeFevre, DeWitt & Ramakrishnan 2006): a partition is cut at the median of the key with
    the widest range relative to its range in the table. If a half would violate a requirement, the
    next cut is tried; a partition that cannot be cut is a class. Categories are cut along their
    hierarchy or, without one, in order of frequency. A missing key is a value of its own: it is cut
    off first, and a partition that cannot be freed of it withholds the key. The result is
    deterministic. Time n·log n; memory of four bytes per record and key, plus the published
    columns.

    >>> Mondrian(k=2, columns=["age"]).protect({"age": [30, 41, 34, 49]})["age"].to_list()
    ['[30, 34]', '[41, 49]', '[30, 34]', '[41, 49]']
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("publish", "unlisted")
    method: Literal["mondrian"] = "mondrian"
    k: int = Field(ge=2)
    """Smallest number of records (people, if the roles name an entity) in a partition."""
    mode: Literal["strict", "relaxed"] = "strict"
    """Whether records equal to the median stay together (strict), or may be divided to make both
    halves equally large (relaxed)."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How the values of a key generalise, by column: a builder, the path of a file, or a ``tree``.
    Numbers, dates and enumerations follow theirs only if ``publish`` is ``nodes``."""
    models: Models = ()
    """Further privacy models that every partition must satisfy, such as l-diversity."""
    publish: Publish = "nodes"
    """What replaces a key: ``ranges`` (sets of categories), ``nodes`` (the lowest common label if
    there is a hierarchy, otherwise as with ranges), or ``centroids`` (means of numbers, medians of
    dates, most frequent categories)."""
    split: Split = "widest"
    """How a cut is chosen: by the widest range, the smallest loss of precision (``ncp``: normalised
    certainty penalty), or the information about ``target`` (``information_gain``)."""
    target: str | None = None
    """With ``information_gain``: the categorical column that should stay predictable."""
    columns: Columns = ()
    """Keys; by default those of the roles."""
    unlisted: Unlisted = "error"
    """What happens to values that a hierarchy does not list: an error, or replacement by ``*``."""
    categories: Columns = ()
    """Keys whose numbers are codes of categories: sets of codes are published, no ranges. Other
    texts that are all numbers are cut as numbers."""

    @model_validator(mode="after")
    def _target_where_needed(self) -> Self:
        if (self.target is None) == (self.split == "information_gain"):
            raise ValueError("`target` goes with `split: information_gain`, and is needed there.")
        return self

    @property
    def perturbative(self) -> bool:
        """If centroids are published: a mean is nobody's value."""
        return self.publish == "centroids"

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Publish for each key what the records of a partition have in common.

        Keys that describe a household are published alike for all its members.
        """
        return classes_by_household(self, table, rng, Mondrian._partition)

    @property
    def by_counts(self) -> bool:
        """Whether the result follows from the classes and how many records each has."""
        kept_together = self.mode == "strict" and self.split == "widest"
        return kept_together and self.publish != "centroids"

    def on_classes(self, table: Table, counts: Longs) -> Outcome | None:
        """The same on distinct rows, unless models, medians or means ask for the records."""
        if not self.by_counts or further_models(table, self.k, self.models, self.columns):
            return None
        return self._outcome(table, counts)

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What each value becomes at any level, where labels are nodes of a hierarchy."""
        builder = self.hierarchies.get(name)
        return None if builder is None else at_any_level(builder, values, counts)

    def _partition(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        return self._outcome(table, None)

    def _outcome(self, table: Table, counts: Longs | None) -> Outcome:
        names = keys_of(table, self.columns, self.kind())
        refuse_strangers(self.hierarchies, names, self.kind())
        table.require(self.categories)
        table.require([self.target] if self.target else [])
        if table.height == 0:
            return Outcome(table, class_facts(np.empty(0, np.int64)) | {"n_withheld": {}})
        refuse_too_few(table.height if counts is None else int(counts.sum()), self.k, self.kind())
        keys, codes = self._encode_keys(table, names, counts)
        space = key_space(keys)
        partitions = self._partitions(table, codes, counts, space)
        labels = self._labels_of_all(table, keys, partitions, space)
        sizes = _sizes(partitions, counts)
        if sizes.min() < self.k:
            raise InternalError("Mondrian made a partition of {min} records.", min=sizes.min())
        of_record = partitions.of_record()
        classes = _merge_partitions(labels)
        self._confirm(table, classes[of_record])
        facts = class_facts(np.bincount(classes, weights=sizes).astype(np.int64))
        facts["n_withheld"] = _withheld(labels, keys, sizes, table, counts)
        if texts := self._numbers_in_text(table, names):
            facts["read_as_numbers"] = texts
        del codes, partitions  # as large as the results below

        def publish(i: int) -> pl.Series:
            name = keys[i].name
            return table.frame[name] if labels[i].same else labels[i].spread(of_record, name)

        return Outcome(table.with_columns(map_on_cores(publish, range(len(keys)))), facts)

    def _encode_keys(
        self, table: Table, names: tuple[str, ...], counts: Longs | None
    ) -> tuple[list[Key], NDArray[np.int32]]:
        """The keys, and their codes: one row per key, and a last one for the target, if any."""
        codes = np.empty((len(names) + (self.target is not None), table.height), dtype=np.int32)
        keys = []
        by_tree = self.publish == "nodes"
        for i, name in enumerate(names):
            hierarchy = self.hierarchies.get(name)
            key, codes[i] = key_of(
                table.frame[name],
                hierarchy,
                self.unlisted,
                by_tree=by_tree,
                category=name in self.categories,
                counts=counts,
            )
            keys.append(key)
        if self.target is not None:
            targets = encode(table.frame[self.target]).values
            codes[-1] = np.unique(targets, return_inverse=True)[1]
        return keys, codes

    def _as_cut(self, series: pl.Series) -> pl.Series:
        """A key as it is cut: codes as text, numbers held as text as numbers."""
        if series.name in self.categories:
            return value_text(series)
        return series if series.name in self.hierarchies else meant_numbers(series)

    def _numbers_in_text(self, table: Table, names: tuple[str, ...]) -> list[str]:
        """Keys of text that are cut as numbers."""
        texts = [name for name in names if table.frame.schema[name] == pl.String]
        return [name for name in texts if self._as_cut(table.frame[name]).dtype != pl.String]

    def _partitions(
        self, table: Table, codes: NDArray[np.int32], counts: Longs | None, space: KeySpace
    ) -> Partitions:
        from microveil.kernels.mondrian.by_classes import mondrian_of_classes
        from microveil.kernels.mondrian.by_people import mondrian_of_people
        from microveil.kernels.mondrian.cuts import INFORMATION_GAIN, NCP, WIDEST, CutRule
        from microveil.kernels.mondrian.partition import mondrian, mondrian_where

        if counts is not None:
            return mondrian_of_classes(codes, counts, space, self.k)
        split = {"widest": WIDEST, "ncp": NCP, "information_gain": INFORMATION_GAIN}[self.split]
        n_targets = int(codes[-1].max()) + 1 if self.target is not None else 0
        rule = CutRule(self.k, self.mode == "relaxed", split, n_targets)
        models = further_models(table, self.k, self.models, self.columns)
        if not models:
            return mondrian(codes, space, rule)
        refuse_hopeless(table, models)
        if table.people is not None and not self.models:
            people = closed_up(table.people)
            together = not rule.relaxed and all(
                alike_in_all(people, column) for column in codes[: len(space.span)]
            )
            # Linked rows in several partitions make a person rarer than each partition tells.
            if together or not table.linked:
                return mondrian_of_people(codes, space, rule, people, together=together)
        return mondrian_where(codes, space, rule, judge_of(table, models))

    def _labels_of_all(
        self, table: Table, keys: list[Key], partitions: Partitions, space: KeySpace
    ) -> list[Labels]:
        return map_on_cores(
            lambda i: self._labels(table, keys, i, partitions, space), range(len(keys))
        )

    def _labels(
        self, table: Table, keys: list[Key], i: int, partitions: Partitions, space: KeySpace
    ) -> Labels:
        if self.publish == "centroids":
            return centre_labels(keys[i], i, partitions, self._as_cut(table.frame[keys[i].name]))
        if self.publish == "ranges":
            return range_labels(keys[i], i, partitions)
        return node_labels(keys[i], i, partitions, space)

    def _confirm(self, table: Table, of_record: NDArray[np.int32]) -> None:
        """Judge the classes as published: partitions that look alike have become one."""
        models = further_models(table, self.k, self.models, self.columns)
        if models and not judge_of(table, models)(of_record, int(of_record.max()) + 1).all():
            raise InputError(
                "The partitions do not satisfy all models together. Leave models of the table "
                "as a whole out of the step's models, and list them in the recipe's requirements."
            )


def _merge_partitions(labels: list[Labels]) -> NDArray[np.int32]:
    """Class of each partition: those with all labels equal form one class."""
    frame = pl.DataFrame({str(i): one.of_partition for i, one in enumerate(labels)})
    _, classes = np.unique(pack(frame, frame.columns).values, return_inverse=True)
    return classes.astype(np.int32)


def _sizes(partitions: Partitions, counts: Longs | None) -> Longs:
    """Records of each partition."""
    if counts is None:
        return np.diff(partitions.starts, append=len(partitions.order))
    return np.add.reduceat(counts[partitions.order], partitions.starts)


def _withheld(
    labels: list[Labels], keys: list[Key], sizes: Longs, table: Table, counts: Longs | None
) -> dict[str, int]:
    """Number of cells of each key with a value that is not published."""
    withheld = {}
    for key, one in zip(keys, labels, strict=True):
        missing = one.labels.is_null().to_numpy()[one.of_partition]
        empty = table.frame[key.name].is_null().to_numpy()
        n_empty = int(empty.sum() if counts is None else counts[empty].sum())
        withheld[key.name] = int(sizes[missing].sum()) - n_empty
    return withheld
