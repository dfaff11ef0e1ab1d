"""Blocks of diagnoses: ordered, apart from each other, each within one chapter."""

from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.hierarchies.icd_blocks import CHAPTERS, blocks


def test_blocks_are_ordered_and_apart() -> None:
    ends = [end for pair in sorted(blocks()) for end in pair]
    assert ends == sorted(ends)


def test_every_block_lies_within_one_chapter() -> None:
    for first, last in blocks():
        assert sum(low <= first and last <= high for low, high, _ in CHAPTERS) == 1


@pytest.mark.parametrize(
    ("code", "block", "chapter"),
    [
        ("I21.4", "I20-I25", "IX (I00-I99)"),
        ("C509", "C50-C50", "II (C00-D48)"),
        ("D50.0", "D50-D53", "III (D50-D89)"),
        ("Y09", "X85-Y09", "XX (V01-Y98)"),
        ("U07.1", "U00-U49", "XXII (U00-U99)"),
        ("M1A.0", "M00-M25", "XIII (M00-M99)"),
        ("G89.4", "VI (G00-G99)", "VI (G00-G99)"),
    ],
)
def test_a_code_has_its_block_and_chapter(code: str, block: str, chapter: str) -> None:
    frame = mv.Codes(system="icd10").build(pl.Series([code])).frame
    category, *coarser = frame.row(0)[1:4]
    assert category == code[:3]
    assert coarser == [block, chapter]


def test_a_suggestion_offers_blocks() -> None:
    categories = ("I20", "I21", "J20", "J21", "K20", "K21")
    codes = [f"{category}.{digit}" for category in categories for digit in range(2)]
    frame = pl.DataFrame({"icd10": codes * 30})
    recipe = mv.suggest(frame, mv.Roles(quasi_identifiers=["icd10"]), k=100)
    assert any("level: block" in mv.Recipe(steps=[one]).to_yaml() for one in recipe.steps)
