import pytest

from microveil.app.inspection.wording import percent

CASES = {0.0: "0 %", 0.004: "under 1 %", 0.006: "1 %", 0.994: "99 %", 0.9999: "99 %", 1.0: "100 %"}


@pytest.mark.parametrize("share", CASES)
def test_only_nothing_is_nothing_and_only_all_is_all(share: float) -> None:
    assert percent(share) == CASES[share]
