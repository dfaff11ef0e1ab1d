"""Mondrian: top-down partitioning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.errors import InputError, InternalError
from microveil.hierarchies import AnyHierarchy, Unlisted
from microveil.methods.mondrian.keys import Key, key_of, key_space
from microveil.methods.mondrian.labels import Labels, centre_labels, node_labels, range_labels
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_promises import (
    Models,
    judge_of,
    keys_of,
    promises,
    refuse_hopeless,
    refuse_strangers,
    refuse_too_few,
)
from microveil.methods.parts.facts import class_facts
from microveil.tables import Table
from microveil.tables.codes import encode, pack
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.kernels.mondrian.key_space import KeySpace
    from microveil.kernels.mondrian.partition import Partitions

Split = Literal["widest", "ncp", "information_gain"]
Publish = Literal["ranges", "nodes", "centroids"]


class Mondrian(Method):
    """Cut the records into partitions of at least k, each published as its range of keys.

    Top down (LeFevre, DeWitt & Ramakrishnan 2006): a partition is cut at the median of the key
    whose range is widest, compared with its range in the table; if a half would break a promise,
    the next cut is tried; what cannot be cut is a class. Categories are cut along their hierarchy
    or, without one, in the order of their frequency. A missing key is a value of its own: it is
    cut off first, and a partition that cannot be rid of it withholds the key. Nothing is left to
    chance. Time n·log n; memory of four bytes per record and key, and what is published.

    >>> Mondrian(k=2, columns=["age"]).protect({"age": [30, 41, 34, 49]})["age"].to_list()
    ['[30, 34]', '[41, 49]', '[30, 34]', '[41, 49]']
    """

    method: Literal["mondrian"] = "mondrian"
    k: int = Field(ge=2)
    """Smallest number of records (of people, where the roles name an entity) of a partition."""
    mode: Literal["strict", "relaxed"] = "strict"
    """Whether records equal to the median stay together (strict), or may go to both halves to
    make them equally large (relaxed)."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How the values of a key generalise, by column: a builder, a file's path, or a ``tree``.
    Numbers, dates and enumerations follow theirs only where ``publish`` is ``nodes``."""
    models: Models = ()
    """Further promises that every partition must keep, such as l-diversity."""
    publish: Publish = "nodes"
    """What takes a key's place: ``ranges`` (sets of categories), ``nodes`` (the lowest common
    label where there is a hierarchy, else as with ranges), or ``centroids`` (means of numbers,
    medians of dates, most frequent categories)."""
    split: Split = "widest"
    """What a cut is chosen by: the widest range, the least loss of precision (``ncp``:
    normalised certainty penalty), or what it tells about ``target`` (``information_gain``)."""
    target: str | None = None
    """With ``information_gain``: the column of categories that shall stay predictable."""
    columns: Columns = ()
    """Keys; those of the roles unless named here."""
    unlisted: Unlisted = "error"
    """What happens to values a hierarchy does not list: an error, or ``*`` in their place."""

    @model_validator(mode="after")
    def _target_where_needed(self) -> Self:
        if (self.target is None) == (self.split == "information_gain"):
            raise ValueError("`target` goes with `split: information_gain`, and is needed there.")
        return self

    @property
    def perturbative(self) -> bool:
        """Where centroids are published: a mean is nobody's value."""
        return self.publish == "centroids"

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Publish each key as what the records of a partition have in common."""
        names = keys_of(table, self.columns, self.kind())
        refuse_strangers(self.hierarchies, names, self.kind())
        table.require([self.target] if self.target else [])
        if table.height == 0:
            return Outcome(table, class_facts(np.empty(0, np.int64)) | {"n_withheld": {}})
        refuse_too_few(table.height, self.k, self.kind())
        keys, codes = self._coded(table, names)
        space = key_space(keys)
        partitions = self._partitions(table, codes, space)
        labels = [self._labels(table, keys, i, partitions, space) for i in range(len(keys))]
        sizes = np.diff(partitions.starts, append=table.height)
        if sizes.min() < self.k:
            raise InternalError(f"Mondrian made a partition of {sizes.min()} records.")
        of_record = partitions.of_record()
        classes = _merged(labels)
        self._confirm(table, classes[of_record])
        facts = class_facts(np.bincount(classes, weights=sizes).astype(np.int64))
        facts["n_withheld"] = _withheld(labels, keys, partitions, table)
        del codes, partitions  # as large as what follows
        changed = [
            table.frame[key.name] if one.same else one.spread(of_record, key.name)
            for key, one in zip(keys, labels, strict=True)
        ]
        return Outcome(table.with_columns(changed), facts)

    def _coded(self, table: Table, names: tuple[str, ...]) -> tuple[list[Key], NDArray[np.int32]]:
        """The keys, and their codes: one row per key, a last one for the target if there is."""
        codes = np.empty((len(names) + (self.target is not None), table.height), dtype=np.int32)
        keys = []
        by_tree = self.publish == "nodes"
        for i, name in enumerate(names):
            hierarchy = self.hierarchies.get(name)
            key, codes[i] = key_of(table.frame[name], hierarchy, self.unlisted, by_tree=by_tree)
            keys.append(key)
        if self.target is not None:
            targets = encode(table.frame[self.target]).values
            codes[-1] = np.unique(targets, return_inverse=True)[1]
        return keys, codes

    def _partitions(self, table: Table, codes: NDArray[np.int32], space: KeySpace) -> Partitions:
        from microveil.kernels.mondrian.cuts import INFORMATION_GAIN, NCP, WIDEST, Rule
        from microveil.kernels.mondrian.partition import mondrian, mondrian_where

        split = {"widest": WIDEST, "ncp": NCP, "information_gain": INFORMATION_GAIN}[self.split]
        n_targets = int(codes[-1].max()) + 1 if self.target is not None else 0
        rule = Rule(self.k, self.mode == "relaxed", split, n_targets)
        models = promises(table, self.k, self.models)
        if not models:
            return mondrian(codes, space, rule)
        refuse_hopeless(table, models)
        return mondrian_where(codes, space, rule, judge_of(table, models))

    def _labels(
        self, table: Table, keys: list[Key], i: int, partitions: Partitions, space: KeySpace
    ) -> Labels:
        if self.publish == "centroids":
            return centre_labels(keys[i], i, partitions, table.frame[keys[i].name])
        if self.publish == "ranges":
            return range_labels(keys[i], i, partitions)
        return node_labels(keys[i], i, partitions, space)

    def _confirm(self, table: Table, of_record: NDArray[np.int32]) -> None:
        """Judge the classes as published: partitions that look alike have become one."""
        models = promises(table, self.k, self.models)
        if models and not judge_of(table, models)(of_record, int(of_record.max()) + 1).all():
            raise InputError(
                "The partitions do not keep all promises together. Leave models about the table "
                "as a whole out of the step's models, and put them among the recipe's requirements."
            )


def _merged(labels: list[Labels]) -> NDArray[np.int32]:
    """Class of each partition: those whose labels are all the same are one class."""
    frame = pl.DataFrame({str(i): one.of_partition for i, one in enumerate(labels)})
    _, classes = np.unique(pack(frame, frame.columns).values, return_inverse=True)
    return classes.astype(np.int32)


def _withheld(
    labels: list[Labels], keys: list[Key], partitions: Partitions, table: Table
) -> dict[str, int]:
    """Cells of each key that have a value which is not published."""
    sizes = np.diff(partitions.starts, append=table.height)
    withheld = {}
    for key, one in zip(keys, labels, strict=True):
        missing = one.labels.is_null().to_numpy()[one.of_partition]
        withheld[key.name] = int(sizes[missing].sum()) - table.frame[key.name].null_count()
    return withheld
