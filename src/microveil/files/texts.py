"""Text files: recipes, reports, schemas."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from microveil.files.atomic import writing
from microveil.files.placing import Placing
from microveil.files.sources import expanded


def write_text(text: str, path: str | Path, placing: Placing | None = None) -> None:
    """Write a text as UTF-8, line ends as they are, whole or not at all.

    With ``placing``, the file appears together with what else it places.
    """
    target = expanded(path)
    with writing(target), ExitStack() as together:
        placing = placing or together.enter_context(Placing())
        placing.file(target).write_text(text, encoding="utf-8", newline="")
