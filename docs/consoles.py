"""The commands shown in the docs, what they print, and a way to print it anew.

    python docs/consoles.py      # from the project's root: rewrites what stands under each command

A block marked ``console`` holds commands after ``$`` and their output below them. ``$ echo $?``
shows the exit code of the command before. Output that is cut by ``...`` stays as it was written,
and so does ``...`` within a line, for what differs every time.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 90
"""Columns of the terminal that the docs show."""
RUNNABLE = ("microveil", "head", "wc")
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SECONDS = re.compile(r"\b\d+\.\d+ s\b")
_PATIENCE = re.compile(r"(?m)^microveil: .*\(\d+ s\)\n?")
"""What a command says on a slow machine while it works."""


@dataclass(frozen=True)
class Shown:
    """One command as a page shows it."""

    command: str
    output: str
    """What stands below it; empty when the page leaves it out."""
    code: int
    """The exit code that the page states; 0 unless it says otherwise."""

    @property
    def runs(self) -> bool:
        """Whether this is a command that can be run here."""
        return shlex.split(self.command)[0] in RUNNABLE


Run = Callable[[str], tuple[str, int]]
"""Runs a command: what it printed, errors last, and its exit code."""


def pages() -> list[Path]:
    """README, CONTRIBUTING and every page of the docs."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def shown(text: str) -> Iterator[Shown]:
    """Every command of a page, in order."""
    for block in _BLOCK.findall(text):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        pairs = [part.partition("\n")[::2] for part in parts]
        for place, (command, output) in enumerate(pairs):
            if command == "echo $?":
                continue
            after = pairs[place + 1] if place + 1 < len(pairs) else ("", "")
            code = int(after[1]) if after[0] == "echo $?" else 0
            yield Shown(command, output, code)


def timeless(output: str) -> str:
    """Output with the seconds it took made equal, and without signs of long work."""
    return _SECONDS.sub("0.00 s", _PATIENCE.sub("", output))


def workplace(folder: Path) -> Path:
    """A folder with the examples in it, as if it were the project's root."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def refreshed(text: str, run: Run) -> str:
    """The page with what its commands print now."""
    for one in shown(text):
        if not one.runs:
            continue
        output, code = run(one.command)
        if code != one.code:
            sys.exit(f"{one.command}: exit code {code}, the page says {one.code}\n{output}")
        if one.output and not keeps(one.output, output):
            old, new = f"$ {one.command}\n{one.output}", f"$ {one.command}\n{output}"
            text = text.replace(old, new, 1)
    return text


def keeps(old: str, new: str) -> bool:
    """Whether a page keeps its output: it is cut, or ``...`` stands for what differs every time.

    >>> keeps("Key ... for ann", "Key 1f2e for ann"), keeps("Key ... for ann", "None")
    (True, False)
    """
    if re.search(r"^\.\.\.$", old, re.MULTILINE):
        return True
    pattern = ".*".join(re.escape(part) for part in old.split("..."))
    return "..." in old and re.fullmatch(pattern, new) is not None


def trimmed(output: str) -> str:
    """Output without spaces at line ends and without blank lines at its end."""
    lines = [line.rstrip() for line in output.splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def _in_a_shell(command: str) -> tuple[str, int]:
    env = os.environ | {"COLUMNS": str(WIDTH), "MICROVEIL_KEY": "k" * 32}
    words = shlex.split(command)
    if words[0] == "microveil":
        words = [sys.executable, "-m", "microveil", *words[1:]]
    done = subprocess.run(  # noqa: S603 - the commands of our own pages
        words, capture_output=True, text=True, env=env, check=False
    )
    return trimmed(done.stdout + done.stderr), done.returncode


def main() -> None:
    """Rewrite every page whose commands print something else by now."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(workplace(Path(folder)))
            new = refreshed(text, _in_a_shell)
            os.chdir(ROOT)
        if timeless(new) != timeless(text):
            page.write_text(new, encoding="utf-8")
            print(f"rewritten: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
