"""An analysis that comes out alike loses nothing; one that cannot be made loses everything."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.app.advising.analyses import Analysis
from microveil.measures.subject import Subject
from microveil.tables import Table
from tests.app.advising.cases import PEOPLE, ROLES

ALL = [
    Analysis(analysis="table", by=["sex", "occupation"]),
    Analysis(analysis="means", of=["cost"], by=["sex"]),
    Analysis(analysis="regression", target="cost", predictors=["age", "visits"]),
    Analysis(analysis="prediction", target="sex"),
]
BEFORE = Table(PEOPLE, ROLES)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.analysis)
def test_the_original_loses_nothing_and_what_is_gone_everything(one: Analysis) -> None:
    assert one.loss(Subject.of(BEFORE, BEFORE)) == pytest.approx(0.0)
    gone = Table(PEOPLE.drop(one.columns), ROLES.without(one.columns))
    assert one.loss(Subject.of(BEFORE, gone)) == 1.0


def test_a_table_loses_the_share_of_records_in_a_wrong_cell() -> None:
    half = pl.int_range(PEOPLE.height, eager=True) < 24
    women = PEOPLE["sex"] == PEOPLE["sex"][0]
    moved = pl.select(pl.when(half & women).then(pl.lit("?")).otherwise(PEOPLE["sex"]).alias("sex"))
    after = Table(PEOPLE.with_columns(moved.to_series()), ROLES)
    expected = int((half & women).sum()) / PEOPLE.height
    assert Analysis(analysis="table", by="sex").loss(Subject.of(BEFORE, after)) == pytest.approx(
        expected
    )


def test_every_analysis_is_told_in_words() -> None:
    assert [one.title for one in ALL] == [
        "table by sex, occupation",
        "means of cost by sex",
        "regression of cost on age, visits",
        "prediction of sex",
    ]
