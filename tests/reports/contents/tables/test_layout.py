from __future__ import annotations

from microveil.reports.contents.tables.layout import SUPPRESSED, layout_of
from tests.reports.contents.tables.made import protected_tables


def test_the_last_variable_stands_across() -> None:
    made = protected_tables()
    ((_, table),) = made.published_tables()
    shown = layout_of(table, made.frames[table.tabulation.title])
    assert shown.across == ("Total", "f", "m")
    lines = {line.codes: line for line in shown.lines}
    assert lines[("Total",)].values == (38, 20, 18)
    assert lines[("<a>",)].values == (6, SUPPRESSED, SUPPRESSED)
    assert lines[("<a>",)].depth == 2
