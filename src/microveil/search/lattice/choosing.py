"""Choosing a node of a lattice: by its rank among the solutions, or by its levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from microveil.errors import InputError, did_you_mean
from microveil.search.lattice.examiner import Examiner, Finding
from microveil.search.lattice.space import Levels

MOST_LOOKED_AT = 20_000
"""Largest number of further nodes examined for ranking."""
MOST_LISTED = 500_000
"""Nodes that are put in order of what they may cost; of larger lattices, the first of them."""


def examine_best(
    examiner: Examiner, findings: dict[Levels, Finding], candidates: Iterable[Levels], n: int
) -> None:
    """Examine nodes until the n best solutions are certain, and record what was found.

    Candidates are examined in order of a lower bound on their cost; the search ends at one that
    must cost more than the n-th best solution known so far.
    """
    scores = sorted(one.score for one in findings.values() if one.solution)[:n]
    waiting = sorted(
        (examiner.costs.bound(levels), sum(levels), levels)
        for levels, _ in zip(candidates, range(MOST_LISTED), strict=False)
    )
    for bound, _, levels in waiting[:MOST_LOOKED_AT]:
        if len(scores) >= n and bound > scores[n - 1]:
            return
        found = findings[levels] = examiner.examine(levels)
        if found.solution:
            scores = sorted([*scores, found.score])[:n]


def parsed_levels(text: str, columns: Sequence[str] = ()) -> dict[str, int | str]:
    """Levels of keys as they are written on a command line; without names, one for each key.

    >>> parsed_levels("age=1, sex=0")
    {'age': 1, 'sex': 0}
    >>> parsed_levels("1,0", ["age", "sex"])
    {'age': 1, 'sex': 0}
    """
    levels: dict[str, int | str] = {}
    parts = text.split(",")
    if len(parts) == len(columns) and all(part.strip().isdecimal() for part in parts):
        return {name: int(part) for name, part in zip(columns, parts, strict=True)}
    for part in parts:
        name, equals, level = part.strip().rpartition("=")
        if not equals or not level:
            raise InputError(
                "A node is its rank (3) or the levels of its keys (age=1,sex=0), not '{text}'.",
                text=text,
            )
        levels[name] = int(level) if level.isdecimal() else level
    return levels


def levels_at(
    columns: Sequence[str],
    titles: Sequence[Sequence[str]],
    lowest: Levels,
    wanted: Mapping[str, int | str],
) -> Levels:
    """A level for each key; keys that are not named stay at their lowest."""
    strangers = [name for name in wanted if name not in columns]
    if strangers:
        raise InputError(
            "{strangers:quoted} is not one of the keys ({columns:quoted}).{hint}",
            strangers=strangers,
            columns=columns,
            hint=did_you_mean(strangers[0], columns),
        )
    named = titles or [() for _ in columns]
    return tuple(
        _level(name, wanted.get(name, low), title)
        for name, low, title in zip(columns, lowest, named, strict=True)
    )


def _level(name: str, level: int | str, titles: Sequence[str]) -> int:
    if isinstance(level, int):
        return level
    if level in titles:
        return list(titles).index(level)
    raise InputError(
        "No level '{level}' of key '{name}'.{hint} Levels: {titles:quoted}.",
        level=level,
        name=name,
        hint=did_you_mean(level, titles),
        titles=titles,
    )
