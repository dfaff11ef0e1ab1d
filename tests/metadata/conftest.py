"""Metadata for the tests of this room."""

from __future__ import annotations

import pytest

import microveil as mv
from microveil.metadata.model import Metadata
from microveil.release import Release
from tests.metadata.cases import STUDY, panel


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.setenv("MICROVEIL_TEST_METADATA_KEY", "k" * 40)
    return panel()


@pytest.fixture
def told(release: Release) -> Metadata:
    return mv.describe_release(release, STUDY)
