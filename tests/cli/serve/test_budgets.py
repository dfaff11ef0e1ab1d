"""The owner's commands, as they are typed."""

from __future__ import annotations

from tests.cli.serve.cases import ADD
from tests.cli.serve.conftest import Shell


def test_a_budget_needs_an_analyst_and_the_currency_of_its_data(shell: Shell) -> None:
    shell(ADD)
    assert "No analyst 'eve'" in shell("budget survey --analyst eve --epsilon 1", code=2)
    assert "currency" in shell("budget survey --rho 1", code=2)


def test_a_budget_that_is_set_is_told(shell: Shell) -> None:
    shell(ADD)
    shell("key ann --data survey")
    shell("budget survey --analyst ann --epsilon 5/2")
    caps = [one["cap"] for one in shell.json("budget survey")["accounts"]]
    assert caps == [{"epsilon": "10"}, {"epsilon": "5/2"}]
