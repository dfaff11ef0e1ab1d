"""Cells that follow from several outputs: by subtraction, by differencing, by other classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from microveil.tabulation.outputs.labels import Range, range_of
from microveil.tabulation.outputs.reading import Key, OutputTable

Values = dict[Key, dict[float, str]]
"""The values that tables show of each cell, each with the table that shows it first."""


@dataclass(frozen=True)
class Derived:
    """A cell that nobody published, and how it follows."""

    cell: str
    value: float
    how: str
    """``subtraction``, ``differencing``, ``linking`` or ``subpopulation``."""
    tables: tuple[str, ...]
    key: Key = frozenset()


def derive_cells(tables: Sequence[OutputTable]) -> list[Derived]:
    """Every cell that follows from the tables together, each once."""
    counts = [table for table in tables if table.counts]
    values = _values(counts)
    found = [*_subtract(counts, values), *_differences(values)]
    for one in found:  # what follows is known as well as what is published
        if one.how != "differencing":
            values.setdefault(one.key, {one.value: one.tables[0]})
    found += [*_complements(values), *_ranges(values)]
    distinct: dict[tuple[str, float], Derived] = {}
    for one in found:
        distinct.setdefault((one.cell, one.value), one)
    return list(distinct.values())


def name_of(key: Key) -> str:
    """A cell by its labels."""
    return " × ".join(sorted(key)) or "Total"


def _values(tables: Sequence[OutputTable]) -> Values:
    values: Values = defaultdict(dict)
    for table in tables:
        for key, value in table.cells.items():
            if value is not None:
                values[key].setdefault(value, table.name)
    return values


def _subtract(tables: Sequence[OutputTable], values: Values) -> Iterator[Derived]:
    """Suppressed cells that follow from sums of all tables, by subtraction again and again."""
    known: dict[Key, tuple[float, str]] = {
        key: next(iter(some.items())) for key, some in values.items() if len(some) == 1
    }
    hidden = {key for table in tables for key, value in table.cells.items() if value is None} - set(
        values
    )
    open_sums = [(table.name, total, parts) for table in tables for total, parts in table.sums]
    while True:
        left, n_before = [], len(known)
        for name, total, parts in open_sums:
            unknown = [key for key in (total, *parts) if key not in known]
            if len(unknown) > 1 or any(key in values and key not in known for key in unknown):
                left.append((name, total, parts))
            elif unknown:
                (cell,) = unknown
                inner = sum(known[key][0] for key in parts if key != cell)
                value = inner if cell == total else known[total][0] - inner
                sources = {known[key][1] for key in (total, *parts) if key != cell}
                known[cell] = value, name
                if value >= 0 and (cell in hidden or cell not in values):
                    how = "linking" if len(sources) > 1 else "subtraction"
                    told = tuple(sorted({name, *sources}))
                    yield Derived(name_of(cell), value, how, told, cell)
        open_sums = left
        if len(known) == n_before:
            return


def _differences(values: Values) -> Iterator[Derived]:
    """Two tables of the same cells with other numbers: of populations one of which is larger."""
    pairs: dict[tuple[str, str], list[tuple[Key, float]]] = defaultdict(list)
    for key, some in values.items():
        told = list(some.items())
        for at, (value, name) in enumerate(told):
            for other, other_name in told[at + 1 :]:
                pairs[name, other_name].append((key, other - value))
    for tables, gaps in pairs.items():
        signs = {gap > 0 for _, gap in gaps}
        if len(signs) == 1:  # nested: one population is within the other
            for key, gap in gaps:
                yield Derived(name_of(key), abs(gap), "differencing", tables)


def _complements(values: Values) -> Iterator[Derived]:
    """A group without a part of it: a cell less one with a label more, of another table."""
    for key, some in values.items():
        for label in key:
            whole = values.get(key - {label})
            if whole is None or len(some) > 1 or len(whole) > 1:
                continue
            ((value, name),) = some.items()
            ((total, other),) = whole.items()
            rest = total - value
            if rest < 0 or name == other:  # within a table the rest is judged as what it shows
                continue
            told = name_of(frozenset({*(key - {label}), f"not {label}"}))
            yield Derived(told, rest, "linking", (other, name))


def _ranges(values: Values) -> Iterator[Derived]:
    """Other classes of the same number: what one class has more than a class within it."""
    groups: dict[tuple[Key, str, float], list[tuple[Range, float, str]]] = defaultdict(list)
    for key, some in values.items():
        if len(some) > 1:
            continue
        ((value, name),) = some.items()
        for label in key:
            if (found := range_of(label)) is not None:
                groups[key - {label}, "low", found.low].append((found, value, name))
                groups[key - {label}, "high", found.high].append((found, value, name))
    for (context, *_), same in groups.items():
        for outer, inner in permutations(same, 2):
            rest = outer[0].minus(inner[0])
            if rest is not None and outer[1] >= inner[1] and outer[2] != inner[2]:
                told = name_of(frozenset({*context, str(rest)}))
                yield Derived(told, outer[1] - inner[1], "subpopulation", (outer[2], inner[2]))
