"""A table of patients on disk, as a project keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.web.project.states import write_frame
from tests.web.project.cases import PEOPLE


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.arrow"
    write_frame(PEOPLE, path)
    return path
