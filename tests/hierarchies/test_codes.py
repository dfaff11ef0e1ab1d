from __future__ import annotations

import polars as pl
import pytest

from microveil.hierarchies import Codes, recognise_codes
from microveil.hierarchies.codes import SystemName, fitting_share


@pytest.mark.parametrize(
    ("system", "code", "labels"),
    [
        ("icd10", "C34.1", ("C34", "C30-C39", "II (C00-D48)")),
        ("icd10", "e119", ("E11", "E10-E14", "IV (E00-E90)")),
        ("nace", "62.01", ("62.0", "62", "J", "J")),
        ("nace", "A01", ("01", "01", "A", "A")),
        ("nace", "D", ("D", "D", "D", "B-E")),
        ("country", "Viet Nam", ("South-eastern Asia", "Asia")),
        ("country", "76", ("Latin America and the Caribbean", "Americas")),
        ("country", "Saksamaa", ("Western Europe", "Europe")),
        ("isco", "2512", ("251", "25", "2")),
        ("nuts", "ES511", ("ES51", "ES5", "ES")),
        ("country", "EST", ("Northern Europe", "Europe")),
        ("country", "ES", ("Southern Europe", "Europe")),
        ("ip", "10.2.3.4", ("10.2.3", "10.2", "10")),
        ("postcode", "SW1A 1AA", ("SW1A 1", "SW1A", "SW", "S")),
        ("postcode", "M1 1AE", ("M1 1", "M1", "M", "M")),
        ("postcode", "D02 AF30", ("D02", "D02", "D", "D")),
        ("postcode", "K1A 0B1", ("K1A", "K1A", "K1", "K")),
        ("postcode", "1234 AB", ("1234", "123", "12", "1")),
        ("postcode", "08003", ("0800", "080", "08", "0")),
        ("postcode", "00-950", ("00-9", "00-9", "00", "0")),
        ("postcode", "12345-6789", ("1234", "123", "12", "1")),
        ("postcode", "123 45", ("123 4", "123", "12", "1")),
        ("postcode", "2100", ("210", "210", "21", "2")),
    ],
)
def test_a_code_is_coarsened_by_its_parts(
    system: SystemName, code: str, labels: tuple[str, ...]
) -> None:
    built = Codes(system=system).build(pl.Series([code]))
    assert built.frame.rows() == [(code, *labels, "*")]


def test_a_code_of_another_shape_is_left_out() -> None:
    assert Codes(system="icd10").build(pl.Series(["C34", "unknown"])).n_values == 1


@pytest.mark.parametrize(
    ("values", "hint", "system"),
    [
        (["C34.1", "E11.9", "I10"], None, "icd10"),
        (["C34", "E11", "I10"], None, None),
        (["C34", "E11", "I10"], "icd10", "icd10"),
        (["2512", "5111"], None, None),
        (["2512", "5111"], "isco", "isco"),
        (["62.01", "47.11", "01.30"], None, "nace"),
        (["ES511", "EE001", "DK012"], None, "nuts"),
        (["ESP", "EST", "DNK"], None, "country"),
        (["10.0.0.1", "192.168.1.7"], None, "ip"),
        (["red", "green"], None, None),
        (["red", "green"], "country", None),
        ([1.5, 2.5], None, None),
        ([], None, None),
    ],
)
def test_a_system_is_recognised_by_its_marks_or_the_name(
    values: list[object], hint: SystemName | None, system: str | None
) -> None:
    found = recognise_codes(pl.Series(values), hint)
    assert (None if found is None else found.system) == system


def test_a_few_bad_codes_do_not_matter() -> None:
    assert fitting_share("icd10", pl.Series([*[f"C{n}.1" for n in range(10, 29)], "?"])) == 0.95
