"""`microveil serve key`, `keys`, `revoke`: access for analysts and owners."""

from __future__ import annotations

from typing import Annotated

import typer

from microveil.cli.options import AsJson, names
from microveil.cli.output import console, print_grid, print_json
from microveil.cli.serve.options import DEFAULT_HOME, Folder, LedgerUrl, home_of, moment

Holder = Annotated[str, typer.Argument(metavar="WHO", help="Name of the analyst (or the owner).")]
Data = Annotated[
    list[str],
    typer.Option("--data", help="Data sets it is for, comma-separated or repeated."),
]
Group = Annotated[
    str | None,
    typer.Option("--group", help="Analysts of one group share paid answers.", show_default=False),
]
Expires = Annotated[
    str | None, typer.Option("--expires", help="Last day: 2027-01-31.", show_default=False)
]
ForOwner = Annotated[
    bool, typer.Option("--owner", help="A key for the owner's endpoints, not for queries.")
]


def key(
    who: Holder,
    data: Data,
    group: Group = None,
    expires: Expires = None,
    owner: ForOwner = False,
    home: Folder = DEFAULT_HOME,
    ledger: LedgerUrl = None,
    as_json: AsJson = False,
) -> None:
    """Create a key. It is shown only once: only a hash of it is stored.

    Example: microveil serve key ann --data survey --group health --expires 2027-01-31
    """
    place = home_of(home, ledger)
    from microveil.service.registry import Registry

    with place.open() as opened:
        given, kept = Registry(opened).create_key(
            place.secret(),
            who,
            "owner" if owner else "analyst",
            names(data),
            group=group,
            expires=moment(expires),
        )
    if as_json:
        print_json({"key": given, "id": kept.id, "scope": list(kept.scope)})
        return
    out = console(error=True)
    out.print(f"Key {kept.id} for {who}, shown only once:", markup=False)
    typer.echo(given)


def keys(home: Folder = DEFAULT_HOME, ledger: LedgerUrl = None, as_json: AsJson = False) -> None:
    """List the keys: their holders and data sets, never the keys themselves."""
    place = home_of(home, ledger)
    from microveil.service.registry import Registry

    with place.open() as opened:
        known = list(Registry(opened).keys().values())
    columns = ["id", "holder", "role", "scope", "created", "expires", "revoked"]
    plain = [{name: getattr(one, name) for name in columns} for one in known]
    if as_json:
        print_json({"keys": plain})
        return
    rows = [[", ".join(v) if isinstance(v, tuple) else v for v in one.values()] for one in plain]
    print_grid(console(), "Keys", columns, rows)


def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="The key's id.")],
    home: Folder = DEFAULT_HOME,
    ledger: LedgerUrl = None,
) -> None:
    """Revoke a key; running services follow within a second."""
    place = home_of(home, ledger)
    from microveil.service.registry import Registry

    with place.open() as opened:
        Registry(opened).revoke(key_id)
    console().print(f"Key {key_id} is revoked.", markup=False)
