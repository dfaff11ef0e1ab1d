"""Numbers with their check digits, made up."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.files.columns.numbers_made import MAKERS, Maker


@pytest.fixture(scope="session")
def makers() -> Mapping[str, Maker]:
    return MAKERS
