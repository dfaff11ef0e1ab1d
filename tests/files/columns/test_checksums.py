from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.files.columns import checksums

Maker = Callable[[Random], str]

CHECKS: dict[str, Callable[[str], bool]] = {
    "card": checksums.luhn,
    "iban": checksums.iban,
    "spanish_dni": checksums.spanish_dni,
    "spanish_nie": checksums.spanish_dni,
    "estonian_isikukood": checksums.estonian_isikukood,
    "russian_snils": checksums.russian_snils,
    "russian_inn": checksums.russian_inn,
    "french_nir": checksums.french_nir,
    "german_tax_id": checksums.german_tax_id,
    "brazilian_cpf": checksums.brazilian_cpf,
    "british_nhs": checksums.british_nhs,
}
CATCH_EVERY_TYPO = (
    "card", "iban", "spanish_dni", "spanish_nie", "french_nir", "german_tax_id", "british_nhs",
)  # fmt: skip
"""Kinds whose check changes with any single digit; the others map two remainders to one digit."""


def chance(seed: int) -> Random:
    return Random(seed)


@pytest.mark.parametrize("kind", CHECKS)
@given(seed=st.integers(0, 2**32))
def test_a_number_made_by_the_rules_passes(
    makers: Mapping[str, Maker], kind: str, seed: int
) -> None:
    assert CHECKS[kind](makers[kind](chance(seed)))


@pytest.mark.parametrize("kind", CATCH_EVERY_TYPO)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_one_wrong_digit_is_noticed(
    makers: Mapping[str, Maker], kind: str, data: st.DataObject, seed: int
) -> None:
    number = makers[kind](chance(seed))
    places = [place for place, sign in enumerate(number) if sign.isdigit()]
    place = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from([sign for sign in "0123456789" if sign != number[place]]))
    assert not CHECKS[kind](number[:place] + other + number[place + 1 :])


@pytest.mark.parametrize(
    ("kind", "n_check"),
    [
        ("card", 1),
        ("estonian_isikukood", 1),
        ("russian_snils", 2),
        ("russian_inn", 2),
        ("french_nir", 2),
        ("german_tax_id", 1),
        ("brazilian_cpf", 2),
        ("british_nhs", 1),
    ],
)
@given(seed=st.integers(0, 2**32))
def test_exactly_one_ending_fits(
    makers: Mapping[str, Maker], kind: str, n_check: int, seed: int
) -> None:
    number = makers[kind](chance(seed))
    endings = [f"{ending:0{n_check}d}" for ending in range(10**n_check)]
    fitting = [ending for ending in endings if CHECKS[kind](number[:-n_check] + ending)]
    assert fitting == [number[-n_check:]]


@pytest.mark.parametrize("check", [*CHECKS.values(), checksums.us_ssn])
@given(text=st.text(max_size=20))
def test_any_text_gets_a_verdict(check: Callable[[str], bool], text: str) -> None:
    assert check(checksums.bare(text)) in (True, False)


@pytest.mark.parametrize("check", [*CHECKS.values(), checksums.us_ssn])
def test_placeholders_and_nothing_do_not_pass(check: Callable[[str], bool]) -> None:
    assert not any(check("0" * length) for length in range(20))


def test_corsicans_have_letters_in_their_number() -> None:
    body = "18505" + "2A" + "123456"
    key = 97 - int(body.replace("2A", "19")) % 97
    assert checksums.french_nir(f"{body}{key:02d}")
    assert not checksums.french_nir(f"{body}{key % 97 + 1:02d}")


def test_a_personal_code_needs_a_day_of_the_calendar() -> None:
    body = "3990231" + "000"
    assert not any(checksums.estonian_isikukood(f"{body}{last}") for last in range(10))


@pytest.mark.parametrize(
    "number", ["000121234", "666121234", "900121234", "123001234", "123120000"]
)
def test_social_security_numbers_that_are_never_given_do_not_pass(number: str) -> None:
    assert not checksums.us_ssn(number)
