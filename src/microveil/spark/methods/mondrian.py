"""Mondrian on classes: Spark counts them, and rows look the labels of their class up.

A cut follows from how often each value of each key occurs in a partition, and records with equal
keys stay together, so that classes and their counts give the partitions of the whole table. The
driver cuts a few million classes in less time than a worker takes to start. If there are more, it
makes the first cuts from counts, and a worker finishes each block of classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.arrays import Ints
from microveil.methods import Mondrian
from microveil.methods.mondrian.keys import Key, key_of, key_space
from microveil.methods.mondrian.labels import node_labels, range_labels
from microveil.methods.parts.class_requirements import keys_of, refuse_strangers, refuse_too_few
from microveil.planning.class_index import places
from microveil.planning.methods.by_classes import counts_records
from microveil.spark.frames import arrow_schema, col, tidy, to_polars
from microveil.spark.methods.first_cuts import BlockTree, Space, first_cuts
from microveil.spark.table import BYTES_PER_CLASS, KnownClasses, SparkTable
from microveil.tables import Roles, Table
from microveil.tables.names import free_name
from microveil.tables.table import Counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from microveil.kernels.mondrian.key_space import KeySpace

CLASSES = 300_000
"""Classes that a task counts."""
FEW_CLASSES = 2_000_000
"""Classes that the driver cuts without the workers' help, if its memory allows it."""
BYTES_TO_CUT = 800
"""Memory of the driver that this takes for each class: its keys, codes and labels."""
MOST_ON_DRIVER = 5_000_000
"""Classes whose codes come to the driver, for the first cuts."""
NUMBER = "microveil_block"
RECORDS = "microveil_records"
LABEL = "microveil_label_{}"


def suits(step: Mondrian, head: Table) -> bool:
    """Whether counts of single keys determine the cuts: not with models, targets or centroids.

    Where people are counted and not rows, they do not.
    """
    by_rows = head.roles.entity is None
    return by_rows and step.by_counts and not step.models and not counts_records(step)


