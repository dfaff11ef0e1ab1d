"""Disjoint filters are paid once in the service."""

from __future__ import annotations

from fractions import Fraction

import httpx

import microveil as mv
from microveil.service.client import RemoteTable
from microveil.service.home import Home
from microveil.service.ledger.audit import audit
from microveil.service.registry import data_account
from tests.service.places import Place

HALF = Fraction(1, 2)


def test_disjoint_filters_are_paid_once_and_the_price_says_so(
    client: httpx.Client, place: Place
) -> None:
    with mv.connect(str(client.base_url), place.keys["ann"]) as service:
        survey = service["survey"]
        survey.ask(mv.dp.Count(where="age < 30"), spend=HALF, free="never")
        old = mv.dp.Count(where="age >= 30 AND sex = 'f'")
        expected = 0 if _one_row_counts(survey) else HALF
        assert Fraction(survey.price(old, spend=HALF)["charge"]["epsilon"]) == expected
        paid = survey.ask(old, spend=HALF, free="never")
        assert (paid.why, paid.charged) == ("paid", {"epsilon": expected})
        overlapping = survey.ask(mv.dp.Count(where="age >= 20"), spend=HALF, free="never")
        assert overlapping.charged == {"epsilon": HALF}
        assert survey.budget()["spent"] == mv.dp.Loss.of(epsilon=2 * HALF + expected)
        assert survey.history()["charged"].len() == 3
    assert _spent(place.home) == 2 * HALF + expected


def test_analysts_share_the_data_sets_budget_and_not_their_own(
    client: httpx.Client, place: Place
) -> None:
    filters = {"ann": "region = 'north'", "cleo": "region = 'south'"}
    for who, where in filters.items():
        with mv.connect(str(client.base_url), place.keys[who]) as service:
            asked = mv.dp.Count(where=where)
            paid = service["survey"].ask(asked, spend=HALF, free="never")
            assert paid.charged == {"epsilon": HALF}
            expected = HALF if _one_row_counts(service["survey"]) else 2 * HALF
    assert _spent(place.home) == expected


def test_a_query_about_everybody_pays_alone(client: httpx.Client, place: Place) -> None:
    with mv.connect(str(client.base_url), place.keys["ann"]) as service:
        for query in (mv.dp.Count(), mv.dp.Count(by="sex"), mv.dp.Count(where="age < 30")):
            paid = service["survey"].ask(query, spend=HALF, free="never")
            assert paid.charged == {"epsilon": HALF}


def _one_row_counts(survey: RemoteTable) -> bool:
    """Whether a neighbouring table differs in a row that is there or not."""
    return survey.declaration.neighbours == "add_remove"


def _spent(home: Home) -> Fraction:
    with home.open() as ledger:
        assert audit(ledger).holds
        return ledger.balances(data_account("survey"))["epsilon"].spent
