"""A report in Spanish says nothing that the catalogues have in English."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.texts.sources import messages

TAGS = re.compile(r"<(style|svg).*?</\1>|<[^>]+>", re.DOTALL)


def english() -> list[str]:
    """What stands between the gaps of the sentences in the code."""
    parts = {
        one
        for told in messages()
        for sentence in told.english
        for one in re.split(r"\{[^}]*\}", sentence)
    }
    return sorted(one for one in parts if len(one.split()) > 2)


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_a_report_in_spanish_has_no_english_sentence(
    tmp_path: Path, patients: pl.DataFrame, audience: str
) -> None:
    recipe = mv.Recipe(
        roles=mv.Roles(
            identifiers=["name"], quasi_identifiers=["age", "sex"], sensitive=["disease"]
        ),
        steps=[mv.Drop(columns=["name"]), mv.Mondrian(k=5)],
        require=[mv.KAnonymity(k=5)],
        undeclared="drop",
    )
    release = mv.run(recipe, patients, seed=1)
    path = release.report(tmp_path / "informe.html", audience=audience, language="es")  # type: ignore[arg-type]  # a literal
    text = unescape(TAGS.sub("\n", path.read_text(encoding="utf-8")))
    assert [one for one in english() if one.strip() in text] == []
    assert '<html lang="es">' in path.read_text(encoding="utf-8")
    assert "Qué se publicó" in text
