"""The privacy models restated on plain rows, from their definitions alone.

A row is a mapping of column to plain value; missing is ``None``. Keys are compared as they stand
in the rows, a missing key being a value of its own. Nothing here is imported from the library.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Rows = Sequence[Row]
SLACK = 1e-9


def key_of(row: Row, keys: Sequence[str]) -> Hashable:
    """The cells an intruder may know."""
    return tuple(row[name] for name in keys)


def classes_of(rows: Rows, keys: Sequence[str]) -> dict[Hashable, list[Row]]:
    """The rows that share their keys."""
    found: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows:
        found[key_of(row, keys)].append(row)
    return found


def smallest_class(rows: Rows, keys: Sequence[str]) -> float:
    """k-anonymity (Samarati & Sweeney 1998): size of the smallest class."""
    return min((len(one) for one in classes_of(rows, keys).values()), default=math.inf)


def smallest_group_of_people(rows: Rows, keys: Sequence[str], entity: str) -> float:
    """k-anonymity of people whose rows are linked: people with the same set of keys."""
    sets: dict[Hashable, set[Hashable]] = defaultdict(set)
    for row in rows:
        sets[row[entity]].add(key_of(row, keys))
    return min(Counter(frozenset(one) for one in sets.values()).values(), default=math.inf)


def known(values: Sequence[Any]) -> list[Any]:
    """Values that say something: not missing, blanks at the end of a text left out."""
    stripped = [one.rstrip() if isinstance(one, str) else one for one in values]
    return [one for one in stripped if one is not None and one != ""]


def distinct_diversity(values: Sequence[Any]) -> float:
    """Distinct l-diversity (Machanavajjhala et al. 2007): different values of a class."""
    return len(set(known(values)))


def entropy_diversity(values: Sequence[Any]) -> float:
    """Entropy l-diversity: e to the entropy of a class."""
    counts = Counter(known(values))
    total = sum(counts.values())
    if not total:
        return 0.0
    return math.exp(-sum(n / total * math.log(n / total) for n in counts.values()))


def is_recursive(values: Sequence[Any], c: float, l: int) -> bool:  # noqa: E741  the model's own letter
    """Recursive (c, l)-diversity: r₁ < c·(r_l + … + r_m)."""
    counts = sorted(Counter(known(values)).values(), reverse=True)
    return bool(counts) and counts[0] < c * sum(counts[l - 1 :]) * (1 - 1e-15)


def variational_distance(values: Sequence[Any], everybody: Sequence[Any]) -> float:
    """t-closeness with equal distances (Li et al. 2007): half the sum of differences of shares."""
    here, there = Counter(values), Counter(everybody)
    return sum(abs(here[v] / len(values) - there[v] / len(everybody)) for v in there) / 2


def ordered_distance(values: Sequence[float], everybody: Sequence[float]) -> float:
    """t-closeness of numbers: earth mover's distance over their ranks, 0 to 1."""
    here, there = Counter(values), Counter(everybody)
    order = sorted(there)
    if len(order) < 2:
        return 0.0
    moved = total = 0.0
    for value in order[:-1]:
        moved += here[value] / len(values) - there[value] / len(everybody)
        total += abs(moved)
    return total / (len(order) - 1)


def largest_share(values: Sequence[Any]) -> float:
    """(α, k)-anonymity (Wong et al. 2006): share of the most frequent value of a class."""
    return max(Counter(values).values()) / len(values)


def relative_gain(values: Sequence[Any], everybody: Sequence[Any]) -> float:
    """β-likeness (Cao & Karras 2012): largest (q − p) / p over the values."""
    here, there = Counter(values), Counter(everybody)
    gains = []
    for value, n in here.items():
        p, q = there[value] / len(everybody), n / len(values)
        gains.append((q - p) / p)
    return max(gains)


def worst(
    rows: Rows,
    keys: Sequence[str],
    column: str,
    judge: Callable[[Sequence[Any]], float],
    *,
    low: bool,
) -> float:
    """The worst that any class reaches in a column."""
    reached = [judge([row[column] for row in one]) for one in classes_of(rows, keys).values()]
    return (min if low else max)(reached, default=math.inf if low else 0.0)
