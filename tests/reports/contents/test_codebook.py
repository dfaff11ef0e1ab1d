from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.reports.contents.codebook import codebook_of
from microveil.reports.summary import Column

FRAME = pl.DataFrame(
    {
        "sex": ["f"] * 60 + ["m"] * 37 + ["x"] * 3,
        "pay": [1003.7 + 11 * i for i in range(99)] + [None],
        "ok": [True, False] * 50,
    }
)


def entries(audience: str) -> dict[str, Column]:
    release = mv.run(mv.Recipe(undeclared="keep"), FRAME)
    found = codebook_of(release, ("sex", "pay", "ok", "gone"), audience)  # type: ignore[arg-type]
    return {one.name: one for one in found}


def test_internal_readers_see_every_level_and_how_many_there_are() -> None:
    found = entries("internal")
    assert found["sex"].levels == ("f", "m", "x")
    assert found["sex"].n_rare == 0
    assert found["pay"].n_levels == 99
    assert found["pay"].missing_share == 0.01
    assert found["ok"].kind == "yes or no"
    assert "gone" not in found


def test_the_public_reads_no_rare_level_and_round_ends_alone() -> None:
    found = entries("public")
    assert found["sex"].levels == ("f", "m")
    assert found["sex"].n_rare == 1
    assert found["pay"].n_levels is None
    ends = found["pay"].range
    assert ends is not None
    low, high = (float(end.replace(",", "")) for end in ends)
    assert low <= 1003.7
    assert high >= 1003.7 + 11 * 98
    assert low % 10 == high % 10 == 0
