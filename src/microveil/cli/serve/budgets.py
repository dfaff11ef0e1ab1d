"""`microveil serve data`, `budget`, `close`: budgets spent and left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_grid, print_json
from microveil.cli.serve.options import DEFAULT_HOME, DataName, Folder, LedgerUrl, home_of
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.service.ledger.book import Balance

Analyst = Annotated[
    str | None,
    typer.Option("--analyst", help="Whose budget; by default the shared one.", show_default=False),
]
Part = Annotated[
    str | None, typer.Option(show_default=False, help="New cap, for example 2.5 or 1/3.")
]


def data(home: Folder = DEFAULT_HOME, ledger: LedgerUrl = None, as_json: AsJson = False) -> None:
    """List the data sets and what is left of their budgets."""
    place = home_of(home, ledger)
    from microveil.service.keys import now
    from microveil.service.registry import Registry, data_account

    with place.open() as opened:
        known = Registry(opened).data_sets()
        left = {name: _parts(opened.balances(data_account(name)), "left") for name in known}
    plain = [
        {"name": name, "open": one.is_open(now()), "expires": one.expires, "left": left[name]}
        for name, one in known.items()
    ]
    if as_json:
        print_json({"data": plain})
        return
    rows = [[one["name"], one["open"], one["expires"], _text(one["left"])] for one in plain]
    print_grid(console(), "Data sets", ["name", "open", "expires", "left"], rows)


def budget(
    name: DataName,
    analyst: Analyst = None,
    epsilon: Part = None,
    delta: Part = None,
    rho: Part = None,
    home: Folder = DEFAULT_HOME,
    ledger: LedgerUrl = None,
    as_json: AsJson = False,
) -> None:
    """Show the budgets of a data set, or set one; spent budget stays spent.

    Example: microveil serve budget survey --analyst ann --epsilon 2
    """
    place = home_of(home, ledger)
    wanted = {"epsilon": epsilon, "delta": delta, "rho": rho}
    given = {part: value for part, value in wanted.items() if value is not None}
    with place.open() as opened:
        if given:
            _set(opened, name, analyst, given)
        rows = _accounts(opened, name)
    if as_json:
        print_json({"name": name, "accounts": rows})
        return
    table = [[row["who"], *(_text(row[part]) for part in ("cap", "spent", "left"))] for row in rows]
    print_grid(console(), f"Budgets of {name}", ["who", "may spend", "spent", "left"], table)


def close(name: DataName, home: Folder = DEFAULT_HOME, ledger: LedgerUrl = None) -> None:
    """Close a data set to further queries."""
    place = home_of(home, ledger)
    from microveil.service.registry import Registry

    with place.open() as opened:
        Registry(opened).close(name)
    console().print(f"'{name}' is closed to further queries.", markup=False)


def _set(opened: Any, name: str, analyst: str | None, given: Mapping[str, str]) -> None:
    from microveil.dp import Loss
    from microveil.service.registry import Registry, analyst_account, data_account

    registry = Registry(opened)
    known = registry.data_set(name)
    budget = Loss.parse(given)
    if bool(budget.rho) != bool(known.terms.budget.rho):
        raise InputError("Set the budget in the currency of the data set.")
    account = data_account(name) if analyst is None else analyst_account(name, analyst)
    if not opened.balances(account):
        raise InputError(f"No analyst '{analyst}' has a key for '{name}'.")
    registry.set_budget(account, budget)


def _accounts(opened: Any, name: str) -> list[dict[str, Any]]:
    from microveil.service.registry import Registry, analyst_account, data_account

    Registry(opened).data_set(name)
    start = analyst_account(name, "")
    with opened.view() as view:
        every = view.accounts()
    shown = {"all together": every[data_account(name)]}
    shown |= {key.removeprefix(start): one for key, one in every.items() if key.startswith(start)}
    parts = ("cap", "spent", "left")
    return [
        {"who": who, **{part: _parts(balances, part) for part in parts}}
        for who, balances in shown.items()
    ]


def _parts(balances: Mapping[str, Balance], part: str) -> dict[str, str]:
    return {unit: str(getattr(balance, part)) for unit, balance in balances.items()}


def _text(parts: Any) -> str:
    from fractions import Fraction

    from microveil.service.ledger.refusals import SYMBOLS

    shown = [f"{SYMBOLS.get(unit, unit)} {float(Fraction(v)):.6g}" for unit, v in parts.items()]
    return ", ".join(shown)
