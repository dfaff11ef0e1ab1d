"""Rows that others have published: GaussSuppression's vignettes (T8), the SDC handbook (T9)."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.audit import audit_cells
from microveil.tabulation.rules import PrimaryRule
from microveil.tabulation.system import System
from tests.tabulation.rules.contributions import unsafe

ENTERPRISES = pl.DataFrame(
    {
        "sector": ["Agr"] * 4 + ["Ent"] * 6 + ["Gov"] * 4 + ["Ind"] * 6,
        "geo": [
            *["PT", "PT", "ES", "ES", "IS", "PT", "PT", "ES", "ES", "ES"],
            *["PT", "PT", "ES", "ES", "IS", "IS", "IS", "PT", "PT", "ES"],
        ],
        "value": [
            *(75.9, 24.5, 96.6, 43.2, 16.8, 7.1, 2.3, 77.4, 11.5, 16.4),
            *(21.6, 2.0, 6.5, 2.7, 9.6, 8.8, 1.9, 25.7, 3.4, 8.4),
        ],
        "company": list("ABABBBDABCBDCDBCDBDC"),
    }
)
"""Twenty contributions of four companies (magnitude1)."""


def _names(made: mv.ProtectedTables) -> tuple[list[str], list[str]]:
    """The unsafe cells, and those suppressed with them."""
    family = made.families[0]
    at = [family.judged.unsafe, family.hidden & ~family.judged.unsafe]
    first, second = (
        sorted(family.cells.codes_of(int(cell)) for cell in np.flatnonzero(one)) for one in at
    )
    return first, second


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ([mv.Dominance(n=1, k=70), mv.Dominance(n=2, k=90)], ["one"]),
        ([mv.Dominance(n=2, k=90, weighting="represented")], ["one", "two"]),
    ],
)
def test_sampling_weights_in_both_conventions(rules: list[PrimaryRule], found: list[str]) -> None:
    together = {cell for rule in rules for cell in unsafe(rule)}
    assert sorted(together) == found


def test_a_company_with_all_of_a_cell_and_what_protects_it() -> None:
    table = mv.Tabulation(by=["sector", "geo"], value="value", contributor="company")
    made = mv.tabulate(ENTERPRISES, table, rules=[mv.Threshold(n=2)])
    first, second = _names(made)
    assert first == ["Ent × IS", "Ind × ES"]
    assert second == ["Ent × PT", "Gov × ES", "Gov × PT", "Ind × IS", "Ind × PT"]


def test_dominant_shares_and_the_pattern_with_singletons() -> None:
    table = mv.Tabulation(by=["sector", "geo"], value="value")
    made = mv.tabulate(ENTERPRISES, table, rules=[mv.Dominance(n=1, k=80)])
    cells = made.families[0].cells
    shares = {
        cells.codes_of(at): cells.largest[at, 0] / cells.sizes[at] for at in range(cells.n_cells)
    }
    published = {
        "Agr × PT": 0.7559761,
        "Agr × ES": 0.6909871,
        "Ent × PT": 0.7553191,
        "Ent × ES": 0.7350427,
        "Gov × PT": 0.9152542,
        "Gov × ES": 0.7065217,
        "Ind × PT": 0.8831615,
        "Ind × IS": 0.4729064,
    }
    assert {name: shares[name] for name in published} == pytest.approx(published, abs=1e-7)
    first, second = _names(made)
    assert first == ["Ent × IS", "Gov × PT", "Ind × ES", "Ind × PT"]
    assert second == ["Ent × PT", "Gov × ES", "Gov × Total", "Ind × IS", "Ind × Total"]


def test_the_intervals_of_the_published_pattern() -> None:
    tree = {"private": ["Agr", "Ent", "Ind"], "public": ["Gov"]}
    table = mv.Tabulation(
        by=["sector", "geo"],
        value="value",
        hierarchies={"sector": mv.hierarchies.Tree(tree=tree)},
    )
    made = mv.tabulate(ENTERPRISES, table, rules=[mv.PPercent(p=30)])
    rows = made.audit_frame().select("cell", "lower", "upper").rows()
    spans = {cell: (low, high) for cell, low, high in rows}
    for cell in ("Ent × IS", "Ind × IS", "public × PT"):
        assert spans[cell] == pytest.approx((0, 60.7), abs=1e-6)
    assert spans["Agr × ES"] == pytest.approx((101.3, 240.2), abs=1e-6)


def test_zeros_are_protected_as_in_the_vignette() -> None:
    counts = {("young", "ES"): 5, ("young", "IS"): 2, ("old", "ES"): 6, ("old", "IS"): 3}
    counts[("old", "PT")] = 4
    rows = [codes for codes, n in counts.items() for _ in range(n)]
    frame = pl.DataFrame(rows, schema=["age", "geo"], orient="row")
    table = mv.Tabulation(by=["age", "geo"])
    made = mv.tabulate(frame, table, rules=[mv.Threshold(n=2), mv.Zeros()])
    assert _names(made) == (["young × PT"], ["old × IS", "old × PT", "young × IS"])


def test_the_feasibility_interval_of_the_handbook() -> None:
    # Example 3: X11 X12 7 | X21 X22 3 | 3 3 6 | 9 7 16; X11 lies between 3 and 6.
    values = np.array([4.0, 3.0, 7.0, 2.0, 1.0, 3.0, 3.0, 3.0, 6.0, 9.0, 7.0, 16.0])
    totals, parts = [2, 5, 8, 11], [[0, 1], [3, 4], [6, 7], [9, 10]]
    system = System.of(values, [*totals, 9, 10, 11], [*parts, [0, 3, 6], [1, 4, 7], [2, 5, 8]])
    hidden = np.isin(np.arange(12), [0, 1, 3, 4])
    found = audit_cells(system, hidden, np.array([0]), np.zeros(12))
    assert found.of(0) == pytest.approx((3.0, 6.0))


X1, X2, REST = 300.0, 20.0, 10.0


@pytest.mark.parametrize(
    ("rule", "level"),
    [
        (mv.Dominance(n=1, k=85), 100 / 85 * X1 - 330),
        (mv.Dominance(n=2, k=90), 100 / 90 * (X1 + X2) - 330),
        (mv.PPercent(p=15), 0.15 * X1 - REST),
        (mv.PriorPosterior(p=10, q=40), 10 / 40 * X1 - REST),
    ],
)
def test_protection_levels_are_those_of_the_handbook(rule: PrimaryRule, level: float) -> None:
    """Upper levels of table 4.2 for the contributions 300, 20 and 10."""
    frame = {"cell": ["x"] * 3 + ["y"] * 4, "value": [X1, X2, REST, 400.0, 400.0, 400.0, 400.0]}
    made = mv.tabulate(frame, mv.Tabulation(by=["cell"], value="value"), rules=[rule])
    judged = made.families[0].judged
    assert judged.unsafe.sum() == 1
    assert judged.upper[judged.unsafe].tolist() == pytest.approx([level])
    spans = made.audit_frame()
    assert spans["upper"][0] >= 330 + level - 1e-6
    assert spans["lower"][0] <= 330 - level + 1e-6


@pytest.mark.parametrize("p", [5.0, 10.0, 30.0])
def test_dominance_of_two_is_the_p_rule_at_its_limit(p: float) -> None:
    """(2, k) is stricter than p% with k = 100 · 100 / (100 + p): it finds all that p% finds."""
    rng = np.random.default_rng(3)
    frame = {
        "cell": [f"c{at // 6:02}" for at in range(240)],
        "value": rng.lognormal(2, 2, 240).round(2),
    }
    table = mv.Tabulation(by=["cell"], value="value")
    k = 100 * 100 / (100 + p)
    found = [
        mv.tabulate(frame, table, rules=[rule]).families[0].judged.unsafe
        for rule in (mv.PPercent(p=p), mv.Dominance(n=2, k=k))
    ]
    assert found[0].any()
    assert not (found[0] & ~found[1]).any()


def test_what_one_rule_calls_safe_another_does_not() -> None:
    # Example 1: 50,000 and 49,000 of 100,000 are safe under (1, 90), and the largest is estimated
    # within 2 % by the second.
    values = [50_000.0, 49_000.0, 1_000.0, *[40_000.0] * 5]
    frame = {"cell": ["x"] * 3 + ["y"] * 5, "value": values}
    table = mv.Tabulation(by=["cell"], value="value")
    safe, unsafe_cells = (
        mv.tabulate(frame, table, rules=[rule]).families[0].judged.unsafe.sum()
        for rule in (mv.Dominance(n=1, k=90), mv.PPercent(p=10))
    )
    assert (safe, unsafe_cells) == (0, 1)


def test_weights_in_the_p_rule_in_both_conventions() -> None:
    # The estimated total less the two largest in the sample; stricter where weights are public.
    frame = {
        "cell": ["x"] * 3 + ["y"] * 4,
        "value": [100.0, 50.0, 2.0, *[100.0] * 4],
        "weight": [1.1, 1.1, 1.0, *[1.0] * 4],
    }
    table = mv.Tabulation(by=["cell"], value="value", weight="weight")
    counted = [
        mv.tabulate(frame, table, rules=[mv.PPercent(p=10, weighting=how)])
        .families[0]
        .judged.unsafe.sum()
        for how in ("sample", "represented")
    ]
    assert counted == [0, 1]  # 167 − 150 = 17 ≥ 10; 167 − 110 − 55 = 2 < 10


def test_a_holding_is_one_contributor() -> None:
    frame = {
        "cell": ["x"] * 4 + ["y"] * 4,
        "firm": ["a", "b", "c", "d", "e", "f", "g", "h"],
        "holding": ["H", "H", "H", "K", *"efgh"],
        "value": [30.0, 30.0, 30.0, 10.0, 25.0, 25.0, 25.0, 25.0],
    }
    rules = [mv.Threshold(n=3), mv.Dominance(n=1, k=80)]
    by_firm, by_holding = (
        mv.tabulate(
            frame, mv.Tabulation(by=["cell"], value="value", contributor=name), rules=rules
        ).families[0]
        for name in ("firm", "holding")
    )
    assert not by_firm.judged.unsafe.any()
    assert by_holding.cells.codes_of(int(by_holding.judged.unsafe.argmax())) == "x"


def test_negative_values_are_compared_by_their_size_and_have_no_floor() -> None:
    frame = {
        "cell": ["x"] * 4 + ["y"] * 4,
        "part": ["s", "s", "t", "t"] * 2,
        "value": [-90.0, 5.0, 60.0, 55.0, 40.0, 50.0, 45.0, -55.0],
    }
    table = mv.Tabulation(by=["cell", "part"], value="value")
    made = mv.tabulate(frame, table, rules=[mv.Dominance(n=1, k=80)])
    assert _names(made)[0] == ["x × s"]
    row = made.audit_frame().row(0, named=True)
    assert row["lower"] < -90
    assert made.holds


@pytest.mark.parametrize(("missing", "found"), [("unsafe", ["(missing) × f"]), ("safe", [])])
def test_cells_of_missing_codes_are_safe_where_a_table_says_so(
    missing: str, found: list[str]
) -> None:
    frame = {"town": [None, *["a"] * 6, *["b"] * 6], "sex": list("f" + "fffmmm" * 2)}
    table = mv.Tabulation.parse({"by": ["town", "sex"], "missing": missing})
    made = mv.tabulate(frame, table, rules=[mv.Threshold(n=3)])
    assert [name for name in _names(made)[0] if "Total" not in name] == found
