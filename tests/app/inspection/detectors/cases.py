"""Columns that show their kind, by their values or by their name, and columns that only seem to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

import pytest

from microveil.app.inspection import ColumnProfile, inspect
from microveil.app.inspection.detectors import Detector

Maker = Callable[[Random], str]
N = 60


def profile(name: str, values: Sequence[Any]) -> ColumnProfile:
    """The profile of one column of made-up values."""
    return inspect({name: values}).columns[0]


def made(pattern: Callable[[Random], Any], n: int = N) -> list[Any]:
    random = Random(5)
    return [pattern(random) for _ in range(n)]


EMAILS = [f"anna.{i}@example{i % 7}.org" for i in range(N)]
PHONES = [f"+372 5{i:03d} {7 * i:04d}" for i in range(N)]
US_PHONES = [f"(212) 555-{i:04d}" for i in range(N)]
BARE_PHONES = [f"5{i:03d}{7 * i:04d}" for i in range(N)]
IPV4 = [f"10.{i}.{i * 3 % 256}.{i + 4}" for i in range(N)]
IPV6 = [f"2001:db8:0:{i:x}::{i + 1:x}" for i in range(N)]
MACS = [f"00:1b:44:11:3a:{i:02x}" for i in range(N)]
URLS = [f"https://example.org/~user{i}" for i in range(N)]
UUIDS = [f"{i:08x}-0000-4000-8000-{i * 7:012x}" for i in range(N)]
GIVEN = ["Anna", "Juan", "Jüri", "Émile", "Иван", "Olga"]
FAMILY = [
    "Tamm",
    "Pérez",
    "O'Neill",
    "Müller",
    "Smith-Jones",
    "Петров",
    "Rossi",
    "Costa",
    "Roca",
    "Ask",
]
FULL_NAMES = [f"{given} {family}" for given in GIVEN for family in FAMILY]
BIRTHS = [date(1930, 1, 1) + timedelta(days=420 * i) for i in range(N)]
EVENTS = [date(2024, 1, 1) + timedelta(days=i) for i in range(N)]
TIMES = [datetime(2024, 1, 1) + timedelta(hours=7 * i) for i in range(N)]  # noqa: DTZ001  cells without a zone
SENTENCES = [
    f"The patient came in on day {i} and told us about the pain in the knee." for i in range(N)
]
LATITUDES = [59.0 + i / 97 for i in range(N)]

BY_VALUES: dict[str, tuple[str, list[Any]]] = {
    "email": ("email", EMAILS),
    "email with dirt": ("email", [*EMAILS[:50], "unknown", "-"]),
    "one email": ("email", EMAILS[:1]),
    "phone": ("phone", PHONES),
    "US phone": ("phone", US_PHONES),
    "IPv4": ("ip_address", IPV4),
    "IPv6": ("ip_address", IPV6),
    "MAC": ("mac_address", MACS),
    "URL": ("url", URLS),
    "UUID": ("random_id", UUIDS),
    "hash": ("random_id", [f"{i * 7919:064x}" for i in range(N)]),
    "full name": ("person_name", FULL_NAMES),
    "birth date": ("birth_date", BIRTHS),
    "birth date as text": ("birth_date", [f"{day:%d.%m.%Y}" for day in BIRTHS]),
    "event date": ("date", EVENTS),
    "event date as text": ("date", [day.isoformat() for day in EVENTS]),
    "timestamp": ("timestamp", TIMES),
    "timestamp as text": ("timestamp", [str(time) for time in TIMES]),
    "coordinates": ("coordinates", [f"59.{i + 10}12, 24.{i + 10}34" for i in range(N)]),
    "UK postcode": ("postcode", [f"SW{i % 9 + 1}A {i % 10}A{chr(65 + i % 26)}" for i in range(N)]),
    "ICD-10 with points": ("diagnosis_code", [f"E{i:02d}.{i % 10}" for i in range(N)]),
    "free text": ("free_text", SENTENCES),
    "row number": ("row_number", list(range(1000, 1000 + N))),
}

BY_NAME: dict[str, list[tuple[str, list[Any]]]] = {
    "cluster": [("psu", list(range(100, 120)) * 10), ("Conglomerado", list(range(20)) * 10)],
    "member_number": [("pernum", [1, 2, 3, 1, 2] * 10), ("line_number", [1, 1, 2, 3] * 10)],
    "phone": [("mobile", BARE_PHONES), ("Telefon", BARE_PHONES), ("телефон", BARE_PHONES)],
    "person_name": [
        (name, ["Kim", "Lee", "Anna", "Olga"] * 5)
        for name in ("name", "first_name", "LastName", "apellidos", "cognom", "Nachname", "prénom",
                     "cognome", "sobrenome", "фамилия", "perekonnanimi")
    ],
    "us_ssn": [("ssn", [f"219{i + 10}{i + 1000}" for i in range(N)])],
    "birth_date": [
        (name, BIRTHS[:3])
        for name in ("dob", "birth_date", "fecha_nacimiento", "data naixement", "Geburtsdatum",
                     "date_naissance", "data_di_nascita", "data_nascimento", "дата рождения",
                     "sünniaeg")
    ] + [("birthday", [19800131, 19751224])],
    "birth_year": [("year_of_birth", [1950, 1988]), ("Geburtsjahr", [1950, 1988])],
    "postcode": [("zip", ["08001", "43007"]), ("PLZ", [10115, 80331]), ("postcode", ["SW1A 1AA"]),
                 ("индекс", [190000, 191186]), ("zip", ["080**", "430**"])],
    "latitude": [("lat", LATITUDES), ("широта", LATITUDES)],
    "longitude": [("lng", LATITUDES)],
    "age": [("age", [30, 41]), ("edad", [30.0, None]), ("Alter", [30, 41]), ("возраст", [3, 99]),
            ("vanus", [1, 2]), ("age", ["30-39", ">=90"])],
    "sex": [("sex", ["f", "m"]), ("Geschlecht", [1, 2]), ("пол", ["м", "ж"]), ("sugu", ["n", "m"]),
            ("is_gender", [True, False])],
    "marital_status": [("marital-status", ["s", "m"]), ("MARSTAT", [1, 2]),
                       ("Familienstand", [1, 2])],
    "education": [("education", ["BA", "MA"]), ("haridustase", [1, 2])],
    "occupation": [("occupation", ["a", "b"]), ("Beruf", ["a", "b"]), ("профессия", ["a", "b"])],
    "ethnicity": [("race", ["a", "b"]), ("ETNI", [1, 2])],
    "origin": [("nationality", ["a", "b"]), ("native-country", ["a", "b"]),
               ("emakeel", ["a", "b"])],
    "beliefs": [("religion", ["a", "b"]), ("Partei", ["a", "b"])],
    "health": [("disease", ["flu", "cold"]), ("has_diabetes", [True, False]), ("здоровье", [1, 2])],
    "diagnosis_code": [("icd10", ["C50", "E119"])],
    "money": [("income", [10.5, 20.0]), ("salary-class", ["<=50K", ">50K"]), ("Einkommen", [1, 2]),
              ("зарплата", [1, 2]), ("palk", [1, 2])],
    "offences": [("convictions", [0, 1])],
    "weight": [("weight", [1.5, 2.5]), ("fnlwgt", [77516, 83311]), ("POND", [1.5, 2.0]),
               ("w", [18.0, 45.5])],
    "stratum": [("stratum", [1, 2, 1, 2, 1, 2])],
    "household_id": [("hhid", [1, 1, 2, 2, 2]), ("ori_hid", [1, 1, 2, 2, 2])],
    "place": [("region", ["a", "b"]), ("maakond", ["a", "b"]), ("birth_place", ["a", "b"])],
    "address": [("address", [f"High Street {i}" for i in range(N)])],
    "date_part": [("year", [2020, 2021])],
    "free_text": [("comment", [f"came late again {i}" for i in range(N)])],
    "person_id": [("patient_id", list(range(0, 600, 10))), ("user", [f"u{i}" for i in range(N)]),
                  ("Kundennummer", list(range(0, 600, 10)))],
    "record_id": [("ticket", [f"A/{i}" for i in range(N)]), ("id", list(range(0, 600, 10)))],
    "document_number": [("passport", [f"K{i:07d}" for i in range(N)])],
    "family": [("household_size", [1, 2, 3]), ("children", [0, 1])],
    "body_measure": [("height", [170, 180])],
    "code": [("COMPCODE", [1, 2] * 20)],
}  # fmt: skip

LEFT_ALONE: dict[str, tuple[str, list[Any], str]] = {
    "versions are no addresses": ("version", [f"1.2.3.{i}" for i in range(N)], "ip_address"),
    "clock times are no addresses": ("x", [f"12:{i:02d}:15" for i in range(N)], "ip_address"),
    "a named column of other things": ("phone", ["iPhone", "Nokia"] * 30, "phone"),
    "opting in is no address": ("email_opt_in", [True, False] * 30, "email"),
    "dates are no phones": ("x", [day.isoformat() for day in EVENTS], "phone"),
    "sums with a wrong check": ("x", [f"EE00{i:016d}" for i in range(N)], "iban"),
    "products are no people": ("product_name", ["Blue Chair", "Red Table"] * 30, "person_name"),
    "cities repeat": ("x", ["New York", "San Diego", "Los Angeles"] * 20, "person_name"),
    "cabins are no diagnoses": ("x", [f"C{i + 10}" for i in range(N)], "diagnosis_code"),
    "numbers are no coordinates": ("x", LATITUDES, "latitude"),
    "whole numbers are no coordinates": ("lat", list(range(N)), "latitude"),
    "events are no births": ("x", EVENTS, "birth_date"),
    "places of birth are no dates": ("birth_place", EVENTS, "birth_date"),
    "five digits are no postcode": ("x", list(range(10000, 70000, 1000)), "postcode"),
    "kilograms are no sampling weight": ("weight_kg", [55.5, 80.1] * 30, "weight"),
    "negative numbers are no weights": ("weight", [-1.5, -2.5] * 30, "weight"),
    "being paid is no id": ("paid", list(range(0, 600, 10)), "record_id"),
    "a page is no age": ("page", [1, 2, 3] * 20, "age"),
    "ages beyond life": ("age", [1000, 2000] * 30, "age"),
    "labels are no free text": ("comment", ["ok", "late"] * 30, "free_text"),
    "orientation is no sex": ("sexual_orientation", ["a", "b"] * 30, "sex"),
    "shared pages are no personal ones": ("x", ["https://a.org", "https://b.org"] * 30, "url"),
}


def examples(detectors: Sequence[Detector]) -> list[Any]:
    """Kind, name and values of columns that these detectors find."""
    kinds = {detector.kind for detector in detectors}
    by_values = [(kind, "x", values) for kind, values in BY_VALUES.values() if kind in kinds]
    by_name = [
        # A second value for columns of one: constants have no role, whatever their name.
        (kind, name, [*values, *values, None])
        for kind, cases in BY_NAME.items()
        for name, values in cases
        if kind in kinds
    ]
    return [*by_values, *by_name]


def resembling(detectors: Sequence[Detector]) -> list[Any]:
    """Columns that these detectors leave alone, by what they are."""
    kinds = {detector.kind for detector in detectors}
    return [
        pytest.param(name, values, kind, id=what)
        for what, (name, values, kind) in LEFT_ALONE.items()
        if kind in kinds
    ]
