"""Attacks carried out again on every person, with every released record looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from tests.verifier.recounts.cases import STAR, Case, Meaning, covered

Said = list[tuple[Any, dict[str, Any]]]
"""Owner and cells of each row; rows that say the same about a person once."""


def people_rows(case: Case, columns: Sequence[str]) -> tuple[Said, Said]:
    """What the original and the release say about people."""
    sides = []
    owners = list(range(len(case.before))) if case.people is None else case.people
    before = list(zip(owners, case.before, strict=True))
    after = [(owners[row], cells) for row, cells in zip(case.origin, case.after, strict=True)]
    for rows in (before, after):
        said: Said = []
        for owner, row in rows:
            one = (owner, {name: row[name] for name in columns})
            if case.people is None or one not in said:
                said.append(one)
        sides.append(said)
    return sides[0], sides[1]


def apart(case: Case, name: str, value: Any, meaning: Meaning) -> float:
    """Gower's distance of an original value and a released cell: the mean over its values."""
    if value is None or meaning is None:
        return 0.0 if value is meaning else 1.0
    values = case.values(name)
    shown = [row[name] for row in case.after if row[name] is not None]
    labelled = any(isinstance(one, frozenset) or one == STAR for one in shown)
    meant = covered(meaning, values)
    if isinstance(value, str):
        return float(sum(value != one for one in meant) / len(meant))
    every = values if labelled else [*values, *shown]
    width = max(every) - min(every)
    return float(sum(abs(value - one) for one in meant) / len(meant) / (width or 1.0))


def nearest(case: Case, person: dict[str, Any], after: Said, names: Sequence[str]) -> list[int]:
    """The released rows that are nearest to a person by some columns."""
    far = [sum(apart(case, name, person[name], row[name]) for name in names) for _, row in after]
    return [place for place, one in enumerate(far) if one <= min(far) + 1e-12]


def by_person(owners: Sequence[Any], found: Sequence[float]) -> list[float]:
    """The highest number of each person."""
    best: dict[Any, float] = {}
    for owner, one in zip(owners, found, strict=True):
        best[owner] = max(best.get(owner, 0.0), one)
    return list(best.values())


def excess(success: float, n: float, reference: float, m: float) -> float:
    """(attack − reference) / (1 − reference), of the centres of Wilson's intervals."""

    def centre(share: float, tries: float) -> float:
        z = 1.959963984540054
        return (share + z**2 / (2 * tries)) / (1 + z**2 / tries)

    one, other = centre(success, n), centre(reference, m)
    return min(max((one - other) / (1 - other), 0.0), 1.0)


def linkability(case: Case, halves: Sequence[Sequence[str]]) -> tuple[float, float]:
    """How often both sources of a person lead to one record, and the risk."""
    before, after = people_rows(case, [name for half in halves for name in half])
    found = []
    for _, person in before:
        one, other = (set(nearest(case, person, after, half)) for half in halves)
        found.append(len(one & other) / len(one) / len(other))
    each = by_person([owner for owner, _ in before], found)
    rate = sum(each) / len(each)
    return rate, excess(rate, len(each), 1 / len(after), len(each))


def inference(
    case: Case, known: Sequence[str], secret: str, every: Sequence[str]
) -> tuple[float, float]:
    """How often the nearest record's secret is right, and the risk over a random record's.

    ``every`` are all columns that may be known: rows that differ in none of them are one.
    """
    before, after = people_rows(case, [secret, *every])
    right, naive = [], []
    for _, person in before:
        near = nearest(case, person, after, known)
        hits = [_right(case, secret, person[secret], row[secret]) for _, row in after]
        right.append(sum(hits[place] for place in near) / len(near))
        naive.append(sum(hits) / len(hits))
    owners = [owner for owner, _ in before]
    each, blind = by_person(owners, right), by_person(owners, naive)
    rate = sum(each) / len(each)
    return rate, excess(rate, len(each), sum(blind) / len(blind), len(each))


def _right(case: Case, name: str, truth: Any, meaning: Meaning) -> float:
    """Chance that a value drawn from a cell is right: equal, or within 5 % of a number."""
    if truth is None or meaning is None:
        return float(truth is meaning)
    meant = covered(meaning, case.values(name))
    if isinstance(truth, str):
        return float(sum(truth == one for one in meant) / len(meant))
    near = [abs(truth - one) <= 0.05 * abs(truth) + 1e-12 for one in meant]
    return float(sum(near) / len(near))


def singled_out(case: Case, columns: Sequence[str], size: int) -> tuple[int, float] | None:
    """All queries about so many columns that match one released person, and how many of them
    match one person of the original; None without any."""
    before, after = people_rows(case, columns)
    middle = {name: _median(case, name, after) for name in columns}
    asked = {
        tuple((name, _condition(row[name], middle[name])) for name in some)
        for _, row in after
        for some in combinations(columns, size)
    }
    hits = []
    for query in asked:
        shown = {who for who, row in after if all(_holds(c, row[n]) for n, c in query)}
        if len(shown) == 1:
            hits.append(
                len(
                    {who for who, row in before if all(_fits(case, n, c, row[n]) for n, c in query)}
                )
                == 1
            )
    return (len(hits), sum(hits) / len(hits)) if hits else None


