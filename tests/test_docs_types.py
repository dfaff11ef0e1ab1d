"""Code on the pages passes the type checkers, in the style in which users write."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import PRELUDES, ROOT, WITH_CODE, blocks, name_of

SETTINGS = """[mypy]
strict = True
mypy_path = {source}:{root}
follow_imports = silent
allow_redefinition_new = True
local_partial_types = True
disable_error_code = import-untyped, no-untyped-call
strict_optional = False
"""
"""Strict, but for results that may be None: a page shows one that is there."""


PYRIGHT = {
    "typeCheckingMode": "standard",  # what editors show by default
    "reportMissingModuleSource": False,
    "reportMissingTypeStubs": False,
    "reportOptionalMemberAccess": False,
    "reportOptionalSubscript": False,
    "reportOptionalIterable": False,
    "reportOptionalOperand": False,
}
"""Likewise."""


def module_of(page: Path) -> str:
    """The statements of a page, in their order."""
    parser, parts = doctest.DocTestParser(), [PRELUDES.get(page.name, "")]
    for _, text in blocks(page, "python"):
        examples = parser.get_examples(text)
        parts += [example.source for example in examples] if examples else [text]
    return "\n".join(parts)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module for each page that has code."""
    folder = tmp_path_factory.mktemp("pages")
    for page in WITH_CODE:
        name = re.sub(r"\W", "_", name_of(page).removesuffix(".md"))
        (folder / f"{name}.py").write_text(module_of(page), encoding="utf-8")
    (folder / "mypy.ini").write_text(
        SETTINGS.format(source=ROOT / "src", root=ROOT), encoding="utf-8"
    )
    paths = {"extraPaths": [str(ROOT / "src"), str(ROOT)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT | paths), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_mypy_accepts_what_the_pages_show(modules: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "."],
        cwd=modules, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_pyright_accepts_what_the_pages_show(modules: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson"],
        cwd=modules, check=False, capture_output=True, text=True,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(WITH_CODE)
    assert [
        f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"
        for one in report["generalDiagnostics"]
        if one["severity"] == "error"
    ] == []
