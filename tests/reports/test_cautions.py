from __future__ import annotations

import pytest

from microveil.reports import summarize
from tests.reports.cases import (
    Jitter,
    MakeRelease,
    people,
)


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_class_sizes_are_no_evidence_after_changed_values(
    make_release: MakeRelease, audience: str
) -> None:
    summary = summarize(make_release(Jitter(column="age"), k=None), audience)

    assert not summary.class_sizes_valid
    [told] = [one for one in summary.cautions if "not valid evidence" in one]
    assert "step 1 (jitter)" in told


def test_class_sizes_stay_evidence_where_no_counted_column_changed(
    make_release: MakeRelease,
) -> None:
    summary = summarize(make_release(Jitter(column="income"), k=2, data=people().head(199)))

    assert summary.class_sizes_valid
    [told] = [one for one in summary.cautions if "not quasi-identifiers" in one]
    assert "step 1 (jitter)" in told
