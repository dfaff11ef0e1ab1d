"""Files and databases: CSV, Parquet, XLSX, ODS, JSON, SPSS, Stata, SAS, R, SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names

if TYPE_CHECKING:
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

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        {
            "FORMATS": "formats",
            "BatchWriter": "writing",
            "Format": "formats",
            "Labels": "labels",
            "ReadOptions": "options",
            "ShuffledBatchWriter": "external_shuffle",
            "WriteOptions": "options",
            "WriteReport": "write_report",
            "batches": "reading",
            "format_of": "formats",
            "read": "reading",
            "read_labelled": "reading",
            "read_labels": "reading",
            "scan": "reading",
            "write": "writing",
            "write_text": "texts",
        },
    )
