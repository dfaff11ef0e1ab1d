"""Settings and fixtures that several rooms share."""

from __future__ import annotations

import gc
import os
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, settings

import microveil as mv

settings.register_profile(
    "repo",
    deadline=None,  # the first call of a compiled kernel is slow, and CI machines are noisy
    max_examples=40,
    derandomize=bool(os.environ.get("CI")),  # what lands must repeat; at home, chance looks further
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("repo")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long studies and soak tests may take their time; every other test has the limit of all."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))


def pytest_collection_finish() -> None:
    """Take the tests themselves out of every later collection of garbage.

    Tens of thousands of them live until the end, and every collection would look through them all.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _secret_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "a key that only these tests know, long enough")
    for name in ("MICROVEIL_SEED", "MICROVEIL_DEBUG"):
        if name in os.environ:
            monkeypatch.delenv(name)


@pytest.fixture
def patients() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"],
            "age": [34, 36, 34, 51, 53, 58],
            "sex": ["f", "m", "f", "m", "f", "m"],
            "zip": ["08003", "08003", "08005", "17001", "17001", "17004"],
            "disease": ["flu", "flu", "cold", "ulcer", "flu", "cold"],
        }
    )


@pytest.fixture
def roles() -> mv.Roles:
    return mv.Roles(
        identifiers=["name"], quasi_identifiers=["age", "sex", "zip"], sensitive=["disease"]
    )


def frame_kinds() -> list[Any]:
    """One maker per kind of frame that is accepted at the door."""
    return [
        pytest.param(make, id=name)
        for name, make in {
            "polars": lambda frame: frame,
            "lazy": lambda frame: frame.lazy(),
            "pandas": lambda frame: frame.to_pandas(),
            "pandas_nullable": lambda frame: frame.to_pandas().convert_dtypes(),
            "pandas_arrow": lambda frame: frame.to_pandas(use_pyarrow_extension_array=True),
            "arrow": lambda frame: frame.to_arrow(),
        }.items()
    ]
