from __future__ import annotations

import pytest

from microveil.errors import InputError, SpecError
from microveil.populations.sampling import Sampled


def test_the_population_follows_from_its_size_or_from_the_share() -> None:
    assert Sampled(population_size=1000).population_of(10) == 1000
    assert Sampled(sampling_share=0.25).population_of(10) == 40
    assert Sampled(sampling_share=1.0).population_of(7) == 7
    assert not Sampled().sampled


def test_a_population_is_not_smaller_than_its_sample() -> None:
    with pytest.raises(InputError, match="10 records, more than a population of 9"):
        Sampled(population_size=9).population_of(10)


@pytest.mark.parametrize(
    "wrong",
    [
        {"population_size": 10, "sampling_share": 0.5},
        {"population_size": 0},
        {"sampling_share": 0},
        {"sampling_share": 1.01},
    ],
)
def test_it_is_said_once_and_sensibly(wrong: dict[str, float]) -> None:
    with pytest.raises(SpecError):
        Sampled.parse(wrong)
