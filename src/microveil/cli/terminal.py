"""A console whose lines do not end between a number and its per cent sign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from microveil.display import unbroken

_JOINT = "\ue000"
"""Holds a number and its sign together while lines are broken: rich breaks at a no-break space."""


class Terminal(Console):
    """Rich's console; what it writes has plain spaces, so that it can be searched."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Text with its numbers and signs held together."""
        return super().render_str(unbroken(text, _JOINT), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Broken lines, in which nothing needs to be held together any more."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text.replace(_JOINT, " "), style, control)
