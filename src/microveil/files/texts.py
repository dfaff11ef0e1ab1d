"""Text files: recipes, reports, schemas."""

from __future__ import annotations

from pathlib import Path

from microveil.files.atomic import replacing


def write_text(text: str, path: str | Path) -> None:
    """Write a text as UTF-8, line ends as they are, whole or not at all."""
    with replacing(Path(path).expanduser()) as partial:
        partial.write_text(text, encoding="utf-8", newline="")
