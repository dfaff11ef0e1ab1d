"""The ledger's refusals and their messages."""

from __future__ import annotations

from fractions import Fraction

from microveil.errors import BudgetError, MicroveilError

SYMBOLS = {"epsilon": "ε", "delta": "δ", "rho": "ρ"}


class OverBudgetError(BudgetError):
    """The price is higher than what an account has left."""

    def __init__(self, account: str, unit: str, price: Fraction, left: Fraction) -> None:
        """Store the numbers; the message rounds the price up and the remainder down."""
        self.account, self.unit, self.price, self.left = account, unit, price, left
        symbol = SYMBOLS.get(unit, unit)
        super().__init__(
            f"The budget of {whose(account)} is insufficient: the price is {symbol} = "
            f"{float(price):.6g}, {symbol} = {float(left):.6g} is left. Ask for less precision, "
            "or ask the owner for a larger budget."
        )


class LedgerUnavailableError(MicroveilError):
    """The ledger's database does not answer; nothing is known to have been written."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "The ledger is unavailable at the moment. Try again: nothing is charged twice."
        )


class SignedLedgerError(MicroveilError):
    """The entries are signed, and the key is missing or another one."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "The entries of this ledger are signed. Give the same key in MICROVEIL_AUDIT_KEY."
        )


def whose(account: str) -> str:
    """An account in words.

    >>> whose("data:survey"), whose("analyst:survey:ann")
    ("data set 'survey'", "analyst 'ann' on data set 'survey'")
    """
    kind, _, rest = account.partition(":")
    if kind == "data":
        return f"data set '{rest}'"
    data, _, analyst = rest.partition(":")
    return f"analyst '{analyst}' on data set '{data}'"
