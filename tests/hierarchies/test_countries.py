from __future__ import annotations

from microveil.hierarchies.countries import REGIONS, SPELLED, SUBREGIONS


def test_every_country_has_two_codes_and_one_region() -> None:
    assert len(REGIONS) == len(SUBREGIONS) == 2 * 249
    assert {len(code) for code in REGIONS} == {2, 3}
    assert REGIONS["EE"] == REGIONS["EST"] == "Europe"


def test_countries_are_known_by_number_and_by_name_in_several_languages() -> None:
    for spelled in (
        "276",
        "GERMANY",
        "ALEMANIA",
        "ALEMANYA",
        "SAKSAMAA",
        "ГЕРМАНИЯ",
        "DEUTSCHLAND",
    ):
        assert SPELLED[spelled] == "DE"
    assert set(SPELLED.values()) == {code for code in REGIONS if len(code) == 2}
