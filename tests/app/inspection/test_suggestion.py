"""Roles as a statistician would give them, on small tables of made-up people."""

from __future__ import annotations

from random import Random
from typing import Any

import polars as pl
import pytest

from microveil.app.inspection import inspect

N = 400


def titanic_like() -> pl.DataFrame:
    random = Random(1)
    return pl.DataFrame(
        {
            "survived": [random.randrange(2) for _ in range(N)],
            "pclass": [random.randrange(1, 4) for _ in range(N)],
            "name": [f"Doe, Mr. {chr(65 + i % 26)}{'o' * (i // 26 + 1)}" for i in range(N)],
            "sex": [random.choice(["male", "female"]) for _ in range(N)],
            "age": [random.choice([None, random.randrange(80) + 0.5]) for _ in range(N)],
            "sibsp": [random.randrange(5) for _ in range(N)],
            "ticket": [f"PC {random.randrange(2 * N)}" for _ in range(N)],
            "fare": [random.uniform(5, 500) for _ in range(N)],
            "cabin": [random.choice([None, None, f"C{random.randrange(150)}"]) for _ in range(N)],
            "embarked": [random.choice("SCQ") for _ in range(N)],
        }
    )  # fmt: skip


def adult_like() -> pl.DataFrame:
    random = Random(2)
    categories = {
        "sex": 2, "race": 5, "marital-status": 7, "education": 16, "native-country": 41,
        "workclass": 7, "occupation": 14, "salary-class": 2,
    }  # fmt: skip
    columns: dict[str, list[Any]] = {
        name: [f"{name}-{random.randrange(n_values)}" for _ in range(N)]
        for name, n_values in categories.items()
    }
    columns["age"] = [random.randrange(17, 91) for _ in range(N)]
    return pl.DataFrame(columns)


def test_passengers_get_the_roles_a_statistician_gives_them() -> None:
    roles = inspect(titanic_like()).roles
    assert roles.identifiers == ("name", "ticket")
    assert roles.quasi_identifiers == ("pclass", "sex", "age", "sibsp", "cabin", "embarked")
    assert roles.sensitive == ("survived", "fare")
    assert roles.entity is None


def test_census_records_get_the_roles_a_statistician_gives_them() -> None:
    roles = inspect(adult_like()).roles
    assert set(roles.quasi_identifiers) == {
        "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation",
        "age",
    }  # fmt: skip
    assert roles.sensitive == ("salary-class",)
    assert not roles.identifiers


def household_survey() -> pl.DataFrame:
    random = Random(3)
    return pl.DataFrame(
        {
            "ori_hid": [i // 4 for i in range(N)],
            "urbrur": [random.randrange(1, 3) for _ in range(N)],
            "relat": [random.randrange(1, 9) for _ in range(N)],
            "income": [random.uniform(0, 1e6) for _ in range(N)],
            "household_weights": [25.0 * random.randrange(1, 9) for _ in range(N)],
            "sampling_weight": [random.choice([90.5, 110.5]) for _ in range(N)],
            "stratum": [random.randrange(1, 5) for _ in range(N)],
        }
    )


def test_a_survey_has_its_weight_households_and_strata() -> None:
    roles = inspect(household_survey()).roles
    assert roles.household == "ori_hid"
    assert roles.weight == "sampling_weight"
    assert roles.strata == ("stratum",)
    assert roles.quasi_identifiers == ("urbrur", "relat")


def test_a_second_weight_is_left_to_decide() -> None:
    found = inspect(household_survey())
    assert found["household_weights"].role is None
    assert "household_weights" not in found.roles.named


def test_beside_heights_a_weight_is_a_bodys() -> None:
    found = inspect({"height": [170, 180, 175], "weight": [60.5, 80.1, 77.7]})
    assert found["weight"].kind == "body_measure"
    assert found.roles.weight is None


def test_beside_heights_a_survey_weight_stays_one() -> None:
    found = inspect({"height": [170, 180, 175], "survey_weight": [60.5, 80.1, 77.7]})
    assert found.roles.weight == "survey_weight"


def visits(id_name: str) -> dict[str, list[Any]]:
    return {id_name: [i // 4 * 10 for i in range(N)], "visit": [i % 4 for i in range(N)]}


@pytest.mark.parametrize("name", ["patient_id", "user", "id", "UTILITYID", "cliente"])
def test_an_id_that_repeats_says_whom_rows_are_about(name: str) -> None:
    roles = inspect(visits(name)).roles
    assert roles.entity == name
    assert name in roles.identifiers


@pytest.mark.parametrize("name", ["product_id", "store_id", "department_id"])
def test_ids_of_things_are_no_entities(name: str) -> None:
    roles = inspect(visits(name)).roles
    assert roles.entity is None
    assert name in roles.quasi_identifiers


def test_where_each_record_has_its_own_name_no_shared_id_is_an_entity() -> None:
    data = visits("id") | {"email": [f"a{i}@b.org" for i in range(N)]}
    assert inspect(data).roles.entity is None


def test_an_id_without_repeats_is_an_identifier() -> None:
    roles = inspect({"patient_id": list(range(0, 10 * N, 10))}).roles
    assert roles.identifiers == ("patient_id",)
    assert roles.entity is None


def test_text_of_its_own_in_every_record_is_an_identifier() -> None:
    found = inspect({"x": [f"q{i}w" for i in range(N)]})["x"]
    assert (found.kind, found.role) == (None, "identifier")


def test_digits_with_leading_zeros_are_codes() -> None:
    assert inspect({"x": [f"{7 * i:06d}" for i in range(N)]})["x"].role == "identifier"


def test_numbers_kept_as_text_are_measures() -> None:
    assert inspect({"x": [f"{i / 7 + 1:.3f}" for i in range(N)]})["x"].role == "insensitive"
    assert inspect({"x": [f"1{i},5" for i in range(N)]})["x"].role == "insensitive"


def test_few_unknown_values_are_cautiously_quasi_identifiers() -> None:
    roles = inspect({"q1": [i % 5 for i in range(N)], "q2": list("abcd") * (N // 4)}).roles
    assert roles.quasi_identifiers == ("q1", "q2")


def test_unknown_measures_are_insensitive_and_say_so() -> None:
    found = inspect({"x": [i * 0.37 for i in range(N)]})["x"]
    assert found.role == "insensitive"
    assert "check" in found.reasons[0]


def test_a_constant_is_insensitive_unless_it_names_somebody() -> None:
    found = inspect({"sex": ["f"] * 9, "email": ["a@b.org"] * 9, "void": [None] * 9})
    assert found["sex"].role == "insensitive"
    assert found["email"].role == "identifier"
    assert found["void"].reasons == ("it is empty",)


def test_every_column_that_has_a_role_stands_in_the_roles() -> None:
    for frame in (titanic_like(), adult_like(), household_survey()):
        found = inspect(frame)
        assert {profile.name for profile in found.columns if profile.role} == set(found.roles.named)
