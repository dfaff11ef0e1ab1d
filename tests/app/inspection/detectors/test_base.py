from __future__ import annotations

import pytest

from microveil.app.inspection.detectors import DETECTORS
from microveil.app.inspection.detectors.national_ids import NATIONAL_IDS
from microveil.app.inspection.detectors.payments import PAYMENTS
from tests.app.inspection.detectors.cases import BY_NAME, BY_VALUES, EMAILS, profile


def test_every_kind_has_an_example() -> None:
    shown = {*BY_NAME, *(kind for kind, _ in BY_VALUES.values()), "group_id"}
    shown |= {detector.kind for detector in (*NATIONAL_IDS, *PAYMENTS)}
    assert {detector.kind for detector in DETECTORS} == shown


def test_reasons_say_what_was_seen() -> None:
    found = profile("email", [*EMAILS[:49], "unknown"])
    assert found.reasons[:2] == (
        "the name suggests e-mail addresses",
        "98% of the values look like e-mail addresses",
    )
    assert found.confidence == pytest.approx(0.98)
