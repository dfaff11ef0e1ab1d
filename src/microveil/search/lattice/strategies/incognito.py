"""Incognito: all generalisations that are solutions, by way of ever larger sets of keys.

LeFevre, DeWitt & Ramakrishnan (2005). What fails for some of the keys fails for more of them, and
what holds still holds when a key is generalised. A node is therefore checked only if all its
projections, with one key left out, are solutions, and no node below it is one already. A set of
keys is judged as the node with all other keys at ``*``.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from microveil.arrays import Flags
from microveil.search.lattice.journal import NO_SOLUTION, SOLUTION, Journal
from microveil.search.lattice.space import Levels

Keys = tuple[int, ...]


def incognito(journal: Journal) -> None:
    """Find every solution of a monotone problem, using nodes with other keys at ``*``."""
    n_keys = len(journal.shape)
    solutions: dict[Keys, Flags] = {(): np.ones((), dtype=np.bool_)}
    for size in range(1, n_keys + 1):
        larger: dict[Keys, Flags] = {}
        for keys in combinations(range(n_keys), size):
            found = _solutions(journal, keys, _candidates(journal, keys, solutions))
            if found is None:
                return
            larger[keys] = found
        solutions = larger
    whole = solutions[tuple(range(n_keys))]
    journal.implied = np.where(whole, SOLUTION, NO_SOLUTION).astype(np.int8)
    journal.proved = True


def _candidates(journal: Journal, keys: Keys, smaller: dict[Keys, Flags]) -> Flags:
    """Nodes of a set of keys whose every projection, with one key left out, is a solution."""
    able = np.ones(tuple(journal.shape[key] for key in keys), dtype=np.bool_)
    for position, key in enumerate(keys):
        part = smaller[tuple(one for one in keys if one != key)]
        able &= np.expand_dims(part, position)
    return able


def _solutions(journal: Journal, keys: Keys, able: Flags) -> Flags | None:
    """The solutions of a set of keys; None if a limit is reached."""
    space = journal.examiner.space
    tops = [stair.height for stair in space.stairs]
    whole = len(keys) == len(tops)
    found = np.zeros_like(able)
    for index in sorted(product(*(range(size) for size in able.shape)), key=sum):
        if found[index] or not able[index]:
            continue
        if journal.is_exhausted():
            return None
        node: Levels = tuple(
            space.lowest[key] + index[keys.index(key)] if key in keys else tops[key]
            for key in range(len(tops))
        )
        finding = journal.look(node) if whole else journal.examiner.examine(node)
        journal.n_aside += not whole
        if finding.solution:
            found[tuple(slice(at, None) for at in index)] = True
    return found & able
