"""Notebooks run from the first cell to the last, and the site shows what they show now."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

import microveil as mv
from docs import consoles, notebooks

EXAMPLES = sorted((notebooks.ROOT / "examples").rglob("*.ipynb"))
PAGES = sorted((notebooks.ROOT / "docs").rglob("*.md"))


def name_of(path: Path) -> str:
    return path.name


def cells_of(path: Path, kind: str) -> list[Any]:
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return [cell for cell in notebook.cells if cell.cell_type == kind]


@pytest.mark.parametrize("path", EXAMPLES, ids=name_of)
def test_the_cells_of_a_notebook_run_in_their_order(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(consoles.workplace(tmp_path))
    names: dict[str, Any] = {}
    for cell in cells_of(path, "code"):
        exec(cell.source, names)  # noqa: S102  our own notebook
    assert names["release"].holds
    assert mv.Recipe.read("recipe.yaml") == names["draft"].recipe


@pytest.mark.slow  # a kernel of its own; the build of the site runs it, too
@pytest.mark.filterwarnings("default")  # the kernel's own libraries warn of themselves
@pytest.mark.parametrize("path", EXAMPLES, ids=name_of)
def test_a_notebook_runs_and_its_page_needs_no_script(path: Path) -> None:
    page = notebooks.shown(notebooks.executed(path))
    assert "5-anonymity holds" in page
    assert "data:image/svg+xml" in page
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=\"https?:", page)


@pytest.mark.parametrize("path", EXAMPLES, ids=name_of)
def test_a_notebook_holds_no_output_and_has_a_page(path: Path) -> None:
    assert not [cell for cell in cells_of(path, "code") if cell.outputs]
    mark = f"<!-- notebook {path.relative_to(notebooks.ROOT)} -->"
    assert [page for page in PAGES if mark in page.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cell_that_fails_fails_the_build(tmp_path: Path) -> None:
    from nbclient.exceptions import CellExecutionError
    from nbformat import v4

    broken = v4.new_notebook(cells=[v4.new_code_cell("1 / 0")])  # type: ignore[no-untyped-call]
    nbformat.write(broken, tmp_path / "broken.ipynb")  # type: ignore[no-untyped-call]
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        notebooks.executed(tmp_path / "broken.ipynb")
