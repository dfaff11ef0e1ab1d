from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from microveil.app.inspection.detectors.national_ids import NATIONAL_IDS
from tests.app.inspection.detectors.cases import (
    BY_NAME,
    Maker,
    made,
    profile,
)

NATIONAL = [
    "us_ssn", "spanish_dni", "spanish_nie", "estonian_isikukood", "russian_snils", "russian_inn",
    "french_nir", "german_tax_id", "italian_codice_fiscale", "british_nino", "british_nhs",
    "brazilian_cpf",
]  # fmt: skip
KIND_OF = {"spanish_nie": "spanish_dni"}


@pytest.mark.parametrize("country", NATIONAL)
def test_numbers_with_valid_checks_are_found_without_a_name(
    makers: Mapping[str, Maker], country: str
) -> None:
    found = profile("x", made(makers[country]))
    assert found.kind == KIND_OF.get(country, country)
    assert found.role == "identifier"


@pytest.mark.parametrize(
    "country",
    ["estonian_isikukood", "russian_snils", "russian_inn", "french_nir", "german_tax_id",
     "british_nhs", "brazilian_cpf"],
)  # fmt: skip
def test_numbers_with_valid_checks_are_found_in_number_columns(
    makers: Mapping[str, Maker], country: str
) -> None:
    found = profile("x", [int(number) for number in made(makers[country])])
    assert found.kind == KIND_OF.get(country, country)


@pytest.mark.parametrize("length", range(7, 19))
def test_digits_without_a_check_and_a_name_are_ids_of_no_known_kind(length: int) -> None:
    random = Random(11)
    numbers = [random.randrange(10 ** (length - 1), 10**length) for _ in range(400)]
    assert profile("x", numbers).kind is None
    assert profile("value", numbers).role == "identifier"


@pytest.mark.parametrize("step", [1, 3, 7, 10, 97])
@pytest.mark.parametrize("start", [10_000_000, 1_000_000_000, 37_605_030_000, 4 * 10**15])
def test_running_numbers_are_no_national_numbers(start: int, step: int) -> None:
    kind = profile("x", [start + step * i for i in range(200)]).kind
    assert kind in ({"row_number"} if step == 1 else {None})


def test_a_name_helps_where_no_number_has_a_check() -> None:
    (name, values), *_ = BY_NAME["us_ssn"]
    assert profile(name, values).kind == "us_ssn"


def test_every_country_has_an_example() -> None:
    shown = {KIND_OF.get(country, country) for country in NATIONAL}
    assert {detector.kind for detector in NATIONAL_IDS} - {"document_number"} == shown
