"""The course's small tables, as printed. All people in them are invented."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl


def _frame(columns: str, rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=columns.split(), orient="row")


PEOPLE = _frame(
    "occupation zip age sex income",
    [
        ("Runner", "80222", 42, "M", 25050),
        ("School teacher", "40831", 28, "F", 18098),
        ("Police det.", "97206", 51, "M", 28760),
        ("Professor", "40831", 23, "M", 26062),
        ("Student", "40831", 12, "F", 790),
        ("Police capt.", "97206", 68, "M", 30033),
        ("Boxer", "80237", 30, "F", 55093),
        ("Horse rider", "80911", 46, "M", 17330),
        ("Military lt.", "97201", 55, "F", 15700),
    ],
)
"""Table 3."""

NAMED = (
    pl.DataFrame(
        {
            "name": [
                "Tuco Benedicto",
                "Jill McBain",
                "Ramon Miguel Vargas",
                "Sebastião Rodrigues",
                "Mathilda Lando",
                "Hank Quinlan",
                "Margaret Fitzgerald",
                "Tom Doniphon",
                "Ellen Ripley",
            ]
        }
    )
    .hstack(PEOPLE)
    .with_columns(
        zip=pl.when(pl.col("occupation") == "Professor").then(pl.lit("40505")).otherwise("zip")
    )
)
"""Table 2: the same people with their names; the professor's ZIP is another there."""

THREE_ANONYMOUS = _frame(
    "occupation zip sex income",
    [
        ("Teacher", "80122", "M", 10000),
        ("Teacher", "80122", "M", 18098),
        ("Writer", "97234", "F", 28000),
        ("Teacher", "80122", "M", 20100),
        ("Writer", "97234", "F", 30000),
        ("Writer", "97234", "F", 9210),
    ],
)
"""Table 4."""

HOMOGENEOUS = _frame(
    "occupation zip sex income",
    [
        *[("Teacher", "80100", "M", 10000)] * 3,
        *[("Writer", "97222", "F", income) for income in (28000, 25000, 23000)],
    ],
)
"""Table 5."""

DIVERSE = _frame(
    "occupation zip sex income",
    [
        *[("Teacher", "80100", "M", income) for income in (10000, 20000, 10000)],
        *[("Writer", "97222", "F", income) for income in (28000, 25000, 23000)],
    ],
)
"""Table 6a."""

AGES = (42, 12, 28, 51, 23, 68, 30, 46, 55, 62)
"""Table 7, D1."""

LINKED = _frame(
    "v1 v2 v3",
    [(10, 33.4, 1000), (0, 28.9, 1010), (30, 10.3, 922), (20, 80.0, 20200), (30, 59.0, 15320)],
)
LINKED_1 = _frame(
    "v1 v2 v3",
    [(0, 30.2, 1000), (0, 31.2, 1000), (20, 12.0, 1000), (30, 82.1, 20000), (20, 55.2, 15000)],
)
LINKED_2 = _frame("v1 v2 v3", [*[(0, 20.0, 900)] * 3, *[(20, 70.0, 20000)] * 2])
"""Table 9."""

DIVERGING = _frame(
    "v1 v2 v3",
    [(1, 33.4, 1000), (0, 28.9, 1010), (3, 10.3, 922), (2, 80.0, 20200), (3, 59.0, 15320)],
)
DIVERGING_1 = _frame(
    "v1 v2 v3",
    [(0, 30.2, 1000), (0, 31.2, 1000), (2, 12.0, 1000), (3, 82.1, 20000), (2, 55.2, 15000)],
)
DIVERGING_2 = _frame(
    "v1 v2 v3",
    [(0, 40.0, 900), (0, 20.0, 1000), (2, 20.0, 900), (2, 70.0, 20000), (2, 50.0, 20000)],
)
"""Table 11."""

TO_GENERALIZE = PEOPLE.select("occupation", "zip", "age").with_columns(
    pl.Series(
        "status",
        ["Married", "Divorced", "Widow/er", "Married", "Single", "Single", "Divorced", "Married",
         "Single"],
    )
)  # fmt: skip
"""Table 15."""

GENERALIZED = _frame(
    "occupation zip age status",
    [
        ("Sports", "80***", "[30, 49]", "Married"),
        ("Education", "40***", "[10, 29]", "Divorced or Widow/er"),
        ("Law enforcement", "97***", "[50, 69]", "Divorced or Widow/er"),
        ("Education", "40***", "[10, 29]", "Married"),
        ("Education", "40***", "[10, 29]", "Single"),
        ("Law enforcement", "97***", "[50, 69]", "Single"),
        ("Sports", "80***", "[30, 49]", "Divorced or Widow/er"),
        ("Sports", "80***", "[30, 49]", "Married"),
        ("Law enforcement", "97***", "[50, 69]", "Single"),
    ],
)
"""Table 16."""

