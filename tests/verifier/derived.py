"""What an intruder works out about changed keys, in plain rows, without the library.

A column tells a key if two records that share its value nearly always share the key, beyond chance.
What a code means is learnt from people: all equal rows of one person are one.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import polars as pl

from tests.verifier.seen import plain

ALL_OPEN = math.inf


def completed(
    before: pl.DataFrame,
    after: pl.DataFrame,
    keys: Collection[str],
    shown: Sequence[str],
    ids: Collection[str],
    perturbed: Collection[str],
    people: Sequence[Any] | None = None,
) -> list[dict[str, Any]]:
    """The released rows with every key filled in that the shown columns give back."""
    rows = [{name: plain(cell) for name, cell in row.items()} for row in after.to_dicts()]
    found = [dict(row) for row in rows]
    for key in keys:
        old, new = _spelled_alike(before[key], after[key])
        changed = [b is not None and a != b for b, a in zip(old, new, strict=True)]
        if not any(changed) or len({one for one in old if one is not None}) < 2:
            continue
        others = {name: [row[name] for row in rows] for name in shown if name != key}
        fills = key not in perturbed
        least, exact = _told(_Cells(old, new, changed), others, ids, people, fills=fills)
        if least or exact:
            for row, cell in zip(found, new, strict=True):
                row[key] = cell
        for place, cell in (least | exact).items():
            found[place][key] = cell
    return found


class _Cells(NamedTuple):
    """A key as it was and as it is, and where it was changed."""

    old: list[Any]
    new: list[Any]
    changed: list[bool]


def _told(
    key: _Cells,
    others: Mapping[str, list[Any]],
    ids: Collection[str],
    people: Sequence[Any] | None,
    *,
    fills: bool,
) -> tuple[dict[int, Any], dict[int, Any]]:
    """Cells that other rows show more exactly, and cells that come back as they were."""
    of_ids: dict[int, Any] = {}
    of_columns: dict[int, Any] = {}
    exact: dict[int, Any] = {}
    for name, cells in others.items():
        exact |= _where(key, _counted(cells, key.old))
        if name not in ids:
            if again := _repeated(cells, key):
                exact |= again
                continue
            learnt = _once_each(cells, key.old, people)
            _, beyond, mean_size = _agreement(cells, learnt, key.old)
            if beyond >= 0.5 and (mean_size >= 5 or _in_order(cells, key.old)):
                exact |= _where(key, _sure(cells, learnt, key.old)) if beyond >= 0.8 else {}
                continue
        share, beyond, _ = _agreement(cells, key.old, key.old)
        if fills and beyond >= 0.8 and (name not in ids or share >= 0.95):
            (of_ids if name in ids else of_columns).update(_seen_elsewhere(cells, key))
    return of_ids | of_columns, exact


def _repeated(cells: list[Any], key: _Cells) -> dict[int, Any]:
    """Hidden cells whose value stands in a column that nearly always repeats the key."""
    if not _one_kind(cells, key.old):
        return {}
    pairs = [(c, b) for c, b in zip(cells, key.old, strict=True) if c is not None and b is not None]
    n_equal = sum(c == b for c, b in pairs)
    if not pairs or n_equal / len(pairs) < 0.95:
        return {}
    of_key = Counter(b for b in key.old if b is not None)
    of_column = Counter(c for c, _ in pairs)
    equal = sum(n * of_column[value] for value, n in of_key.items())
    chance = equal / (of_key.total() * of_column.total())
    if chance >= 1 or chance**n_equal > 0.01 or n_equal / len(pairs) - chance < 0.8 * (1 - chance):
        return {}
    return _where(key, [i for i, c in enumerate(cells) if c is not None and c == key.old[i]])


def _one_kind(cells: list[Any], old: list[Any]) -> bool:
    kinds = {_kind_of(one) for one in (*cells, *old) if one is not None}
    return len(kinds) == 1


def _kind_of(cell: Any) -> Any:
    number = isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)
    return float if number else type(cell)


def _where(key: _Cells, places: Iterable[int]) -> dict[int, Any]:
    return {place: key.old[place] for place in places if key.changed[place]}


def _once_each(cells: list[Any], old: list[Any], people: Sequence[Any] | None) -> list[Any]:
    """The key where a person's rows say it for the first time beside a value of the column."""
    if people is None:
        return old
    told: set[tuple[Any, Any, Any]] = set()
    found = []
    for c, b, person in zip(cells, old, people, strict=True):
        again = person is not None and (c, b, person) in told
        told.add((c, b, person))
        found.append(None if again else b)
    return found


