"""The examples by the name that ``microveil example`` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from microveil.studies.ad_views import ad_views
from microveil.studies.examples import numbers, people
from microveil.studies.examples.base import Example
from microveil.studies.examples.discharge import CSV, discharge
from microveil.studies.examples.labelled_survey import LABELS, labelled_survey
from microveil.studies.examples.numbers import Shape
from microveil.studies.examples.register import register


def _numbers(title: str, shaped: Callable[[Shape], pl.DataFrame]) -> Example:
    """A number set of the thesis."""
    return Example(
        f"{title} (Zaragoza)",
        1_000,
        lambda n, seed: shaped(Shape(rows=n, seed=seed)),
        shaped=shaped,
    )


EXAMPLES: Mapping[str, Example] = {
    "ad_views": Example("views of advertisements, as the program of St Petersburg", 260_000,
                        lambda n, seed: ad_views(n, seed=seed)),
    "patients": Example("a patient file", 1_000, people.patients),
    "households": Example("a household survey with weights", 5_000, people.households),
    "panel": Example("a panel: the same people in five years", 5_000, people.panel),
    "discharge": Example("a hospital's stays, several per patient, as it exports them", 10_000,
                         discharge, csv=CSV),
    "labelled_survey": Example("a household survey of codes with labels, for .sav and .dta", 8_000,
                               labelled_survey, labels=LABELS),
    "register": Example("a population register with families, in the Danish way", 20_000,
                        register),
    "independent": _numbers("every column 1 … n", numbers.independent),
    "squares": _numbers("every column the squares of 1 … n", numbers.squares),
    "dependent": _numbers("all combinations of the values", numbers.dependent),
    "dependent_squares": _numbers("all combinations of squares", numbers.dependent_squares),
    "random": _numbers("numbers drawn evenly from 1 … n", numbers.random_numbers),
}  # fmt: skip
