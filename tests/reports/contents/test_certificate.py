from __future__ import annotations

from typing import Any

from microveil.reports.contents.certificate import certificate_page

PLAIN: dict[str, Any] = {
    "made": "2026-01-01",
    "version": "1",
    "file": {"name": "a.csv", "n_rows": 5, "n_columns": 2, "sha256": "abc"},
    "requirements": [{"sentence": "2-anonymity holds.", "holds": True}],
    "attackers": {"prosecutor": {"highest": 0.5, "average": 0.25}, "marketer": {"average": 0.25}},
    "warnings": ["Column 'x' <links>."],
}


def test_a_certificate_says_what_was_verified_and_warned_of() -> None:
    text = certificate_page(PLAIN)
    for told in ("a.csv", "abc", "2-anonymity holds.", "prosecutor", "50", "&lt;links&gt;"):
        assert told in text


def test_no_warning_is_said_to_be_none() -> None:
    page = certificate_page({**PLAIN, "warnings": [], "attackers": {}}, "es")
    assert "No hay nada que advertir." in page
