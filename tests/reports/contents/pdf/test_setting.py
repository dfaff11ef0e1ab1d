from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

import microveil as mv
from microveil.reports.contents.pdf.setting import jpeg_size, pdf_of


def texts_of(content: bytes) -> str:
    """What stands on the sheets of a PDF file."""
    found = []
    for match in re.finditer(rb"/FlateDecode /Length (\d+) >>\nstream\n", content):
        body = zlib.decompress(content[match.end() :][: int(match[1])]).decode("cp1252")
        found += re.findall(r"\((.*)\) Tj", body)
    return " ".join(found).replace("\\(", "(").replace("\\)", ")")


def test_long_pages_take_several_sheets_and_lose_nothing() -> None:
    words = [f"word{i}" for i in range(3000)]
    rows = "".join(f"<tr><td>cell{i}</td><td>x</td></tr>" for i in range(200))
    content = pdf_of(f"<p>{' '.join(words)}</p><table>{rows}</table>", "Long")
    assert int(re.findall(rb"/Count (\d+)", content)[0]) > 3
    told = texts_of(content).split()
    assert set(words) <= set(told)
    assert {f"cell{i}" for i in range(200)} <= set(told)


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_a_report_is_written_as_pdf(audience: str, tmp_path: Path) -> None:
    frame = {"age": [30, 30, 41, 41], "pay": [1, 2, 3, 4]}
    roles = mv.Roles(quasi_identifiers=["age"], insensitive=["pay"])
    release = mv.run(mv.Recipe(roles=roles, require=[mv.KAnonymity(k=2)]), frame)
    release.report(tmp_path / "r.pdf", audience=audience)  # type: ignore[arg-type]
    told = texts_of((tmp_path / "r.pdf").read_bytes())
    assert "2-anonymity" in told
    assert "Requirements met" in told


def test_what_is_no_jpeg_has_no_size() -> None:
    assert jpeg_size(b"\xff\xd8") is None