def _agreement(cells: list[Any], learnt: list[Any], old: list[Any]) -> tuple[float, float, float]:
    pairs = [(c, b) for c, b in zip(cells, learnt, strict=True) if c is not None and b is not None]
    total = len(pairs)
    values = Counter(b for _, b in pairs)
    everywhere = Counter(b for b in old if b is not None)
    n_old = sum(everywhere.values())
    chance = sum((n / n_old) ** 2 for n in everywhere.values())
    groups: dict[Any, Counter[Any]] = defaultdict(Counter)
    for c, b in pairs:
        groups[c][b] += 1
    several = [group for group in groups.values() if group.total() > 1]
    if not several or chance >= 1 or not values:
        return 0, 0, 0
    agreeing = [group for group in several if len(group) == 1]
    if chance ** sum(group.total() - 1 for group in agreeing) > 0.01:
        return 0, 0, 0
    partners = sum(
        n * (n - 1) / (group.total() - 1) for group in several for n in group.values()
    ) / sum(group.total() for group in several)
    beyond = (partners - chance) / (1 - chance)
    return len(agreeing) / len(several), beyond, total / len(groups)


def _sure(cells: list[Any], learnt: list[Any], old: list[Any]) -> Iterator[int]:
    groups: dict[Any, Counter[Any]] = defaultdict(Counter)
    for c, b in zip(cells, learnt, strict=True):
        if b is not None:
            groups[c][b] += 1
    for place, (c, b) in enumerate(zip(cells, old, strict=True)):
        if c is None or b is None or groups[c].total() < 2:
            continue
        if groups[c][b] / groups[c].total() >= 0.95:
            yield place


def _in_order(cells: list[Any], old: list[Any]) -> bool:
    """Whether the key rises or falls with the column; text has no order."""
    pairs = [(c, b) for c, b in zip(cells, old, strict=True) if c is not None and b is not None]
    if any(isinstance(one, str) for pair in pairs for one in pair):
        return False
    pairs.sort(key=lambda pair: pair[0])
    keys = [b for _, b in pairs]
    n_runs = 1 + sum(one != other for one, other in itertools.pairwise(keys))
    return bool(n_runs <= 2 * len(set(keys)))


def _seen_elsewhere(cells: list[Any], key: _Cells) -> dict[int, Any]:
    old, new, changed = key
    open_to = _open_to(key)
    groups: dict[Any, list[int]] = defaultdict(list)
    for place, c in enumerate(cells):
        if c is not None and new[place] is not None:
            groups[c].append(place)
    found = {}
    for place, c in enumerate(cells):
        if not changed[place] or c is None or not groups[c]:
            continue
        least = min(open_to[other] for other in groups[c])
        donors = [other for other in groups[c] if open_to[other] == least]
        label, n = Counter(new[other] for other in donors).most_common(1)[0]
        truths = {old[other] for other in donors if new[other] == label}
        if n / len(donors) >= 0.95 and open_to[place] > least and old[place] in truths:
            found[place] = label
    return found


def _open_to(key: _Cells) -> list[float]:
    """How many values each released cell leaves open."""
    labels: dict[Any, set[Any]] = defaultdict(set)
    for b, a in zip(key.old, key.new, strict=True):
        labels[a].add(b)
    return [ALL_OPEN if a is None else len(labels[a]) for a in key.new]


def _counted(cells: list[Any], old: list[Any]) -> list[int]:
    """Places whose key is the number of rows that share their id, if that is so nearly always."""
    there = [b for b in old if b is not None]
    numbers = [isinstance(b, int | float | Decimal) and not isinstance(b, bool) for b in there]
    if not there or not all(numbers) or min(there) < 1:
        return []
    expected = sum(1 / float(b) for b in there)
    if not 0.9 * expected <= len(set(cells)) <= 1.1 * expected + 1:
        return []
    n = Counter(cells)
    right = [
        place
        for place, (c, b) in enumerate(zip(cells, old, strict=True))
        if c is not None and b is not None and n[c] == b
    ]
    return right if len(right) / len(old) >= 0.95 else []


def _spelled_alike(before: pl.Series, after: pl.Series) -> tuple[list[Any], list[Any]]:
    old, new = ([plain(cell) for cell in one.to_list()] for one in (before, after))
    if _kind(before.dtype) == _kind(after.dtype):
        return old, new
    if before.dtype.is_numeric() and after.dtype.is_numeric():
        both = ([None if one is None else float(one) for one in some] for some in (old, new))
        return next(both), next(both)
    return [_spelled(one) for one in old], [_spelled(one) for one in new]


def _kind(dtype: pl.DataType) -> Any:
    return pl.String if isinstance(dtype, pl.Enum | pl.Categorical) else dtype


def _spelled(cell: Any) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, dt.datetime):
        midnight = cell.time() == dt.time(0)
        return cell.date().isoformat() if midnight else cell.isoformat(sep=" ")
    if isinstance(cell, dt.date):
        return cell.isoformat()
    number = float(cell)
    return str(int(number)) if number.is_integer() else repr(number)
