from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import httpx
import pandas as pd
import polars as pl
import pytest

import microveil as mv
from microveil.errors import BudgetError, QueryError
from microveil.service.client import RemoteTable, Service, ServiceError
from tests.service.places import N_ROWS, Place


@pytest.fixture
def service(client: httpx.Client, place: Place) -> Iterator[Service]:
    with mv.connect(str(client.base_url), place.keys["ann"]) as opened:
        yield opened


@pytest.fixture
def survey(service: Service) -> RemoteTable:
    return service["survey"]


def test_a_day_of_an_analyst(service: Service, survey: RemoteTable) -> None:
    assert service.names() == ["survey"]
    assert survey.declaration.columns["region"].keys == ("north", "south")
    query = mv.dp.Count(by=["region", "sex"])
    offer = survey.price(query, spend="1/2")
    assert offer["charge"] == {"epsilon": "1/2"}
    assert survey.dry_run(query, "1/2").frame.columns == ["region", "sex", "value", "low", "high"]
    paid = survey.ask(query, spend=mv.dp.Loss(epsilon="1/2"))
    assert not paid.is_free
    assert paid.charged == {"epsilon": Fraction(1, 2)}
    assert paid.frame["value"].sum() == pytest.approx(N_ROWS, abs=60)
    free = survey.ask(mv.dp.Count(by="sex"), free="only")
    assert free.is_free
    assert free.why == "derived"
    assert free.frame["value"].sum() == paid.frame["value"].sum()
    assert survey.budget()["left"] == mv.dp.Loss(epsilon="11/2")
    history = survey.history()
    assert history["analyst"].to_list() == ["ann"]
    assert history["number"].to_list() == list(free.sources)


def test_sql_gives_frames(survey: RemoteTable) -> None:
    frame = survey.sql("SELECT sex, COUNT(*), AVG(income) FROM survey GROUP BY sex", spend=2)
    assert isinstance(frame, pl.DataFrame)
    assert frame["asked"].unique(maintain_order=True).to_list() == [
        "count of rows",
        "mean of income",
    ]
    one = survey.ask("SELECT COUNT(*) FROM survey", error=5)
    assert one.interval is not None
    assert one.interval[0] <= one.value <= one.interval[1]
    assert isinstance(one.to_pandas(), pd.DataFrame)
    with pytest.raises(QueryError, match="2 answers"):
        _ = survey.ask("SELECT COUNT(*), SUM(income) FROM survey", spend=1).value


def test_refusals_are_errors_of_ours(client: httpx.Client, survey: RemoteTable) -> None:
    with pytest.raises(BudgetError, match="is insufficient"):
        survey.ask(mv.dp.Count(), spend=100)
    with pytest.raises(QueryError, match="agee"):
        survey.ask({"query": "count", "where": "agee > 3"}, spend=1)
    key = "mv_no_key"
    with mv.connect(str(client.base_url), key) as other, pytest.raises(QueryError, match="key"):
        other["survey"].budget()
    with mv.connect("http://127.0.0.1:1", key) as none, pytest.raises(ServiceError, match="cannot"):
        none.names()


def test_a_key_is_not_shown(service: Service, place: Place) -> None:
    assert place.keys["ann"] not in repr(service)


def test_nothing_asked_yet_is_an_empty_history(survey: RemoteTable) -> None:
    assert survey.history().height == 0
    assert "number" in survey.history().columns
