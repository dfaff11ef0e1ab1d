from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.search.lattice.choosing import examine_best, levels_at, parsed_levels
from tests.search.hill import journal

COLUMNS, TITLES = ("age", "sex"), (("as it is", "decades"), ("as it is", "*"))


def test_levels_are_written_as_numbers_or_by_name() -> None:
    assert parsed_levels("age=1, a=b=2") == {"age": 1, "a=b": 2}
    assert levels_at(COLUMNS, TITLES, (0, 1), {"age": "decades"}) == (1, 1)


@pytest.mark.parametrize("text", ["", "age", "age=", "1,2"])
def test_what_names_no_level_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="A node is its rank"):
        parsed_levels(text)


def test_unknown_keys_and_levels_come_with_a_hint() -> None:
    with pytest.raises(InputError, match="Did you mean 'age'"):
        levels_at(COLUMNS, TITLES, (0, 0), {"agee": 1})
    with pytest.raises(InputError, match="No level 'decade' of key 'age'"):
        levels_at(COLUMNS, TITLES, (0, 0), {"age": "decade"})


def test_the_n_best_solutions_are_sure_and_no_more_are_looked_at() -> None:
    found = journal(lambda levels: levels[0] >= 1)
    examiner = found.examiner
    examine_best(examiner, found.findings, found.all_nodes(), 3)
    best = sorted(one.score for one in found.findings.values() if one.solution)[:3]
    truth = sorted(
        examiner.costs.bound(node) for node in found.all_nodes() if examiner.examine(node).solution
    )[:3]
    assert best == truth
    assert len(found.findings) < 12
