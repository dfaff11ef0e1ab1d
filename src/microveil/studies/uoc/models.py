"""Disclosure, privacy models and linkage: sections 1.1 and 1.2, and exercise 1."""

from __future__ import annotations

from math import log, log2

import numpy as np
import polars as pl

from microveil.dp import Column, Count, Declaration, Loss, Mean, Sum, answer
from microveil.methods import RandomizedResponse
from microveil.privacy import KAnonymity, LDiversity
from microveil.risk import AttributeDisclosure, ClassSizes, OutsideLinkage, RecordLinkage
from microveil.studies.cells import Cell, Experiment
from microveil.studies.uoc import tables
from microveil.tables import Roles, Table


def disclosure() -> Experiment:
    """How probable the right record is for what an attacker knows (table 3)."""
    known = {
        "zip and sex": ({"zip": "40831", "sex": "F"}, "0.5"),
        "zip": ({"zip": "40831"}, "0.33"),
        "sex": ({"sex": "F"}, "0.2"),
        "occupation": ({"occupation": "Military lt."}, "1"),
    }
    cells = []
    for name, (values, printed) in known.items():
        table = Table(tables.PEOPLE, Roles(quasi_identifiers=tuple(values)))
        risks = ClassSizes().score(None, table).records
        assert risks is not None  # noqa: S101  classes always have sizes
        person = tables.PEOPLE.with_row_index("row").filter(**values)["row"][0]
        cells.append(Cell({"attacker knows": name}, "probability", float(risks[person]), printed))
    return Experiment.of(
        "Re-identification by what is known",
        "Table 3",
        cells,
        why=lambda _: (
            "Four of the nine are women in table 3 (rows 2, 5, 7 and 9), so it is one in four; the "
            "course says one in five."
        ),
    )


def anonymity() -> Experiment:
    """The k of tables 4, 5 and 16."""
    three = ("occupation", "zip", "sex")
    generalized = tuple(tables.GENERALIZED.columns)
    asked = {
        "table 4": (tables.THREE_ANONYMOUS, three),
        "table 5": (tables.HOMOGENEOUS, three),
        "table 6a": (tables.DIVERSE, three),
        "table 16": (tables.GENERALIZED, generalized),
    }
    cells = [
        Cell({"table": name}, "k", _k(frame, keys), "3") for name, (frame, keys) in asked.items()
    ]
    without = _k(tables.GENERALIZED, generalized[:3])
    cells.append(Cell({"table": "table 16 without marital status, not printed"}, "k", without))
    return Experiment.of(
        "k-anonymity",
        "Tables 4, 5, 6a and 16",
        cells,
        why=lambda _: (
            "The course says that table 16 is 3-anonymous; with marital status (its fourth column) "
            "several rows are alone, and it is so for the first three columns only."
        ),
    )


def _k(frame: pl.DataFrame, keys: tuple[str, ...]) -> float:
    return KAnonymity(k=2).check(frame, Roles(quasi_identifiers=keys)).achieved


def intervals() -> Experiment:
    """What table 5 discloses: a value of one class, an interval of the other."""
    roles = Roles(quasi_identifiers=("occupation", "zip", "sex"), sensitive=("income",))
    ends = AttributeDisclosure().measure(tables.HOMOGENEOUS, roles=roles).frames["intervals"]
    found = {(row[0], row[1]) for row in ends.select("low", "high").rows()}
    low, high = max(found)
    return Experiment.of(
        "What a class gives away",
        "Table 5",
        [
            Cell({"class": "80100"}, "least income", min(found)[0], "10000"),
            Cell({"class": "80100"}, "largest income", min(found)[1], "10000"),
            Cell({"class": "97222"}, "least income", low, "23000"),
            Cell({"class": "97222"}, "largest income", high, "28000"),
        ],
    )


def diversity() -> Experiment:
    """l-diversity of table 6, by three definitions, and of the homogeneous table 5."""
    roles = Roles(quasi_identifiers=("occupation", "zip", "sex"), sensitive=("income",))

    def diversity_of(model: LDiversity, frame: pl.DataFrame = tables.DIVERSE) -> float:
        return float(model.check(frame, roles).achieved)

    entropy = LDiversity(l=1.8, kind="entropy")
    second = tables.DIVERSE.filter(pl.col("occupation") == "Writer")
    ours: dict[str, tuple[float, str | None]] = {
        "distinct": (diversity_of(LDiversity(l=2)), "2"),
        "entropy of class 1, bits": (log2(diversity_of(entropy)), "0.9183"),
        "entropy of class 2, bits": (log2(diversity_of(entropy, second)), "1.585"),
        "entropy": (diversity_of(entropy), "1.88988"),
        "recursive, c = 3": (diversity_of(LDiversity(l=2, kind="recursive", c=3)), "2"),
        "distinct, table 5, not printed": (diversity_of(LDiversity(l=2), tables.HOMOGENEOUS), None),
    }
    return Experiment.of(
        "l-diversity",
        "Tables 5 and 6",
        [Cell({"reading": name}, "l", value, text) for name, (value, text) in ours.items()],
        note="The course's formula of recursive diversity sums from r₁ (a misprint); its example, "
        "like ours, from r_l.",
    )


EXACT = Loss(epsilon=10**9)
"""So large a loss that the noise lies below the printed digits: the query's answer without it."""


