"""Protected tables as files: a workbook, a page, a sheet of text, or a folder of all of them."""

from microveil.reports.contents.tables.writing import write_tables

__all__ = ["write_tables"]
