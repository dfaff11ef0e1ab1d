"""Reports as PDF: the same page, set on sheets of paper without a browser."""

from microveil.reports.contents.pdf.setting import pdf_of

__all__ = ["pdf_of"]