def neighbouring_tables() -> Experiment:
    """Means of three tables that differ in one record (table 7)."""
    known = Declaration(columns={"age": Column(type="integer", bounds=(0, 120))})
    printed = {"D1": (None, "41.7"), "D2": (42, "41.67"), "D3": (12, "45.0")}
    cells = []
    for name, (gone, mean) in printed.items():
        ages = pl.DataFrame({"age": [age for age in tables.AGES if age != gone]})
        found = answer(Mean(column="age"), ages, known, EXACT).value
        cells.append(Cell({"table": name}, "mean", round(found, 4), mean))
    noise = answer(Sum(column="age"), ages, known, Loss(epsilon=1)).scale
    cells.append(Cell({"table": "noise of a private sum, ε = 1"}, "scale", noise))
    return Experiment.of(
        "What a mean tells about one record",
        "Table 7",
        cells,
        note="The means of `mv.dp.Mean` at an ε so large that no digit changes; at ε = 1 the noise "
        "of the sum beneath is as large as the largest age, and hides whoever is left out.",
    )


def randomized_response() -> Experiment:
    """Honest with one half, else a coin: ln 3 of privacy loss (table 8)."""
    epsilon = log(3)
    step = RandomizedResponse(columns=["read"], epsilon=epsilon, categories=["no", "yes"])
    n = 200_000
    truth = pl.DataFrame({"read": ["yes"] * n})
    said = step.apply(Table(truth), np.random.default_rng(8)).table.frame["read"]
    honest = int((said == "yes").sum()) / n
    error = float(np.sqrt(0.75 * 0.25 / n))
    return Experiment.of(
        "Randomised response",
        "Table 8",
        [
            Cell({"quantity": "P[yes | yes]"}, "value", honest, "0.75", error),
            Cell({"quantity": "P[no | yes]"}, "value", 1 - honest, "0.25", error),
            Cell({"quantity": "ratio"}, "value", honest / (1 - honest), "3", 16 * error),
            Cell({"quantity": "ε"}, "value", epsilon, "1.1"),
        ],
        note=f"Our step with ε = ln 3, drawn {n:,} times.",
    )


def sensitivity() -> Experiment:
    """A count and its global sensitivity (table 20)."""
    known = Declaration(columns={"ill": Column(type="boolean")})
    asked = Count(where="ill = true")
    printed = {"D1": "2", "D2": "3", "D3": "1", "D4": "2"}
    people = {
        name: pl.DataFrame({"ill": [one == 1 for one in who.values()]})
        for name, who in tables.SCHIZOPHRENIA.items()
    }
    cells = [
        Cell({"table": name}, "count", answer(asked, people[name], known, EXACT).value, count)
        for name, count in printed.items()
    ]
    # Laplace noise has the scale GS/ε.
    scale = answer(asked, people["D1"], known, Loss(epsilon=1)).scale
    cells.append(Cell({"table": "all that differ in one"}, "sensitivity", scale, "1"))
    return Experiment.of(
        "Sensitivity of a count",
        "Table 20",
        cells,
        note="The counts of `mv.dp.Count` at an ε so large that no digit changes; the sensitivity "
        "is the scale of its noise at ε = 1.",
    )


def linkage() -> Experiment:
    """Distance-based record linkage (tables 9 and 10)."""
    measure = RecordLinkage(standardize="none", worst_columns=False)
    cells = [
        Cell(
            {"released": name},
            "correct links, per cent",
            100 * measure.measure(tables.LINKED, released).value,
            printed,
        )
        for name, released, printed in (
            ("X'", tables.LINKED_1, "60"),
            ("X''", tables.LINKED_2, "40"),
        )
    ]
    for name, released, printed in (
        ("X'", tables.LINKED_1, "21345"),
        ("X''", tables.LINKED_2, "11144"),
    ):
        measure = RecordLinkage(standardize="none", links=True, worst_columns=False)
        links = measure.measure(tables.LINKED, released)
        told = links.frames["links"]["released"].to_list()
        cells += [
            Cell({"released": name}, f"record {i + 1} is linked to", row + 1, printed[i])
            for i, row in enumerate(told)
        ]
    first = tables.LINKED.to_numpy()[0] - tables.LINKED_1.to_numpy()[0]
    cells.append(Cell({"released": "X'"}, "d(X1, X'1)", float(np.linalg.norm(first)), "10.5"))
    return Experiment.of(
        "Record linkage by distance",
        "Tables 9 and 10",
        cells,
        note="Ties count 1/t: three records tie for one, two for another, which makes 2 of 5.",
    )


def exercise_1() -> Experiment:
    """A generalised table, and a list of awarded teachers found elsewhere (tables 23 and 24)."""
    keys = ("occupation", "zip", "age", "status")
    roles = Roles(quasi_identifiers=keys, sensitive=("income",))
    score = OutsideLinkage(known=["occupation", "zip"]).measure(
        tables.RELEASED, roles=roles, auxiliary=tables.AWARDED
    )
    matches = score.frames["people"]["n_candidates"].to_list()
    return Experiment.of(
        "Exercise 1: linkage with an outside list",
        "Tables 23 and 24",
        [
            Cell({"asked": "a) k of table 23"}, "answer", _k(tables.RELEASED, keys), "1"),
            Cell({"asked": "b) records that may be John Keating's"}, "answer", matches[0], "1"),
            Cell({"asked": "c) records that may be Mark Thackeray's"}, "answer", matches[1], "2"),
            Cell({"asked": "identities disclosed"}, "answer",
                 float(score.parts["n_identity"]), "1"),
            *(
                Cell({"asked": f"records that may be {name}'s, not asked"}, "answer", float(n))
                for name, n in zip(tables.AWARDED["name"][2:], matches[2:], strict=True)
            ),
        ],
    )  # fmt: skip
