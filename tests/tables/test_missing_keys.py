from __future__ import annotations

import numpy as np
import polars as pl

from microveil.tables.missing_keys import matching_sizes


def test_without_keys_everybody_matches_everybody() -> None:
    assert matching_sizes(pl.DataFrame(), np.array([7])).tolist() == [7]
    assert matching_sizes(pl.DataFrame(), np.array([], dtype=np.int64)).tolist() == []
