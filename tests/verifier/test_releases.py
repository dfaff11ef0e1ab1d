"""What a release says and hands out is true by other code, in memory and in every file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import microveil as mv
from tests.verifier import restated
from tests.verifier.checking import check_case

N_RUNS, N_LONG = 300, 20_000
PARTS, LONG_PARTS = 6, 40
QUICK = 3
"""Parts of the first runs that are not slow."""


def test_every_model_is_restated() -> None:
    assert set(restated.MODELS) == {model.kind() for model in mv.MODELS}


def _checked(seed: int, folder: Path) -> str:
    """One case in a folder of its own, so that a long run does not fill the disk."""
    with TemporaryDirectory(dir=folder) as own:
        return check_case(seed, Path(own))


@pytest.mark.parametrize(
    "part", [pytest.param(i, marks=[] if i < QUICK else [pytest.mark.slow]) for i in range(PARTS)]
)
def test_what_is_released_keeps_its_promises_by_other_code(part: int, tmp_path: Path) -> None:
    size = N_RUNS // PARTS
    found = Counter(_checked(seed, tmp_path) for seed in range(part * size, (part + 1) * size))
    assert found["holds"] > size // 10
    assert found["broken"] > size // 10


@pytest.mark.parametrize("seed", [4_010_593], ids=["a label of a number with an exponent"])
def test_cases_that_once_disagreed_agree(seed: int, tmp_path: Path) -> None:
    assert check_case(seed, tmp_path) in ("holds", "broken")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(LONG_PARTS))
def test_many_releases_keep_their_promises_by_other_code(part: int, tmp_path: Path) -> None:
    size = N_LONG // LONG_PARTS
    first = 1_000_000 + part * size
    found = Counter(_checked(seed, tmp_path) for seed in range(first, first + size))
    assert found["holds"] > size // 10
