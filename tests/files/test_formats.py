from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from microveil.errors import FileError
from microveil.files.formats import BY_SUFFIX, FORMATS, display_source, format_of


def test_each_suffix_and_name_belongs_to_one_format() -> None:
    suffixes = [suffix for known in FORMATS for suffix in known.suffixes]
    assert len(suffixes) == len(set(suffixes)) == len(BY_SUFFIX)
    assert len({known.name for known in FORMATS}) == len(FORMATS)


def test_only_sas_and_r_cannot_be_written() -> None:
    assert {known.name for known in FORMATS if known.sink is None} == {"sas", "r"}


@pytest.mark.parametrize("url", ["postgresql://u:secret@h/d", "postgres://u:secret@h/d?table=t"])
def test_a_url_is_shown_without_its_password(url: str) -> None:
    assert "secret" not in display_source(url)


def test_importing_loads_no_heavy_reader() -> None:
    heavy = "pandas pyarrow duckdb psycopg xlsxwriter fastexcel pyreadstat"
    program = (
        "import sys, microveil.files\n"
        f"print([name for name in {heavy.split()} if name in sys.modules])"
    )
    answer = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert answer.stdout.strip() == "[]"


def test_a_mistyped_suffix_gets_the_nearest_and_a_file_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"Did you mean '\.xlsx'\?"):
        format_of(tmp_path / "released.xslx")
    (tmp_path / "people.csv").touch()
    with pytest.raises(FileError, match=r"Did you mean 'people\.csv'\?"):
        format_of(tmp_path / "people.cvs")
