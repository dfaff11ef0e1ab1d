"""Made-up numbers whose check digits are worked out here, apart from the code under test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

Maker = Callable[[Random], str]


def _digits(random: Random, length: int) -> str:
    # Two different leading digits: a number of one repeated digit is no number.
    return "12" + "".join(str(random.randrange(10)) for _ in range(length - 2))


def _dot(text: str, weights: list[int]) -> int:
    total = 0
    for position, weight in enumerate(weights):
        total += int(text[position]) * weight
    return total


def card(random: Random) -> str:
    body = "4" + _digits(random, 14)
    total = 0
    for place, sign in enumerate(reversed(body)):
        twice = int(sign) * 2 if place % 2 == 0 else int(sign)
        total += twice - 9 if twice > 9 else twice
    return body + str(-total % 10)


def iban(random: Random) -> str:
    account = _digits(random, 16)
    # EE is 14 14; the check digits stand behind it, at the end of the rearranged number.
    rest = int(account + "1414" + "00") % 97
    return f"EE{98 - rest:02d}{account}"


def spanish_dni(random: Random) -> str:
    number = _digits(random, 8)
    return number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) - int(number) // 23 * 23]


def spanish_nie(random: Random) -> str:
    digits = _digits(random, 7)
    letter = random.choice("XYZ")
    number = int({"X": "0", "Y": "1", "Z": "2"}[letter] + digits)
    return letter + digits + "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def estonian_isikukood(random: Random) -> str:
    born = f"{random.randrange(100):02d}{random.randrange(1, 13):02d}{random.randrange(1, 29):02d}"
    body = random.choice("3456") + born + f"{random.randrange(1000):03d}"
    rest = _dot(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
    if rest == 10:
        rest = _dot(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
    return body + ("0" if rest == 10 else str(rest))


def russian_snils(random: Random) -> str:
    body = _digits(random, 9)
    total = _dot(body, [9, 8, 7, 6, 5, 4, 3, 2, 1])
    while total > 101:
        total -= 101
    return body + ("00" if total in (100, 101) else f"{total:02d}")


def russian_inn(random: Random) -> str:
    body = _digits(random, 10)
    body += str(_dot(body, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11)[-1]
    return body + str(_dot(body, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11)[-1]


def french_nir(random: Random) -> str:
    month, department = random.randrange(1, 13), random.randrange(1, 96)
    body = f"{random.choice('12')}{random.randrange(100):02d}{month:02d}{department:02d}"
    body += f"{random.randrange(1, 990):03d}{random.randrange(1, 1000):03d}"
    return f"{body}{97 - int(body) % 97:02d}"


def german_tax_id(random: Random) -> str:
    body = random.sample("0123456789", 10)
    body[random.randrange(1, 10)] = body[0]
    if body[0] == "0":
        body = ["1" if sign == "0" else "0" if sign == "1" else sign for sign in body]
    carry = 10
    for sign in body:
        carry += int(sign)
        carry = carry - 10 if carry > 10 else carry
        carry = carry % 10 or 10
        carry = carry * 2 % 11
    return "".join(body) + str(11 - carry)[-1]


def brazilian_cpf(random: Random) -> str:
    body = _digits(random, 9)
    for weights in (list(range(10, 1, -1)), list(range(11, 1, -1))):
        rest = _dot(body, weights) % 11
        body += "0" if rest < 2 else str(11 - rest)
    return body


def british_nhs(random: Random) -> str:
    while True:
        body = _digits(random, 9)
        rest = 11 - _dot(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11
        if rest != 10:
            return body + ("0" if rest == 11 else str(rest))


def us_ssn(random: Random) -> str:
    area = random.randrange(1, 666)
    return f"{area:03d}-{random.randrange(1, 100):02d}-{random.randrange(1, 10000):04d}"


def italian_codice_fiscale(random: Random) -> str:
    letters = "".join(random.choice("BCDFGLMNPRST") for _ in range(6))
    born = (
        f"{random.randrange(100):02d}{random.choice('ABCDEHLMPRST')}{random.randrange(1, 32):02d}"
    )
    return f"{letters}{born}{random.choice('FHL')}{random.randrange(1000):03d}X"


def british_nino(random: Random) -> str:
    return f"{random.choice('ABCE')}{random.choice('ABCE')}{random.randrange(10**6):06d}C"


MAKERS: Mapping[str, Maker] = {
    maker.__name__: maker
    for maker in (
        card, iban, spanish_dni, spanish_nie, estonian_isikukood, russian_snils, russian_inn,
        french_nir, german_tax_id, brazilian_cpf, british_nhs, us_ssn, italian_codice_fiscale,
        british_nino,
    )
}  # fmt: skip
