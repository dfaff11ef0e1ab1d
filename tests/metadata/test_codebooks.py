from __future__ import annotations

from pathlib import Path

from microveil.files.statistical.code_books import read_code_book
from microveil.metadata.codebooks import codebook_csv, codebook_page
from microveil.metadata.model import Category, DataTable, Metadata, Variable
from microveil.metadata.study import Study
from tests.metadata.cases import UGLY


def test_the_page_escapes_and_fetches_nothing(told: Metadata) -> None:
    page = codebook_page(told)
    assert "<em>not</em>" not in page
    assert "&lt;em&gt;not&lt;/em&gt;" in page
    assert "<script" not in page
    assert "http-equiv" in page
    assert "male" in page
    assert "Universe: employees" in page


def test_labels_come_back_from_the_csv(told: Metadata, tmp_path: Path) -> None:
    path = tmp_path / "codebook.csv"
    path.write_text(codebook_csv(told), encoding="utf-8")
    labels = read_code_book(path)
    assert labels.values["sex"] == {1: "male", 2: "female"}
    assert labels.columns[UGLY] == "Pay & more"


def test_no_spreadsheet_runs_a_label() -> None:
    variable = Variable("=cmd()", "text", label="=1+1", categories=(Category("-1", "@x"),))
    text = codebook_csv(Metadata("T", Study(), (DataTable("t", (variable,), 20),)))
    assert "'=cmd()" in text
    assert "'=1+1" in text
    assert ",-1," in text


def test_missing_kinds_and_references_are_told_on_the_page() -> None:
    variable = Variable(
        "a",
        "integer",
        categories=(Category(".a", "refused", missing=True),),
        complete=False,
        has_missing=True,
        references=("people", "id"),
    )
    tables = (DataTable("t", (variable,), "<10"), DataTable("people", (), 20))
    page = codebook_page(Metadata("T", Study(), tables))
    assert "refused (missing)" in page
    assert "Repeats people.id" in page
    assert "few records" in page
    assert "&lt;10 records" in page
