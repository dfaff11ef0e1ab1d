"""Files and databases: CSV, Parquet, XLSX, ODS, JSON, SPSS, Stata, SAS, R, SQL."""

from microveil.files.external_shuffle import ShuffledBatchWriter
from microveil.files.formats import FORMATS, Format, format_of
from microveil.files.labels import Labels
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.reading import batches, read, read_labelled, read_labels, scan
from microveil.files.texts import write_text
from microveil.files.write_report import WriteReport
from microveil.files.writing import BatchWriter, write

__all__ = [
    "FORMATS",
    "BatchWriter",
    "Format",
    "Labels",
    "ReadOptions",
    "ShuffledBatchWriter",
    "WriteOptions",
    "WriteReport",
    "batches",
    "format_of",
    "read",
    "read_labelled",
    "read_labels",
    "scan",
    "write",
    "write_text",
]
