"""Partitions of people beside a plain algorithm that keeps lists of records."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microveil.kernels.mondrian.by_people import mondrian_of_people
from microveil.kernels.mondrian.cuts import NCP, WIDEST, CutRule
from tests.kernels.mondrian.test_partition import as_lists, modes
from tests.kernels.plain_mondrian import Column, Record, all_cuts, codes_of, space_of, tables

Tables = tuple[list[Record], list[Column], int]


def naive(
    records: list[Record], columns: list[Column], rule: CutRule, people: list[int]
) -> list[list[int]]:
    """The first cut, best first, that leaves k people on each side, until there is none."""
    waiting, done = [list(range(len(records)))], []
    while waiting:
        part = waiting.pop()
        cuts = [
            halves
            for halves in all_cuts(records, part, columns, rule)
            if all(len({people[record] for record in half}) >= rule.k for half in halves)
        ]
        if cuts:
            waiting += cuts[0]
        else:
            done.append(part)
    return sorted(done)


@given(tables(), modes, st.sampled_from([WIDEST, NCP]), st.data())
@settings(max_examples=150)
def test_the_partitions_of_people_are_those_of_the_plain_algorithm(
    table: Tables, mode: str, split: int, data: st.DataObject
) -> None:
    records, columns, k = table
    drawn = st.lists(st.integers(0, 9), min_size=len(records), max_size=len(records))
    people = data.draw(drawn)
    rule = CutRule(k, mode == "relaxed", split)
    found = mondrian_of_people(
        codes_of(records), space_of(columns), rule, np.array(people), together=False
    )
    if split == WIDEST:
        assert as_lists(found) == naive(records, columns, rule, people)
    for part in as_lists(found):
        enough = len({people[record] for record in part}) >= k
        assert enough or len(part) == len(records)


@given(tables(), st.data())
@settings(max_examples=100)
def test_people_whose_records_are_alike_are_cut_as_if_this_were_not_known(
    table: Tables, data: st.DataObject
) -> None:
    records, columns, k = table
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(records), max_size=len(records)))
    rows = [record for record, n in zip(records, times, strict=True) for _ in range(n)]
    people = np.repeat(np.arange(len(records)), times)
    order = np.array(data.draw(st.permutations(range(len(rows)))))
    shuffled, rule = [rows[i] for i in order], CutRule(k, relaxed=False, split=WIDEST)
    assume(len(rows) >= k)
    found = [
        as_lists(
            mondrian_of_people(
                codes_of(shuffled), space_of(columns), rule, people[order], together=together
            )
        )
        for together in (True, False)
    ]
    assert found[0] == found[1] == naive(shuffled, columns, rule, people[order].tolist())
