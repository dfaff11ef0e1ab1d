"""The studies by name."""

from __future__ import annotations

from microveil.errors import InputError, did_you_mean, listing
from microveil.studies.advise import Advise
from microveil.studies.base import Study
from microveil.studies.frontier import Frontier
from microveil.studies.petersburg import Petersburg
from microveil.studies.synthesis import Synthesis
from microveil.studies.tartu import Tartu
from microveil.studies.uab import Uab
from microveil.studies.uoc import Uoc
from microveil.studies.zaragoza import Zaragoza

STUDIES: tuple[type[Study], ...] = (
    Uab,
    Uoc,
    Zaragoza,
    Tartu,
    Petersburg,
    Frontier,
    Synthesis,
    Advise,
)
"""In the order of the documents."""


def find_study(name: str) -> Study:
    """The study of that name."""
    for study in STUDIES:
        if study.name == name:
            return study()
    names = [study.name for study in STUDIES]
    raise InputError(
        f"There is no study '{name}': choose {listing(names)}.{did_you_mean(name, names)}"
    )
