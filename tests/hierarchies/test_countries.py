from __future__ import annotations

from microveil.hierarchies.countries import REGIONS, SUBREGIONS


def test_every_country_has_two_codes_and_one_region() -> None:
    assert len(REGIONS) == len(SUBREGIONS) == 2 * 249
    assert {len(code) for code in REGIONS} == {2, 3}
    assert REGIONS["EE"] == REGIONS["EST"] == "Europe"
