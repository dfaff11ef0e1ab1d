"""What is measured of a run in parts."""

from __future__ import annotations

from typing import Any, cast

import pytest

import microveil as mv
from microveil.app.file_runs.parts_measured import MeasuredParts


def test_rows_that_belong_to_nobody_have_no_changed_cells() -> None:
    measured = MeasuredParts(cast("Any", None), cast("Any", None), None)
    assert not measured.utility
    with pytest.raises(mv.InputError, match="belong to nobody"):
        _ = measured.cell_changes
