from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from microveil.labels.periods import read_period


def _second(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("label", "start", "end"),
    [
        ("2021-03-04", "2021-03-04", "2021-03-05"),
        ("2021-03-04 05:06:07", "2021-03-04T05:06:07", "2021-03-04T05:06:07"),
        ("2021-W09", "2021-03-01", "2021-03-08"),
        ("2021-02", "2021-02-01", "2021-03-01"),
        ("12/2021", "2021-12-01", "2022-01-01"),
        ("2021-Q4", "2021-10-01", "2022-01-01"),
        ("2021", "2021-01-01", "2022-01-01"),
        ("2020s", "2020-01-01", "2030-01-01"),
        ("[2001-01-01, 2003-12-31]", "2001-01-01", "2004-01-01"),
        ("[2001-01-01, 2003-12-31)", "2001-01-01", "2003-12-31"),
        ("(2001, 2003]", "2002-01-01", "2004-01-01"),
        ("2001-2003", "2001-01-01", "2004-01-01"),
    ],
)
def test_a_label_covers_all_the_time_it_names(label: str, start: str, end: str) -> None:
    assert read_period(label) == (_second(start), _second(end))


def test_an_open_end_is_infinite() -> None:
    assert read_period("≥2001-05") == (_second("2001-05-01"), math.inf)
    assert read_period("<2001-05-02") == (-math.inf, _second("2001-05-02"))
    assert read_period("*") == (-math.inf, math.inf)


@pytest.mark.parametrize(
    "label", ["", "Monday", "Spring", "2021-13", "0000", "[a, b]", "[2003, 2001]", "2021-02-30"]
)
def test_other_labels_name_no_date(label: str) -> None:
    assert read_period(label) is None


def test_the_last_year_has_an_end() -> None:
    last = read_period("9999")
    assert last is not None
    assert last.end - last.start == 365 * 86_400