NOISE = pl.DataFrame(
    {
        "age": [42, 28, 51, 23, 12, 68, 30, 46, 55, 62],
        "income": [20000.0, 21000, 19003.2, 40000.55, 10000, 9500.33, 40400, 30300, 10100, 80700.2],
    }
)
NOISE_UNCORRELATED = pl.DataFrame(
    {
        "age": [56, 41, 35, 13, 5, 57, 24, 40, 49, 75],
        "income": [6995.740, 25430.243, 3755.508, 39011.350, 1161.667, 23244.377, 43739.953,
                   9228.542, 10513.215, 77855.080],
    }
)  # fmt: skip
NOISE_CORRELATED = pl.DataFrame(
    {
        "age": [40, 27, 52, 21, 10, 68, 31, 45, 55, 60],
        "income": [21713.166, 20104.999, 23539.095, 37902.947, 9986.307, 8741.154, 41709.833,
                   31064.646, 11442.116, 78903.840],
    }
)  # fmt: skip
"""Tables 17 and 18."""

SCHIZOPHRENIA = {
    "D1": {"Caracalla": 1, "Nerva": 0, "Commodus": 1, "Trajan": 0, "Hadrian": 0},
    "D2": {"Tiberius": 1, "Caracalla": 1, "Nerva": 0, "Commodus": 1, "Trajan": 0, "Hadrian": 0},
    "D3": {"Nerva": 0, "Commodus": 1, "Trajan": 0, "Hadrian": 0},
    "D4": {"Vespasian": 0, "Caracalla": 1, "Nerva": 0, "Commodus": 1, "Trajan": 0, "Hadrian": 0},
}
"""Table 20."""

SWAPPED = pl.DataFrame({"age": [42, 28, 51, 23, 12, 68, 30, 46, 55, 61]})
SWAPPED_1 = pl.DataFrame({"age": [28, 42, 30, 12, 23, 61, 51, 55, 46, 68]})
"""Table 21: original, and swapped with p = 30."""

AGGREGATED = pl.DataFrame({"age": [42, 28, 50, 23, 12, 68, 30, 46, 55, 61]})
AGGREGATED_1 = (42, 21, 42, 21, 21, 61, 42, 42, 61, 61)
"""Table 22."""

RELEASED = _frame(
    "occupation zip age status income",
    [
        ("Sports", "80***", "[30, 49]", "Married", 25050),
        ("Education", "40***", "[10, 29]", "Divorced or widow/er", 18098),
        ("Law enforcement", "97***", "[50, 69]", "Divorced or widow/er", 28760),
        ("Education", "40***", "[10, 29]", "Married", 26062),
        ("Education", "97***", "[10, 29]", "Single", 790),
        ("Law enforcement", "97***", "[50, 69]", "Single", 30033),
        ("Sports", "80***", "[30, 49]", "Divorced or widow/er", 55093),
        ("Sports", "80***", "[30, 49]", "Married", 17330),
        ("Law enforcement", "97***", "[50, 69]", "Single", 15700),
    ],
)
"""Table 23."""

AWARDED = pl.DataFrame(
    {
        "name": [
            "John Keating",
            "Mark Thackeray",
            "Erin Gruwell",
            "Jaime Escalante",
            "Edna Krabbapel",
            "Rosemary Cross",
        ],
        "occupation": ["Education"] * 6,
        "zip": ["97***", "40***", "90***", "90***", "62***", "99***"],
    }
)
"""Table 24, the two teachers that the exercise asks for first; the digits are those of Portland,
Louisville, Long Beach, East Los Angeles, Springfield (Illinois) and Anchorage."""

EXERCISE = pl.DataFrame(
    {"v1": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "v2": [90, 80, 70, 60, 50, 40, 30, 20, 10, 9]}
)
EXERCISE_1 = pl.DataFrame(
    {
        "v1": [10.70, 10.45, 8.50, 7.58, 5.49, 5.62, 4.99, 3.47, 1.06, 1.92],
        "v2": [83.42, 81.07, 77.46, 58.56, 54.46, 36.86, 32.88, 18.15, 16.55, 5.23],
    }
)
EXERCISE_2 = pl.DataFrame(
    {
        "v1": [16.79, 14.66, 13.37, 13.68, 10.67, 11.55, 9.82, 8.24, 7.44, 6.49],
        "v2": [146.61, 126.57, 114.44, 118.22, 88.79, 95.05, 78.29, 61.17, 55.94, 57.07],
    }
)
"""Table 25."""
