"""Reasons are numbers of the search, told in sentences."""

from __future__ import annotations

from microveil.app.advising.families import Plan
from microveil.app.advising.reasons import _word, reasons_for
from microveil.hierarchies import Intervals
from microveil.methods import Generalize
from tests.app.advising.cases import found, judge


def test_a_coarser_column_says_what_a_finer_one_would_leave() -> None:
    one = judge()
    even = (1.0, 1.0)
    plans = [Plan("coarsen_cells", (1, rungs, even)) for rungs in ((0, 1), (0, 2), (0, 3))]
    tried = {plan: one.trial(plan, 0) for plan in plans}
    told = reasons_for(plans[1], tried[plans[1]], tried, one.here)
    assert any("goes to" in text and "'age'" in text for text in told)
    assert any("records would be rare" in text for text in told)
    more = (tried[plans[2]].loss or 0) - (tried[plans[1]].loss or 0)
    assert any(f"would cost {more:.3g} more" in text for text in told) == (more >= 0)


def test_the_best_of_other_kinds_is_named_with_its_loss() -> None:
    advice = found()
    told = " ".join(advice.why["useful"])
    assert "instead of" in told
    others = {one.family for one in advice.candidates if one.counts}
    assert len(others) > 2


def test_intervals_between_cuts_are_told_by_their_number() -> None:
    step = Generalize(column="a", hierarchy=Intervals(cuts=((10.0, 35.0, 65.0),)), level=1)
    assert _word(step) == "4 intervals"
