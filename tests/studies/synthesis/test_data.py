"""Records to model, records that no model sees, and a domain that holds them all."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.studies.synthesis.data import TARGET, Source, adult_source, census_source


@pytest.fixture(scope="module", params=["census", "adult"])
def source(request: pytest.FixtureRequest) -> Source:
    return (census_source if request.param == "census" else adult_source)(quick=True)


def test_a_third_of_the_records_is_held_out(source: Source) -> None:
    assert source.holdout.height == pytest.approx(source.table.height / 2, abs=1)
    assert source.holdout.columns == source.table.columns
    assert source.numbers is (source.target is None)
    if source.target is not None:
        assert source.table.roles.sensitive == (TARGET,)


def test_the_domain_knows_every_value(source: Source) -> None:
    frame = pl.concat([source.table.frame, source.holdout])
    assert set(frame.columns) <= set(source.domain)
    for name in frame.columns:
        known = source.domain[name]
        if isinstance(known, dict):
            assert frame[name].min() >= known["low"]
        else:
            assert set(frame[name].cast(pl.String).to_list()) <= set(known)


def test_a_source_is_the_same_each_time() -> None:
    assert census_source(quick=True).table.frame.equals(census_source(quick=True).table.frame)
