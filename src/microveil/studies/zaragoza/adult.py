"""Adult: by its numeric keys, as the thesis; by its descriptive ones; and k against l."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from microveil.methods import Datafly, Mondrian
from microveil.privacy import LDiversity
from microveil.progress import Progress
from microveil.studies.cells import Cell, Experiment
from microveil.studies.sources import adult, adult_hierarchies, adult_numbers
from microveil.studies.zaragoza.later import Maker, adult_later
from microveil.studies.zaragoza.runs import DOCUMENT_ALGORITHMS, KS, class_measures
from microveil.tables import Classes, Roles, Table

LS = (2, 4, 8)
"""Distinct occupations that a class must have."""
SENSITIVE = "occupation"


def on_descriptive_keys(progress: Progress, *, quick: bool) -> Experiment:
    """Adult: the algorithms on the same keys, each with ARX's hierarchies where it takes any."""
    frame = adult()
    keys = [name for name in frame.columns if name != "salary-class"]
    hierarchies = {name: each for name, each in adult_hierarchies().items() if name in keys}
    table = Table(frame)
    algorithms: Mapping[str, Maker] = {
        "Datafly": lambda k, keys: Datafly(k=k, columns=keys, hierarchies=hierarchies),
        "Mondrian strict": lambda k, keys: Mondrian(k=k, columns=keys, hierarchies=hierarchies),
        "Mondrian relaxed": lambda k, keys: Mondrian(
            k=k, columns=keys, hierarchies=hierarchies, mode="relaxed"
        ),
        **({} if quick else adult_later(hierarchies)),
    }
    cells = []
    for k in KS:
        for name, make in algorithms.items():
            progress(0.97, 1, f"Adult, {name}, k = {k}")
            released = make(k, keys).apply(table, np.random.default_rng(0)).table.frame
            where = {"k": k, "algorithm": name}
            measures = class_measures(released, keys)
            cells += [Cell(where, measure, value) for measure, value in measures.items()]
    return Experiment.of(
        "Adult, descriptive keys",
        "Figure 14, with descriptive keys",
        cells,
        note="30,162 complete records and their eight descriptive columns, with ARX's hierarchies; "
        "the thesis has no such run.",
    )


def on_numeric_keys(progress: Progress) -> Experiment:
    """Adult's numeric columns, all of them keys, as in the thesis."""
    frame = adult_numbers()
    table = Table(frame)
    cells = []
    for k in KS:
        for name, make in DOCUMENT_ALGORITHMS.items():
            progress(0.98, 1, f"Adult's numbers, {name}, k = {k}")
            released = make(k, frame.columns).apply(table, np.random.default_rng(0)).table.frame
            measures = class_measures(released, frame.columns)
            where = {"k": k, "algorithm": name}
            cells += [Cell(where, measure, value) for measure, value in measures.items()]
    return Experiment.of(
        "Adult, numeric keys",
        "Figure 14, with numeric keys",
        cells,
        note=(
            "The thesis' keys and records. Its figure has no numbers to lay these beside; fnlwgt, "
            "capital gain and loss are at hand as hundredths of their range."
        ),
    )


def against_diversity(progress: Progress) -> Experiment:
    """k-anonymity against l-diversity, which the thesis leaves to future work.

    Strict Mondrian on Adult's descriptive keys without the occupation, which is sensitive: first
    with k alone, then with k = 2 and a number of distinct occupations in every class.
    """
    frame = adult()
    keys = [name for name in frame.columns if name not in (SENSITIVE, "salary-class")]
    hierarchies = {name: each for name, each in adult_hierarchies().items() if name in keys}
    table = Table(frame, Roles(quasi_identifiers=tuple(keys), sensitive=(SENSITIVE,)))
    cells = []
    for name, k, least in [
        *((f"{k}-anonymity", k, 0) for k in KS),
        *((f"{least}-diversity (k = 2)", 2, least) for least in LS),
    ]:
        progress(0.99, 1, f"Adult, {name}")
        models = (LDiversity(l=least, column=SENSITIVE),) if least else ()
        step = Mondrian(k=k, columns=keys, hierarchies=hierarchies, models=models)
        released = step.apply(table, np.random.default_rng(0)).table
        measures = class_measures(released.frame, keys)
        told = LDiversity(l=2, column=SENSITIVE).check(Classes.of(released))
        cells += [
            Cell({"required": name}, "combinations", measures["combinations"]),
            Cell({"required": name}, "k reached", measures["smallest"]),
            Cell({"required": name}, "distinct occupations, least", float(told.achieved)),
        ]
    return Experiment.of(
        "k-anonymity against l-diversity",
        "Section 7, future work",
        cells,
        note="Strict Mondrian on Adult's descriptive columns; occupation is sensitive. A large k "
        "alone does not keep classes from having few occupations, and asking for them costs "
        "classes.",
    )
