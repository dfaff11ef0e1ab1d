"""Check digits and letters of payment and national numbers.

Each function takes the number as text, without spaces and punctuation, and returns whether its
check holds. A number of one repeated digit is a placeholder and always fails.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_CORSICA = {"2A": "19", "2B": "18"}


def bare(text: str) -> str:
    """Letters and digits only, in capitals.

    >>> bare("12.345-678 z")
    '12345678Z'
    """
    return "".join(sign for sign in text if sign.isalnum()).upper()


def _digits(text: str, length: int) -> list[int] | None:
    """The digits of a number of the right length that is not a placeholder."""
    if len(text) != length or not (text.isascii() and text.isdigit()) or len(set(text)) == 1:
        return None
    return [int(sign) for sign in text]


def _weighted_sum(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def luhn(text: str) -> bool:
    """Payment cards and device numbers: Luhn's formula (ISO/IEC 7812).

    >>> luhn("79927398713")
    True
    """
    digits = _digits(text, len(text))
    if digits is None:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Bank accounts: remainder 1 modulo 97 (ISO 13616).

    >>> iban("GB82WEST12345698765432")
    True
    """
    if not (text.isascii() and text.isalnum()):
        return False
    return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1


def spanish_dni(text: str) -> bool:
    """Spanish DNI or NIE: the letter belongs to the number modulo 23.

    >>> spanish_dni("12345678Z")
    True
    """
    number = text[:-1]
    if number[:1] in ("X", "Y", "Z"):
        number = str("XYZ".index(number[0])) + number[1:]
    if len(number) != 8 or not (number.isascii() and number.isdigit()):  # noqa: PLR2004  digits of a DNI
        return False
    return text[-1] == _DNI_LETTERS[int(number) % 23]


def estonian_isikukood(text: str) -> bool:
    """Estonian personal code: a date of birth and a check digit modulo 11.

    >>> estonian_isikukood("37605030299")
    True
    """
    digits = _digits(text, 11)
    if digits is None or not 1 <= digits[0] <= 8:  # noqa: PLR2004  centuries 1800 to 2100
        return False
    century = 1800 + 100 * ((digits[0] - 1) // 2)
    if not _is_date(century + int(text[1:3]), int(text[3:5]), int(text[5:7])):
        return False
    check = _weighted_sum(digits[:10], (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if check == 10:  # noqa: PLR2004  no digit: the second weights decide
        check = _weighted_sum(digits[:10], (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11
    return digits[10] == check % 10


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def russian_snils(text: str) -> bool:
    """Russian insurance number: two check digits modulo 101.

    >>> russian_snils("11223344595")
    True
    """
    digits = _digits(text, 11)
    if digits is None:
        return False
    check = _weighted_sum(digits[:9], range(9, 0, -1)) % 101 % 100
    return int(text[9:]) == check


def russian_inn(text: str) -> bool:
    """Russian tax number of a firm (10 digits) or a person (12).

    >>> russian_inn("500100732259")
    True
    """
    if (digits := _digits(text, 10)) is not None:
        return digits[9] == _weighted_sum(digits[:9], (2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    if (digits := _digits(text, 12)) is None:
        return False
    first = _weighted_sum(digits[:10], (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    second = _weighted_sum(digits[:11], (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return digits[10:] == [first, second]


def french_nir(text: str) -> bool:
    """French social security number: a key of two digits modulo 97.

    >>> french_nir("255081416802538")
    True
    """
    department = text[5:7]
    number = text[:5] + _CORSICA.get(department, department) + text[7:]
    if _digits(number, 15) is None:
        return False
    return int(number[13:]) == 97 - int(number[:13]) % 97


def german_tax_id(text: str) -> bool:
    """German tax number: ISO 7064 MOD 11,10, and one digit repeated among the first ten.

    >>> german_tax_id("86095742719")
    True
    """
    digits = _digits(text, 11)
    if digits is None or digits[0] == 0:
        return False
    repeats = sorted(text[:10].count(sign) for sign in set(text[:10]))
    if repeats[-1] not in (2, 3) or (len(repeats) > 1 and repeats[-2] > 1):
        return False
    product = 10
    for digit in digits[:10]:
        product = ((digit + product) % 10 or 10) * 2 % 11
    return digits[10] == (11 - product) % 10


def brazilian_cpf(text: str) -> bool:
    """Brazilian taxpayer number: two check digits modulo 11.

    >>> brazilian_cpf("52998224725")
    True
    """
    digits = _digits(text, 11)
    if digits is None:
        return False
    first = _weighted_sum(digits[:9], range(10, 1, -1)) * 10 % 11 % 10
    second = _weighted_sum(digits[:10], range(11, 1, -1)) * 10 % 11 % 10
    return digits[9:] == [first, second]


def british_nhs(text: str) -> bool:
    """British health service number: a check digit modulo 11.

    >>> british_nhs("9434765919")
    True
    """
    digits = _digits(text, 10)
    if digits is None:
        return False
    return digits[9] == (11 - _weighted_sum(digits[:9], range(10, 1, -1)) % 11) % 11


def us_ssn(text: str) -> bool:
    """US social security number: no check digit, but areas and groups that are never assigned.

    >>> us_ssn("219099999"), us_ssn("666123456")
    (True, False)
    """
    if _digits(text, 9) is None:
        return False
    area, group, serial = text[:3], text[3:5], text[5:]
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"
