"""Logs: one JSON object per line with operational facts, never a cell value or a query."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any


def log(event: str, **facts: Any) -> None:
    """Write one line to standard error."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = json.dumps({"at": at, "event": event, **facts}, default=str, ensure_ascii=True)
    sys.stderr.write(line + "\n")


class LibraryLines(logging.Handler):
    """What libraries log, as lines of ours: where and how serious, never their text.

    Their messages may quote a query, and a line break in it would look like a line of the log.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        kind = record.exc_info[0] if record.exc_info else None
        facts = {"logger": record.name, "level": record.levelname.lower()}
        place = f"{record.filename}:{record.lineno}"
        log("library", **facts, place=place, error=kind and kind.__name__)


def take_over_logging() -> None:
    """Write what libraries log, and their warnings, as lines of ours."""
    logging.basicConfig(handlers=[LibraryLines()], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
