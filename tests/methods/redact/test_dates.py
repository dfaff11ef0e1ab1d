from __future__ import annotations

from datetime import date

import pytest

from microveil.methods.redact.dates import date_spans
from microveil.methods.redact.spans import without

DAY = date(1984, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        "1984-03-05", "05/03/1984", "3/5/1984", "5.3.84", "5 March 1984", "March 5, 1984",
        "5th of March", "5 de marzo de 1984", "5. März 1984", "5 mars 84", "05-Mar-1984",
        "19840305", "5 марта 1984", "Mar 5", "5 märts 1984", "5 maart 1984",
        "5. Ma\u0308rz 1984", "5° marzo 1984", "5 marca 1984", "5. maaliskuuta 1984", "5.III.1984",
        "5 III 1984", "1984年3月5日",
    ],
)  # fmt: skip
def test_an_own_date_is_found_however_it_is_written(text: str) -> None:
    told, _ = without(f"born {text} here", date_spans(f"born {text} here", [DAY], every=False))
    assert told == "born [date] here"


@pytest.mark.parametrize("text", ["5 mei 1990", "5 maj 1990", "5 maja 1990", "5. V. 1990"])
def test_months_whose_names_are_short(text: str) -> None:
    assert list(date_spans(text, [date(1990, 5, 5)], every=False))


@pytest.mark.parametrize("text", ["1984-03-06", "5 May 1984", "12 March", "5 mg", "99/99/1984"])
def test_another_date_stays_unless_all_go(text: str) -> None:
    assert not list(date_spans(text, [DAY], every=False))


def test_every_date_may_go() -> None:
    text = "on 2.1.2020, 7 June and 5 mg of 31/31/20"
    assert without(text, date_spans(text, [], every=True))[0] == (
        "on [date], [date] and 5 mg of 31/31/20"
    )
