from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.rules import DISTINCT, SHARE, Rules, no_rules
from microveil.kernels.recoding.classes import Parts, open_recoding
from microveil.kernels.recoding.requirements import meets_requirements, open_requirements
from tests.kernels.recoded import records_of, rows, space_of

N_VALUES = 3


def rules_of(values: np.ndarray, l: float, alpha: float) -> Rules:  # noqa: E741  the field's letter
    """At least l values, none above a share."""
    two = np.zeros(2, np.int64)
    return no_rules()._replace(
        kind=np.array([DISTINCT, SHARE]),
        first=two,
        last=two + N_VALUES,
        limit=np.array([l, alpha]),
        second=np.zeros(2),
        helper=two,
        height=two,
        numbers=np.ones(N_VALUES, np.int32),
        totals=np.bincount(values, minlength=N_VALUES).astype(np.int64),
    )


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(1, 3), st.sampled_from([0.5, 0.7, 1.0]), st.data())
def test_a_class_is_judged_as_if_the_rows_had_moved(
    records: list[tuple[int, ...]],
    l: int,  # noqa: E741  the field's letter
    alpha: float,
    data: st.DataObject,
) -> None:
    space = space_of(records)
    codes = records_of(space)
    n = len(codes)
    values = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    labels = (np.arange(n) % max(n // 3, 1)).astype(np.int32)
    parts = Parts(codes, np.ones(n, dtype=np.int64), values[:, None])
    recoding = open_recoding(parts, labels, space.trees, 2, N_VALUES)
    requirements = open_requirements(2, rules_of(values, l, alpha))
    amounts = recoding.amounts.copy()
    for one in range(int(labels.max()) + 1):
        inside = np.flatnonzero(labels == one).tolist()
        outside = np.flatnonzero(labels != one).tolist()
        for leaving in [-1, *inside[:2]]:
            for joining in [-1, *outside[:2]]:
                members = [row for row in inside if row != leaving]
                members += [joining] if joining >= 0 else []
                if not members:
                    continue
                counts = np.bincount(values[members], minlength=N_VALUES)
                kept = (counts > 0).sum() >= l and counts.max() / len(members) <= alpha + 1e-12
                assert meets_requirements(recoding, requirements, one, leaving, joining) == kept
    assert (recoding.amounts == amounts).all()


def test_without_rules_every_class_does() -> None:
    space = space_of([(0, 0, 0), (1, 0, 0)])
    parts = Parts(records_of(space), np.ones(2, np.int64), np.empty((2, 0), np.int32))
    recoding = open_recoding(parts, np.zeros(2, np.int32), space.trees, 1, 0)
    assert meets_requirements(recoding, open_requirements(2, no_rules()), 0, 0, -1)


def test_the_table_s_shares_are_those_that_classes_are_compared_with() -> None:
    values = np.array([0, 0, 1, 2], dtype=np.int32)
    requirements = open_requirements(2, rules_of(values, 2, 1.0))
    assert requirements.shares[0].tolist() == pytest.approx([0.5, 0.25, 0.25])
    assert requirements.n_there.tolist() == [3, 3]
