"""The time between two dates as a column of its own."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app.checking import check
from microveil.errors import ColumnError, InputError, SpecError
from microveil.files.columns.column_reading import ColumnReading, Reading
from microveil.files.columns.retyping import fitting, retype

STAY = ColumnReading(since="admitted", until="discharged")
STAYS = pl.DataFrame(
    {
        "admitted": [date(2024, 1, 30), date(2024, 3, 1), None],
        "discharged": [datetime(2024, 2, 2, 23), datetime(2024, 2, 29), datetime(2024, 1, 1)],  # noqa: DTZ001
    }
)
TEXT = "admitted;discharged;sex\n30/01/2024;02/02/2024;f\n01/03/2024;08/03/2024;m\n"
RECIPE = """
reading:
  admitted: '%d/%m/%Y'
  discharged: '%d/%m/%Y'
  stay: {since: admitted, until: discharged}
roles: {quasi_identifiers: [stay], insensitive: [sex]}
steps:
  - {method: top_bottom_code, columns: [stay], top: 5}
  - {method: drop, columns: [admitted, discharged]}
"""


def derive(frame: pl.DataFrame = STAYS, **said: Any) -> list[int | None]:
    wanted = ColumnReading(since="admitted", until="discharged", **said)
    return retype(frame, {"stay": wanted})["stay"].to_list()


def test_days_are_days_of_the_calendar_and_missing_stays_missing() -> None:
    assert derive() == [3, -1, None]


def test_weeks_and_years_are_completed() -> None:
    assert derive(unit="weeks") == [0, -1, None]
    born = STAYS.with_columns(admitted=pl.Series([date(2000, 2, 29)] * 2 + [None]))
    assert derive(born, unit="years") == [23, 24, None]


def test_a_frame_that_has_the_column_already_stays_as_it_is() -> None:
    once = retype(STAYS, {"stay": STAY})
    assert retype(once, {"stay": STAY}).equals(once)
    other = STAYS.with_columns(stay=pl.lit(1))
    with pytest.raises(ColumnError, match="have a column 'stay' already"):
        retype(other, {"stay": STAY})


def test_a_release_keeps_its_own() -> None:
    released = STAYS.with_columns(stay=pl.lit("[0, 10)"))
    assert fitting(released, {"stay": STAY}).equals(released)
    assert fitting(released.select("stay"), {"stay": STAY}).columns == ["stay"]
    assert fitting(STAYS, {"stay": STAY})["stay"].to_list() == [3, -1, None]


def test_texts_are_no_dates() -> None:
    texts = STAYS.cast(pl.String)
    with pytest.raises(ColumnError, match="'admitted' does not hold dates, from which 'stay'"):
        retype(texts, {"stay": STAY})
    with pytest.raises(ColumnError, match="No column 'discharged'"):
        retype(texts.drop("discharged"), {"stay": STAY})


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"since": "a"}, "needs both"),
        ({"since": "a", "until": "b", "type": "number"}, "counted, not read"),
        ({"unit": "weeks"}, "goes with `since` and `until`"),
    ],
)
def test_what_makes_no_sense_is_refused(said: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        ColumnReading.parse(said)


def test_it_survives_being_written() -> None:
    reading = Reading.parse({"stay": {"since": "admitted", "until": "discharged"}})
    assert Reading.parse(reading.to_dict()) == reading


@pytest.mark.parametrize("in_parts", [False, True])
def test_a_recipe_protects_it_like_any_column(tmp_path: Path, in_parts: bool) -> None:  # noqa: FBT001
    (tmp_path / "stays.csv").write_text(TEXT)
    recipe = mv.Recipe.from_yaml(RECIPE)
    assert check(recipe, mv.read(tmp_path / "stays.csv")).fits
    out = tmp_path / "out.csv"
    done = mv.run_file(recipe, tmp_path / "stays.csv", out, in_parts=in_parts, keep_order=True)
    assert mv.read(out).to_dict(as_series=False) == {"sex": ["f", "m"], "stay": [3, 5]}
    assert done.cell_changes.value == pytest.approx(0.625)
    compared = mv.compare(mv.read(tmp_path / "stays.csv"), mv.read(out), recipe=recipe)
    assert compared is not None


def test_a_column_that_the_file_has_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "stays.csv").write_text(TEXT.replace("sex", "stay"))
    with pytest.raises(InputError, match="another name"):
        mv.read(tmp_path / "stays.csv", reading=mv.Recipe.from_yaml(RECIPE).reading)
