"""Notebooks run anew whenever the site is built: cells and what they show, as Markdown.

    python docs/notebooks.py examples/patients.ipynb     # from the project's root: prints the page

The files under ``examples`` hold no output of their own, so that none can go stale.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_MARK = re.compile(r"<!-- notebook ([\w./-]+) -->")
_PATIENCE = 120
"""Seconds that a single cell may take."""


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What the build of the site calls for every page."""
    return filled(markdown)


def filled(markdown: str) -> str:
    """The page with every ``<!-- notebook path -->`` replaced by the notebook as it runs now."""
    return _MARK.sub(lambda mark: shown(executed(ROOT / mark[1])), markdown)


def executed(path: Path) -> Any:
    """The notebook after a run in a fresh kernel; a cell that fails stops it."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(ROOT / "examples", place / "examples")
        # A reader's own settings of IPython must not change what the page shows.
        os.environ["IPYTHONDIR"] = str(place / ".ipython")
        client = NotebookClient(
            notebook,
            timeout=_PATIENCE,
            kernel_name="python3",
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": folder}},
        )
        return client.execute()


def shown(notebook: Any) -> str:
    """Cells as Markdown, each output below its code."""
    return "\n\n".join(part for cell in notebook.cells for part in _parts(cell) if part)


def _parts(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield f"```python\n{cell.source}\n```"
    for output in cell.outputs:
        yield _output(output)


def _output(output: Any) -> str:
    """What a cell shows, in the richest form that needs no script."""
    if output.get("name") == "stderr":  # signs of work, which differ from run to run
        return ""
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    data = output.data
    for kind, image in (("svg+xml", _svg), ("png", str.strip)):
        if f"image/{kind}" in data:
            source = image(data[f"image/{kind}"])
            return f'<img alt="Chart shown by the cell above" src="data:image/{kind};base64,{source}">'
    if "text/html" in data:
        one_line = re.sub(r"\s*\n\s*", " ", data["text/html"]).strip()
        return f"<div>{one_line}</div>"
    return f"```text\n{data['text/plain']}\n```"


def _svg(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(shown(executed(Path(name).resolve())))
