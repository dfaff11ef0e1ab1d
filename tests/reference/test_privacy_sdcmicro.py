"""l-diversity beside sdcMicro 5.8.1: its ``testdata`` (4,580 records), five keys, two columns.

``ldiversity(testdata, keyVars = c(urbrur, roof, walls, water, sex), ldiv_index = c(electcon,
relat), l_recurs_c = 2)`` gave the six value columns of ``ldiversity.parquet``, one row per record.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microveil.privacy.l_diversity import distinct_values, effective_values, recursive_levels
from microveil.privacy.parts.distribution import distribution
from microveil.tables import Classes, Roles, Table

PATH = Path(__file__).parents[1] / "data" / "sdcmicro" / "ldiversity.parquet"
KEYS = ["urbrur", "roof", "walls", "water", "sex"]


@pytest.mark.parametrize("column", ["electcon", "relat"])
def test_all_three_kinds_agree_record_by_record(column: str) -> None:
    frame = pl.read_parquet(PATH)
    classes = Classes.of(Table(frame, Roles(quasi_identifiers=KEYS)))
    found = distribution(classes, column)
    of_record = classes.record_class
    theirs = {
        kind: frame[f"{column}_{kind}_Ldiversity"].to_numpy()
        for kind in ("Distinct", "Entropy", "Recursive")
    }
    assert np.array_equal(distinct_values(found)[of_record], theirs["Distinct"])
    assert np.allclose(effective_values(found)[of_record], theirs["Entropy"], rtol=1e-12)
    assert np.array_equal(recursive_levels(found, 2)[of_record], theirs["Recursive"])