Condition = tuple[str, Any]


def _is_labelled(case: Case, name: str) -> bool:
    shown = [row[name] for row in case.after]
    return any(isinstance(one, frozenset) or one == STAR for one in shown)


def _median(case: Case, name: str, after: Said) -> Any:
    """Median of the ranks of a column's numbers among all values of both tables."""
    shown = [row[name] for _, row in after if row[name] is not None]
    if not shown or isinstance(shown[0], str) or _is_labelled(case, name):
        return None
    known = [row[name] for row in case.before if row[name] is not None]
    every = sorted({*known, *(row[name] for row in case.after if row[name] is not None)})
    ranks = sorted(every.index(one) for one in shown)
    half = len(ranks) // 2
    rank = ranks[half] if len(ranks) % 2 else (ranks[half - 1] + ranks[half]) / 2
    return lambda value: every.index(value) > rank


def _condition(cell: Meaning, above: Any) -> Condition:
    """A cell's category or label; a number and all beyond it, away from the median."""
    if cell is None or above is None:
        return "is", cell
    return ("at least" if above(cell) else "at most"), cell


def _holds(condition: Condition, cell: Meaning) -> bool:
    """Whether a released cell meets a condition."""
    kind, value = condition
    if kind == "is" or cell is None:
        return bool(cell == value) if kind == "is" else False
    return bool(cell >= value if kind == "at least" else cell <= value)


def _fits(case: Case, name: str, condition: Condition, value: Any) -> bool:
    """Whether an original value meets a condition: a label stands for its values."""
    kind, wanted = condition
    if kind == "is" and wanted is not None and _is_labelled(case, name):
        return value in covered(wanted, case.values(name))
    return _holds(condition, value)


def neighbour_ratio(case: Case, columns: Sequence[str], share: float) -> float:
    """Excess of released records beside which an isolated person is, over people among others."""
    before, after = people_rows(case, columns)
    distinct = [dict(one) for one in {tuple(row.items()) for _, row in before}]
    ratios = [_ratio([_far(case, one, row, columns) for one in distinct]) for _, row in after]
    usual = []
    for owner, person in before:
        others = [one for one in distinct if one != person]
        shared = any(who != owner and row == person for who, row in before)
        alone = [_near(case, person, one, columns) for one in others]
        usual.append(0.0 if shared else _ratio(alone))
    limit = sorted(usual)[math.floor(share * (len(usual) - 1))]
    low, often = (sum(one <= limit for one in some) / len(some) for some in (ratios, usual))
    return excess(low, len(ratios), often, len(usual))


def _far(case: Case, person: dict[str, Any], row: dict[str, Any], names: Sequence[str]) -> float:
    return sum(apart(case, name, person[name], row[name]) for name in names)


def _near(case: Case, one: dict[str, Any], other: dict[str, Any], names: Sequence[str]) -> float:
    """Distance of two people: of a labelled column by the range of the original alone."""
    return sum(apart(case, name, one[name], other[name]) for name in names)


def _ratio(far: Sequence[float]) -> float:
    first, second, *_ = sorted(far)
    return first / second if second > 1e-15 else 1.0


def membership(case: Case, columns: Sequence[str]) -> tuple[float, float]:
    """How often a person is nearer to the release than to anybody else, and the risk."""
    before, after = people_rows(case, columns)
    found = []
    n_people = len({owner for owner, _ in before})
    for owner, person in before:
        shown = sorted(_far(case, person, row, columns) for _, row in after)
        firsts = dict(reversed(before))
        own = sorted(
            _near(case, person, row, columns) for who, row in firsts.items() if who != owner
        )
        ties = [sum(one <= far[0] + 1e-12 for one in far) for far in (shown, own)]
        if abs(shown[0] - own[0]) <= 1e-12:
            found.append(ties[0] / sum(ties))
        else:
            found.append(float(shown[0] < own[0]))
    each = by_person([owner for owner, _ in before], found)
    rate = sum(each) / len(each)
    chance = len(after) / (len(after) + n_people - 1)
    return rate, excess(rate, len(each), chance, len(each))


def candidates(case: Case, person: dict[str, Any]) -> int:
    """Released people whom the cells of a person on a list may be; missing matches anything."""
    owners = list(range(len(case.before))) if case.people is None else case.people
    fitting = set()
    for row, cells in zip(case.origin, case.after, strict=True):
        if all(
            value is None or cells[name] is None or value in covered(cells[name], case.values(name))
            for name, value in person.items()
        ):
            fitting.add(owners[row])
    return len(fitting)


def nearest_distance(
    case: Case, control: Case, person: dict[str, Any], names: Sequence[str]
) -> float:
    """Distance to the nearest released record; numbers by the range of all three tables."""
    widths = {}
    for name in names:
        cells = [row[name] for rows in (case.before, case.after, control.before) for row in rows]
        numbers = [one for one in cells if isinstance(one, float)]
        widths[name] = (max(numbers) - min(numbers)) if numbers else 1.0
    found = []
    for row in case.after:
        far = 0.0
        for name in names:
            x, y = person[name], row[name]
            far += abs(x - y) / widths[name] if isinstance(x, float) else float(x != y)
        found.append(round(far, 12))
    return min(found)