def divide(
    step: Mondrian, table: SparkTable, head: Table
) -> tuple[DataFrame, KnownClasses, Mapping[str, Any]]:
    """The frame with the partitions' labels, its classes, and how many blocks there were."""
    from pyspark import StorageLevel

    names = keys_of(head, step.columns, step.kind())
    refuse_strangers(step.hierarchies, names, step.kind())
    counted = _classes(table.frame, names).persist(StorageLevel.MEMORY_AND_DISK)
    n_classes = counted.count()
    room = table.most_classes * BYTES_PER_CLASS
    if n_classes <= min(FEW_CLASSES, room // BYTES_TO_CUT):
        labels, known = _cut_by_driver(step, counted, names, head)
        n_blocks = 1
    else:
        labels, n_blocks = _cut_by_workers(step, counted, names, n_classes)
        known = None
    # Checks, writing and checking again would each cut the table anew.
    labels = labels.persist(StorageLevel.MEMORY_AND_DISK)
    labels.count()
    counted.unpersist()
    published = _publish(table.frame, labels, names)
    return published, known or _counted_on_spark(labels, names), {"n_blocks": n_blocks}


def _cut_by_driver(
    step: Mondrian, counted: DataFrame, names: Sequence[str], head: Table
) -> tuple[DataFrame, KnownClasses]:
    """The labels of each class, from the classes themselves, and what is known of the result."""
    rows = to_polars(counted.toArrow())
    whole = Counted(rows.select(names), rows[RECORDS].to_numpy())
    coding = _Coding.of(step, [whole.of([name]) for name in names])
    refuse_too_few(coding.n_records, step.k, step.kind())
    schema = _label_schema(counted, names)
    labelled = rows.select(*names, *labels_of(step, rows, coding), RECORDS)
    arrow = labelled.to_arrow().cast(arrow_schema(schema, counted))
    return counted.sparkSession.createDataFrame(arrow, schema), _known_classes(
        labelled, names, head
    )


def _known_classes(labelled: pl.DataFrame, names: Sequence[str], head: Table) -> KnownClasses:
    """The classes of the published values, and the first rows with them."""
    new = {LABEL.format(place): name for place, name in enumerate(names)}
    after = labelled.select(*new, RECORDS).rename(new)
    grouped = after.group_by(names).agg(pl.col(RECORDS).sum()).sort(names)
    classes = Counted(grouped.select(names), grouped[RECORDS].to_numpy())
    # Earlier steps may have made categories of texts, which Spark does not know.
    first = head.frame.cast({name: labelled.schema[name] for name in names})
    first = first.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    rows = first.join(labelled, on=list(names), how="left", nulls_equal=True)
    shown = rows.drop(names).rename(new).select(head.frame.columns)
    return KnownClasses(tuple(names), classes.of, shown)


def _cut_by_workers(
    step: Mondrian, counted: DataFrame, names: Sequence[str], n_classes: int
) -> tuple[DataFrame, int]:
    """The labels of each class, block by block, and the number of blocks."""
    # A task costs a tenth of a second, whatever it does: each takes many classes.
    few = counted.coalesce(1 + n_classes // CLASSES)
    classes = SparkTable(few, Roles())
    coding = _Coding.of(step, [_frequencies(classes, [name]) for name in names])
    refuse_too_few(coding.n_records, step.k, step.kind())
    coded = _encode_classes(few, coding, n_classes)
    tree = first_cuts(coded, Space(coding.space, coding.widths), step.k)
    if not isinstance(coded, list):
        coded.unpersist()
    return _label_classes(step, few, coding, tree), int((tree.column < 0).sum())


def _frequencies(classes: SparkTable, names: Sequence[str]) -> Counted:
    """The distinct rows of some keys, and the records of each."""
    found = classes.count_distinct(names, RECORDS)
    return Counted(found.keys, np.asarray(found.weights, dtype=np.int64))


def _classes(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """The distinct rows of the keys and how often each occurs: the one pass over all rows."""
    from pyspark.sql import functions

    keys = frame.select(tidy(frame, list(names))).groupBy([col(name) for name in names])
    return keys.agg(functions.count(functions.lit(1)).alias(RECORDS))


@dataclass(frozen=True)
class _Coding:
    """The keys, and the code of each of their values."""

    keys: list[Key]
    space: KeySpace
    values: list[pl.DataFrame]
    codes: list[Ints]
    n_records: int

    @classmethod
    def of(cls, step: Mondrian, frequencies: Sequence[Counted]) -> _Coding:
        keys, codes = [], []
        for found in frequencies:
            (name,) = found.keys.columns
            key, coded = key_of(
                found.keys[name],
                step.hierarchies.get(name),
                step.unlisted,
                by_tree=step.publish == "nodes",
                category=name in step.categories,
                counts=found.counts,
            )
            keys.append(key)
            codes.append(coded)
        values = [found.keys for found in frequencies]
        return cls(keys, key_space(keys), values, codes, frequencies[0].n_records)

    @property
    def widths(self) -> list[int]:
        """Codes of each key, with that of a missing value."""
        return [key.n_values + 1 for key in self.keys]

    def of_rows(self, rows: pl.DataFrame) -> Ints:
        """One row of codes for each key."""
        found = np.empty((len(self.keys), rows.height), dtype=np.int32)
        for place, (values, codes) in enumerate(zip(self.values, self.codes, strict=True)):
            found[place] = codes[places(values, rows).to_numpy()]
        return found

    def classes(self, counted: DataFrame) -> DataFrame:
        """The distinct rows of the keys as codes, and how often each occurs."""
        import pyarrow as pa

        columns = [f"c{place}" for place in range(len(self.keys))]

        def encode(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                rows = to_polars(batch)
                arrays = [pa.array(one) for one in self.of_rows(rows)]
                n = pa.array(rows[RECORDS].to_numpy())
                yield pa.RecordBatch.from_arrays([*arrays, n], names=[*columns, "n"])

        schema = ", ".join([*(f"{name} int" for name in columns), "n bigint"])
        return counted.mapInArrow(encode, schema)


def _encode_classes(counted: DataFrame, coding: _Coding, n_classes: int) -> DataFrame | list[Any]:
    """The classes as codes; on the driver if they are few, which saves a job for each level."""
    from pyspark import StorageLevel

    classes = coding.classes(counted)
    if n_classes > MOST_ON_DRIVER:
        return classes.persist(StorageLevel.MEMORY_AND_DISK)
    return list(classes.toArrow().to_batches())


def _label_classes(
    step: Mondrian, counted: DataFrame, coding: _Coding, tree: BlockTree
) -> DataFrame:
    """The labels of each class: classes are collected by block, and a worker finishes each."""
    from pyspark.sql import functions
    from pyspark.sql.types import LongType, StructType

    names = [key.name for key in coding.keys]
    before = StructType(list(counted.schema.fields)).add(NUMBER, LongType())
    schema = _label_schema(counted, names)
    with_block, arrow = arrow_schema(before, counted), arrow_schema(schema, counted)

    def number(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            rows = to_polars(batch)
            block = pl.Series(NUMBER, tree.blocks_of(coding.of_rows(rows)))
            yield from rows.with_columns(block).to_arrow().cast(with_block).to_batches()

    def finish(part: Any) -> Any:
        rows = to_polars(part)
        new = labels_of(step, rows, coding)
        return rows.select(*names, *new, RECORDS).to_arrow().cast(arrow)

    numbered = counted.mapInArrow(number, before)
    return numbered.groupBy(functions.col(NUMBER)).applyInArrow(finish, schema)


def _label_schema(counted: DataFrame, names: Sequence[str]) -> StructType:
    """The keys of a class, their labels, and its records."""
    from pyspark.sql.types import LongType, StringType, StructType

    schema = StructType(list(counted.select(*map(col, names)).schema.fields))
    for place in range(len(names)):
        schema = schema.add(LABEL.format(place), StringType())
    return schema.add(RECORDS, LongType())


def labels_of(step: Mondrian, classes: pl.DataFrame, coding: _Coding) -> list[pl.Series]:
    """The published labels of each class of a block, one column for each key."""
    from microveil.kernels.mondrian.by_classes import mondrian_of_classes

    counts = classes[RECORDS].to_numpy()
    partitions = mondrian_of_classes(coding.of_rows(classes), counts, coding.space, step.k)
    of_class = partitions.of_record()
    new = []
    for place, key in enumerate(coding.keys):
        if step.publish == "ranges":
            labels = range_labels(key, place, partitions)
        else:
            labels = node_labels(key, place, partitions, coding.space)
        new.append(labels.spread(of_class, LABEL.format(place)).cast(pl.String))
    return new


def _counted_on_spark(labels: DataFrame, names: Sequence[str]) -> KnownClasses:
    """The same, counted by Spark from the labels of all classes."""
    new = [col(LABEL.format(place)).alias(name) for place, name in enumerate(names)]
    classes = SparkTable(labels.select(*new, col(RECORDS)), Roles())
    return KnownClasses(tuple(names), lambda columns: _frequencies(classes, columns))


def _publish(frame: DataFrame, labels: DataFrame, names: Sequence[str]) -> DataFrame:
    """The rows with the labels of their class in place of the keys."""
    labels = labels.drop(RECORDS)
    fresh = {
        name: free_name(f"microveil_{i}", frame.columns) for i, name in enumerate(labels.columns)
    }
    keys, new = list(fresh.values())[: len(names)], list(fresh.values())[len(names) :]
    label = dict(zip(names, new, strict=True))
    alike = [col(name).eqNullSafe(col(key)) for name, key in zip(names, keys, strict=True)]
    rows = frame.select(tidy(frame, frame.columns))
    # The classes of a part fit into memory, where rows find theirs without being sorted.
    of_class = labels.withColumnsRenamed(fresh).hint("shuffle_hash")
    found = rows.join(of_class, reduce(and_, alike), "left")
    return found.select([col(label.get(name, name)).alias(name) for name in frame.columns])
