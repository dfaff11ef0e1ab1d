"""Settings reach what they limit."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from fastapi import FastAPI

from microveil.service.api.app import create_app
from microveil.service.settings import Settings
from tests.service.places import Place


def test_usual_settings_let_a_caller_work_and_nobody_take_all() -> None:
    usual = Settings()
    assert 1 < usual.requests_per_second < usual.burst
    assert usual.history <= usual.rows
    assert usual.registry_seconds <= usual.seconds
    with pytest.raises(FrozenInstanceError):
        usual.rows = 5  # type: ignore[misc]


def test_a_service_works_within_its_own_settings(place: Place) -> None:
    settings = Settings(seconds=3.0, rows=7, workers=1)
    app: FastAPI = create_app(place.home.open(), place.home.secret(), settings)
    state = app.state.microveil
    limits = state.desk.limits
    assert (limits.seconds, limits.rows, limits.workers) == (3.0, 7, 1)
    assert state.settings is settings
    state.desk.close()
    state.desk.ledger.close()
