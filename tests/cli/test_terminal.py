from __future__ import annotations

from io import StringIO

from rich.table import Table

from microveil.cli.terminal import Terminal


def _printed(what: str | Table, width: int) -> list[str]:
    out = StringIO()
    Terminal(file=out, width=width).print(what, markup=False)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_number_keeps_its_sign() -> None:
    assert _printed("a risk of 15.7 % at most", 15) == ["a risk of", "15.7 % at most"]


def test_a_number_in_a_table_keeps_its_sign() -> None:
    table = Table("share", "what", box=None)
    table.add_row("15.7 % of 20", "something long enough")
    assert any(line.lstrip().startswith("15.7 %") for line in _printed(table, 18))


def test_other_text_breaks_as_before() -> None:
    assert _printed("five % signs", 6) == ["five %", "signs"]
    assert _printed("no % here", 4) == ["no %", "here"]
