from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import SpecError
from microveil.privacy.k_map import KMap
from microveil.tables import Classes, Roles, Table

SEX = Roles(quasi_identifiers=["sex"])
TABLE = Classes.of(Table({"sex": ["f", "f", "m"]}, SEX))


@pytest.mark.parametrize(("k", "broken"), [(3, 0), (4, 1), (5, 3)])
def test_people_of_the_population_are_counted_not_records(k: int, broken: int) -> None:
    population = pl.DataFrame({"sex": ["f"] * 4 + ["m"] * 3})
    check = KMap(k=k).against(TABLE, population)
    assert (check.achieved, check.n_broken) == (3, broken)


def test_a_population_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    pl.DataFrame({"sex": ["f", "f", "m"]}).write_csv(path)
    assert KMap(k=2, population=str(path)).verify(TABLE).n_broken == 1


@pytest.mark.parametrize("estimator", ["poisson", "zero_truncated_poisson"])
@pytest.mark.parametrize(("k", "share"), [(5, 0.01), (5, 0.3), (20, 0.1), (20, 0.9)])
def test_the_estimated_k_is_the_quantile_of_its_distribution(
    estimator: str, k: int, share: float
) -> None:
    from scipy.stats import poisson

    n, significance = 1000, 0.05
    model = KMap.parse({"k": k, "population_size": round(n / share), "estimator": estimator})
    mean = k * n / round(n / share)
    nothing = poisson.pmf(0, mean) if estimator == "zero_truncated_poisson" else 0.0
    sizes = range(1 if estimator == "zero_truncated_poisson" else 0, k + 1)
    enough = next(
        (i for i in sizes if (poisson.cdf(i, mean) - nothing) / (1 - nothing) >= 1 - significance),
        k,
    )
    more = 2 if estimator == "poisson" else 1
    assert model.estimated_k(n) == min(enough + more, k)


def test_an_empty_table_asks_for_k_itself() -> None:
    assert KMap(k=7, population_size=100).estimated_k(0) == 7


def test_a_population_is_given_in_one_way() -> None:
    with pytest.raises(SpecError, match="not both"):
        KMap.parse({"k": 2, "population": "people.csv", "population_size": 10})
