"""Releases for the report tests."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil.app import run
from microveil.methods import Method
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.tables import Roles
from tests.reports.cases import ROLES, SCALE, Keep, MakeRelease, Widen, people


@pytest.fixture
def make_release() -> MakeRelease:
    def make(
        *steps: Method,
        data: pl.DataFrame | None = None,
        roles: Roles = ROLES,
        k: int | None = 2,
        **more: Any,
    ) -> Release:
        frame = people() if data is None else data
        require = () if k is None else (KAnonymity(k=k),)
        return run(Recipe(roles=roles, steps=steps, require=require, **more), frame, seed=5)

    return make


@pytest.fixture
def sound(make_release: MakeRelease) -> Release:
    """A release that keeps its promise, with marks all over what the public must not read."""
    return make_release(Widen(column="age", width=0.5 + SCALE), Keep(n_records=196), k=17)


@pytest.fixture
def broken(make_release: MakeRelease) -> Release:
    return make_release(k=3)
