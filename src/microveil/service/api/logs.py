"""Logs: one JSON object per line with operational facts, never a cell value or a query."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any


def log(event: str, **facts: Any) -> None:
    """Write one line to standard error."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = json.dumps({"at": at, "event": event, **facts}, default=str, ensure_ascii=True)
    sys.stderr.write(line + "\n")
