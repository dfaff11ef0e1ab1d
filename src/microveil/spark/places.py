"""Places that Spark itself reaches: Delta and Iceberg tables, a catalogue's tables, object stores.

A place is written as an address: ``delta:FOLDER``, ``iceberg:NAME``, ``table:NAME``, or an address
of an object store such as ``s3a://bucket/people``. Spark's own readers and writers do the work,
with the packages and credentials that the session has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.errors import FileError
from microveil.files.sources import expand_home

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_KIND = re.compile(r"(delta|iceberg|table):(?!//)(.+)", re.DOTALL)
_STORE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/")
STORES = ("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "adl", "hdfs", "viewfs",
          "webhdfs", "dbfs", "oss", "cosn", "obs", "file")  # fmt: skip
"""What the address of an object store, or of a file system that Spark knows, begins with."""
PACKAGES = {
    "delta": "io.delta:delta-spark",
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime",
    "s3": "org.apache.hadoop:hadoop-aws",
    "s3a": "org.apache.hadoop:hadoop-aws",
    "abfs": "org.apache.hadoop:hadoop-azure",
    "abfss": "org.apache.hadoop:hadoop-azure",
    "gs": "com.google.cloud.bigdataoss:gcs-connector",
}
"""What a session needs for a kind of table or of store."""
FORMATS = {"delta": "delta", "iceberg": "iceberg", "parquet": "parquet", "csv": "csv"}
"""What Spark calls the format of a kind of place."""
TEXTS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_NOT_FOUND = ("PATH_NOT_FOUND", "TABLE_OR_VIEW_NOT_FOUND", "DELTA_TABLE_NOT_FOUND",
              "DELTA_PATH_DOES_NOT_EXIST")  # fmt: skip
_NO_PACKAGE = (
    "DATA_SOURCE_NOT_FOUND",
    "Failed to find the data source",
    "No FileSystem for scheme",
    "ClassNotFoundException",
    "UnsupportedFileSystemException",
)
_TAKEN = ("ALREADY_EXISTS", "already exists")


@dataclass(frozen=True)
class Place:
    """A table or a folder that Spark reads and writes."""

    kind: str
    """``delta``, ``iceberg``, ``table``, ``parquet`` or ``csv``."""
    name: str
    """The name of a table in a catalogue, or the address of a folder."""

    @property
    def in_catalogue(self) -> bool:
        """Whether the name is that of a table, not of a folder."""
        return self.kind == "table" or (self.kind == "iceberg" and "/" not in self.name)

    def __str__(self) -> str:
        """The address as it is written, without a name and password."""
        kinds = ("delta", "iceberg", "table")
        shown = re.sub(r"//[^/@]*@", "//", self.name)
        return f"{self.kind}:{shown}" if self.kind in kinds else shown

    def beside(self, ending: str) -> Place:
        """A place beside this one."""
        joint = "_" if self.in_catalogue else "."
        return replace(self, name=f"{self.name.rstrip('/')}{joint}{ending}")


def place_at(source: str | Path) -> Place | None:
    """The place that an address means; None for files and folders of this machine.

    >>> str(place_at("s3a://bucket/people")), place_at("iceberg:lake.people").in_catalogue
    ('s3a://bucket/people', True)
    """
    text = str(source)
    if found := _KIND.fullmatch(text):
        return Place(found[1], found[2])
    store = _STORE.match(text)
    if store is not None and store[1].lower() in STORES:
        return Place("csv" if text.lower().endswith(TEXTS) else "parquet", text)
    if ":" not in text and (expand_home(source) / "_delta_log").is_dir():
        return Place("delta", str(expand_home(source).absolute()))
    return None


def read_place(session: SparkSession, place: Place) -> DataFrame:
    """The table at a place."""
    with speaking_of(place):
        if place.in_catalogue:
            return session.read.table(place.name)
        reader = session.read.format(FORMATS[place.kind])
        if place.kind == "csv":
            reader = reader.options(header=True, inferSchema=True)
        return reader.load(place.name)


def write_place(frame: DataFrame, place: Place) -> None:
    """Write a new table; one that exists is never touched."""
    with speaking_of(place):
        writer = frame.write.mode("errorifexists")
        if place.kind == "table":
            writer.saveAsTable(place.name)
        elif place.in_catalogue:
            writer.format(FORMATS[place.kind]).saveAsTable(place.name)
        else:
            writer.format(FORMATS[place.kind]).save(place.name)


def refuse_taken(session: SparkSession, place: Place) -> None:
    """Raise an error if something is at a place already."""
    with speaking_of(place):
        if place.in_catalogue:
            taken = bool(session.catalog.tableExists(place.name))
        else:
            folder = _folder(session, place)
            taken = folder is not None and bool(folder[0].exists(folder[1]))
    if taken:
        raise FileError("{place} exists already: name a new place.", place=str(place))


def remove_place(session: SparkSession, place: Place) -> None:
    """Remove what was written at a place, as far as it can be reached."""
    if place.in_catalogue:
        name = ".".join(f"`{part}`" for part in place.name.split("."))
        session.sql(f"DROP TABLE IF EXISTS {name}")
    elif (folder := _folder(session, place)) is not None:
        folder[0].delete(folder[1], True)


def move_place(session: SparkSession, staged: Place, place: Place) -> None:
    """Put a finished table in its place: renamed if the store can, otherwise written once more."""
    here, there = _folder(session, staged), _folder(session, place)
    plain = place.kind in ("parquet", "csv") and here is not None and there is not None
    if plain and here is not None and there is not None and here[0].rename(here[1], there[1]):
        return
    write_place(read_place(session, staged), place)


def _folder(session: SparkSession, place: Place) -> tuple[Any, Any] | None:
    """The file system and path of a folder; None through Connect, which has no way there."""
    machine: Any = getattr(session, "_jvm", None)
    if machine is None or place.in_catalogue:
        return None
    path = machine.org.apache.hadoop.fs.Path(place.name)
    settings = session.sparkContext._jsc.hadoopConfiguration()  # noqa: SLF001  Spark offers no other way
    return path.getFileSystem(settings), path


@contextmanager
def speaking_of(place: Place) -> Iterator[None]:
    """Turn Spark's failure to reach a place into one sentence; leave other errors alone."""
    try:
        yield
    except Exception as error:
        told = _sentence(place, str(error))
        if told is None or not type(error).__module__.startswith(("py4j", "pyspark")):
            raise
        raise told from None


def _sentence(place: Place, told: str) -> FileError | None:
    if any(word in told for word in _NO_PACKAGE):
        store = _STORE.match(place.name)
        what = place.kind if place.kind in PACKAGES or store is None else store[1].lower()
        package = PACKAGES.get(what, "its connector")
        return FileError(
            "{place}: this Spark session does not know '{what}'. Start it with the package "
            "{package} (spark.jars.packages), or use Parquet files.",
            place=str(place),
            what=what,
            package=package,
        )
    if any(word in told for word in _NOT_FOUND):
        return FileError("{place}: Spark finds no such table or folder.", place=str(place))
    if any(word in told for word in _TAKEN):
        return FileError("{place} exists already: name a new place.", place=str(place))
    return None
