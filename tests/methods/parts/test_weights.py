from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.parts.weights import recalibrate
from microveil.tables import Roles, Table


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 5), st.booleans()), min_size=1, max_size=40
    )
)
def test_recalibrated_weights_add_up_to_the_strata_they_came_from(
    rows: list[tuple[int, int, bool]],
) -> None:
    stratum, weight, keep = (list(one) for one in zip(*rows, strict=True))
    before = Table({"s": stratum, "w": weight}, Roles(weight="w", strata=["s"]))
    kept = np.array(keep)
    after, n_lost = recalibrate(before, before.filter(kept), kept)
    weights = after.frame["w"].to_numpy()
    left = {s for s, w, k in rows if k and w}
    wanted = {s: sum(w for t, w, _ in rows if t == s) for s in set(stratum)}
    assert n_lost == sum(1 for s, total in wanted.items() if total and s not in left)
    reached = sum(wanted[s] for s in left)
    for s in left:
        found = weights[after.frame["s"].to_numpy() == s].sum()
        assert found == pytest.approx(wanted[s] * sum(weight) / reached)
