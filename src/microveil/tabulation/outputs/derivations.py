"""Cells that follow from several outputs: by subtraction, by differencing, by other classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from microveil.tabulation.outputs.equations import Equation, solve_equations
from microveil.tabulation.outputs.labels import Range, range_of
from microveil.tabulation.outputs.reading import OutputTable
from microveil.tabulation.outputs.sums import Key, Sums, margins_elsewhere

SURELY_NESTED = 3
"""Cells that must all be larger in one of two tables without equal cells: fewer may be chance."""
MOST_GUESSES = 20_000
"""Pairs of a breakdown's cells and of numbers that may be sums of them."""
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
    sure: bool = True
    """Whether the populations surely are as the derivation takes them."""
    total: tuple[str, str, str] | None = None
    """A label that is taken for the sum of the two others."""


def derive_cells(tables: Sequence[OutputTable]) -> list[Derived]:
    """Every cell that follows from the tables together, each once."""
    counts = [table for table in tables if table.counts]
    values = _values(counts)
    found = [*_subtract(counts, values), *_differences(counts, values)]
    for one in found:  # what follows is known as well as what is published
        if one.how != "differencing":
            values.setdefault(one.key, {one.value: one.tables[0]})
    found += [*_complements(values), *_ranges(values), *_possible_sums(counts, values)]
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
    """Suppressed cells that follow from sums of all tables, by subtraction or taken together."""
    known: dict[Key, tuple[float, str]] = {
        key: next(iter(some.items())) for key, some in values.items() if len(some) == 1
    }
    hidden = {key for table in tables for key, value in table.cells.items() if value is None} - set(
        values
    )
    open_sums = [
        (table.name, total, parts)
        for table in tables
        for total, parts in _sums_of(table, tables, values)
    ]
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
            break
    for found in solve_equations(list(_equations(open_sums, known, values))):
        if found.value >= 0 and found.cell not in values:
            how = "linking" if len(found.tables) > 1 else "subtraction"
            yield Derived(name_of(found.cell), found.value, how, found.tables, found.cell)


def _equations(
    sums: Sequence[tuple[str, Key, tuple[Key, ...]]],
    known: dict[Key, tuple[float, str]],
    values: Values,
) -> Iterator[Equation]:
    """What sums say of the cells that are not known; none of cells with several values."""
    for name, total, parts in sums:
        signs = [(total, 1.0), *((part, -1.0) for part in parts)]
        if any(key in values and key not in known for key, _ in signs):
            continue
        terms: dict[Key, float] = defaultdict(float)
        for key, sign in signs:
            if key not in known:
                terms[key] += sign
        constant = -sum(sign * known[key][0] for key, sign in signs if key in known)
        yield Equation(name, dict(terms), constant)


def _sums_of(table: OutputTable, tables: Sequence[OutputTable], values: Values) -> Sums:
    """The sums of a table: its own, of labels in every context, and with margins of others."""
    if table.links:
        return [one for sums in table.sums for one in _spread(*sums, tables)]
    own = {key: value for key, value in table.cells.items() if value is not None}
    others = {
        key: next(iter(some))
        for key, some in values.items()
        if len(some) == 1 and key not in table.cells
    }
    return [*table.sums, *margins_elsewhere(table.places, own, others)]


def _spread(total: Key, parts: tuple[Key, ...], tables: Sequence[OutputTable]) -> Sums:
    """A sum of labels wherever tables show one of them, beside whatever other labels."""
    labels = frozenset().union(total, *parts)
    contexts = {
        key - labels: None for table in tables for key in table.cells if len(key & labels) == 1
    }
    return [(context | total, tuple(context | part for part in parts)) for context in contexts]


def _differences(tables: Sequence[OutputTable], values: Values) -> Iterator[Derived]:
    """Two tables of the same cells with other numbers: of populations one of which is larger."""
    cells = {table.name: table.cells for table in tables}
    pairs: dict[tuple[str, str], list[tuple[Key, float]]] = defaultdict(list)
    for key, some in values.items():
        told = list(some.items())
        for at, (value, name) in enumerate(told):
            for other, other_name in told[at + 1 :]:
                pairs[name, other_name].append((key, other - value))
    for (first, second), gaps in pairs.items():
        signs = {gap > 0 for _, gap in gaps}
        if len(signs) == 1:  # nested: one population is within the other
            equal = any(
                cells[second].get(key, -1.0) == value for key, value in cells[first].items()
            )
            sure = equal or len(gaps) >= SURELY_NESTED
            for key, gap in gaps:
                yield Derived(name_of(key), abs(gap), "differencing", (first, second), sure=sure)


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


def _possible_sums(tables: Sequence[OutputTable], values: Values) -> Iterator[Derived]:
    """What follows if a published number is the sum of two labels that another table breaks down.

    Of a label that only a breakdown shows nobody says what it is part of. Where a number less a
    label of the same breakdown leaves little more than the label itself, a person has to look.
    """
    whole = {
        next(iter(key)): next(iter(some.items()))
        for key, some in values.items()
        if len(key) == 1 and len(some) == 1
    }
    for table in tables:
        cells = [one for one in table.cells.items() if len(one[0]) == 2]  # noqa: PLR2004  a pair
        labels = {label for key in table.cells for label in key}
        totals = [one for one in whole.items() if one[0] not in labels]
        if len(cells) * len(totals) > MOST_GUESSES:
            continue
        for key, value in cells:
            for label in key if value is not None else ():
                if label not in whole:
                    yield from _guesses(table, label, key, totals, whole)


def _guesses(
    table: OutputTable,
    label: str,
    key: Key,
    totals: Sequence[tuple[str, tuple[float, str]]],
    whole: dict[str, tuple[float, str]],
) -> Iterator[Derived]:
    """What is left of each number without one label that is known and one that is not."""
    (context,) = key - {label}
    value = table.cells[key] or 0.0
    beside = [
        other
        for one in table.cells
        if context in one and len(one) == len(key)
        for other in one - key
        if other in whole and whole[other][1] != table.name
    ]
    for other in beside:
        for total, (number, source) in totals:
            rest = number - whole[other][0] - value
            if number > whole[other][0] and rest >= 0 and source != table.name:
                told = name_of(frozenset({label, f"not {context}"}))
                both = (source, table.name)
                taken = (total, other, label)
                yield Derived(told, rest, "linking", both, sure=False, total=taken)
