from __future__ import annotations

from pathlib import Path

from microveil.reports.contents.tables import write_tables
from tests.reports.contents.tables.made import protected_tables


def test_the_page_folds_and_fetches_nothing(tmp_path: Path) -> None:
    write_tables(protected_tables(), tmp_path / "t.html")
    page = (tmp_path / "t.html").read_text("utf-8")
    assert page.count("<details") == page.count("</details>") >= 2
    assert "&lt;a&gt;" in page
    assert "<a>" not in page
    assert "<script" not in page
    assert "http://" not in page
    assert 'class="bar"' in page
