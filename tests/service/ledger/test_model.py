"""The ledger against a model that a reader can check by eye: dictionaries and fractions."""

from __future__ import annotations

import shutil
import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from microveil.service.ledger.audit import audit
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.refusals import OverBudgetError
from microveil.service.ledger.steps import (
    Commit,
    Granted,
    Pending,
    Question,
    Reserve,
    SetCaps,
    Stored,
)

ANALYSTS = {"ann": "health", "bob": "health", "cleo": "finance"}
AMOUNTS = st.sampled_from(["1/10", "1/3", "1/7", "1/1000000000000000000", "0", "2"]).map(Fraction)


_EMPTY = tempfile.TemporaryDirectory(prefix="microveil-ledger-")


@cache
def empty_ledger() -> Path:
    """A file with the tables, made once: examples begin with a copy of it."""
    path = Path(_EMPTY.name) / "empty.db"
    Ledger.open(f"sqlite:///{path}", create=True).close()
    return path


class LedgerMachine(RuleBasedStateMachine):
    """Random steps, on the ledger and on the model; both must say the same."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="microveil-ledger-"))
        self.url = f"sqlite:///{self.folder}/ledger.db"
        shutil.copy(empty_ledger(), self.folder / "ledger.db")
        self.ledgers = [Ledger.open(self.url), Ledger.open(self.url)]
        self.caps: dict[str, Fraction] = {}
        self.spent: dict[str, Fraction] = {}
        self.reserved: dict[str, str] = {}
        """Key to the token of whoever works on it."""
        self.answers: dict[str, str] = {}
        self.tokens: list[tuple[str, str]] = []
        """Every token that was ever granted: outdated ones must be worth nothing."""

    def teardown(self) -> None:
        assert audit(self.ledgers[0]).holds
        for ledger in self.ledgers:
            ledger.close()
        shutil.rmtree(self.folder)

    def _left(self, account: str) -> Fraction:
        """What can be spent; less than nothing without a cap."""
        if account not in self.caps:
            return Fraction(-1)
        return max(self.caps[account] - self.spent.get(account, Fraction(0)), Fraction(0))

    @rule(analyst=st.sampled_from([None, *ANALYSTS]), cap=AMOUNTS, which=st.integers(0, 1))
    def set_cap(self, analyst: str | None, cap: Fraction, which: int) -> None:
        account = f"analyst:s:{analyst}" if analyst else "data:s"
        self.ledgers[which].do(SetCaps(account, {"epsilon": cap}))
        self.caps[account] = cap

    @rule(
        analyst=st.sampled_from([*ANALYSTS]),
        text=st.sampled_from(["count", "sum", "mean"]),
        price=AMOUNTS,
        lease=st.sampled_from([0, 60_000]),
        which=st.integers(0, 1),
    )
    def reserve(self, analyst: str, text: str, price: Fraction, lease: int, which: int) -> None:
        asked = Question("s", "v", analyst, ANALYSTS[analyst], f"{text} {price}")
        accounts = ("data:s", f"analyst:s:{analyst}")
        step = Reserve(asked, {account: {"epsilon": price} for account in accounts}, lease)
        affordable = all(price <= self._left(account) for account in accounts)
        got: Any = None
        try:
            got = self.ledgers[which].do(step)
        except OverBudgetError:
            assert asked.key not in self.reserved
            assert not affordable
            return
        if asked.key in self.answers:
            assert got == Stored(self.answers[asked.key])
        elif isinstance(got, Pending):
            assert asked.key in self.reserved
        else:
            assert isinstance(got, Granted)
            if asked.key not in self.reserved:
                assert affordable
                for account in accounts:
                    self.spent[account] = self.spent.get(account, Fraction(0)) + price
            self.reserved[asked.key] = got.token
            self.tokens.append((asked.key, got.token))

    @precondition(lambda self: self.tokens)
    @rule(data=st.data(), body=st.text(max_size=5), which=st.integers(0, 1))
    def commit(self, data: st.DataObject, body: str, which: int) -> None:
        key, token = data.draw(st.sampled_from(self.tokens))
        got = self.ledgers[which].do(Commit(key, token, body))
        if key not in self.answers and self.reserved[key] == token:
            self.answers[key] = body
        if key in self.answers:
            assert got == Stored(self.answers[key])
        else:
            assert isinstance(got, Pending)

    @rule(which=st.integers(0, 1))
    def restart(self, which: int) -> None:
        self.ledgers[which].close()
        self.ledgers[which] = Ledger.open(self.url)

    @invariant()
    def the_books_agree(self) -> None:
        with self.ledgers[0].view() as view:
            accounts = view.accounts()
            paid = {one.reservation.key: one.answer for one in view.paid_queries()}
        assert {name: one["epsilon"].cap for name, one in accounts.items()} == self.caps
        spent = {name: one["epsilon"].spent for name, one in accounts.items()}
        assert spent == {name: self.spent.get(name, Fraction(0)) for name in self.caps}
        assert paid == {key: self.answers.get(key) for key in self.reserved}


TestLedgerMachine = LedgerMachine.TestCase
TestLedgerMachine.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
