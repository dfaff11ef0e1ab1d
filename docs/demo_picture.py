"""The picture of `microveil demo` on a terminal, drawn from what the command prints.

python docs/demo_picture.py      # from the project's root: rewrites docs/images/demo.svg
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

PICTURE = Path(__file__).resolve().parent / "images" / "demo.svg"
WIDTH = 90
LEFT_OUT = ("Worst classes", "2. The recipe")
"""The lines between these are too many for a picture."""
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace"


def printed() -> str:
    """What the demo prints on a terminal, colours included."""
    terminal = os.environ | {"COLUMNS": str(WIDTH), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "microveil", "demo"]
        done = subprocess.run(  # noqa: S603  our own command
            command, cwd=folder, env=terminal, check=True, capture_output=True, text=True
        )
    return done.stdout


def shortened(lines: list[Text]) -> list[Text]:
    """The lines without those in the middle."""
    first, last = (
        next(place for place, line in enumerate(lines) if line.plain.startswith(mark))
        for mark in LEFT_OUT
    )
    return [*lines[:first], Text("⋮"), Text(), *lines[last:]]


def drawn(text: str) -> str:
    """The terminal as SVG, in fonts that a reader has."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text.assemble(("$ ", "bold green"), "microveil demo\n"))
    for line in shortened(Text.from_ansi(text).split("\n", allow_blank=True)):
        console.print(line)
    svg = console.export_svg(title="microveil demo", unique_id="demo")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("font-family: Fira Code, monospace", f"font-family: {FONTS}")


if __name__ == "__main__":
    PICTURE.write_text(drawn(printed()), encoding="utf-8")
