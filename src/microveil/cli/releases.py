"""`microveil releases`: what was released before, and what releases tell together."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from microveil.cli import options
from microveil.cli.output import console, print_grid, print_json, show_verdict
from microveil.errors import FileError, InputError

if TYPE_CHECKING:
    from microveil.registry import Registry

releases = typer.Typer(help="What was released before: the registry of releases.")
Place = Annotated[
    str,
    typer.Option(
        "--registry",
        envvar="MICROVEIL_REGISTRY",
        help="A SQLite file, or postgresql://USER@HOST/DATABASE.",
        show_default=False,
    ),
]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A file.", show_default=False)]


def _open(place: str, key_file: Path | None = None) -> Registry:
    from microveil.registry import Registry

    return Registry(place, key_file=key_file)


@releases.command()
def create(registry: Place, registry_key: options.RegistryKey = None) -> None:
    """Make an empty registry, and a key file if there is none.

    Example: [bold]microveil releases create --registry releases.db --registry-key r.key[/bold]
    """
    from microveil.registry import Registry

    if registry_key is not None and not registry_key.exists():
        _write_key(registry_key)
        console().print(f"Key: {registry_key}. Keep it apart from the registry.", markup=False)
    made = Registry(registry, key_file=registry_key, create=True)
    console().print(f"Registry: {made.database.shown}", markup=False)


def _write_key(path: Path) -> None:
    try:
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from None


@releases.command("list")
def list_releases(
    registry: Place,
    source: Annotated[str | None, typer.Option("--source", help="Only of this source.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """List what was released: files, tables, synthetic records, answers to queries.

    Example: [bold]microveil releases list --registry releases.db[/bold]
    """
    found = _open(registry).releases(source)
    if as_json:
        print_json({"releases": [one.to_dict() for one in found]})
        return
    rows = [
        (one.id, one.at[:16], one.kind, one.source, one.title, f"{one.n_records:,}",
         one.audience or "–", one.made_by or "–")
        for one in found
    ]  # fmt: skip
    heads = ("id", "when (UTC)", "kind", "source", "what", "records", "for", "by")
    print_grid(console(), f"{len(rows):,} release{'' if len(rows) == 1 else 's'}", heads, rows)


@releases.command()
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="Its id, the start of it, or last.")],
    registry: Place,
    as_json: options.AsJson = False,
) -> None:
    """Show one release: recipe, requirements, checks, hashes, what it tells with earlier ones.

    Example: [bold]microveil releases show last --registry releases.db[/bold]
    """
    entry = _open(registry).find(name)
    if as_json:
        print_json(entry.to_dict())
        return
    out = console()
    plain = entry.to_dict()
    facts = ("id", "at", "kind", "source", "audience", "made_by", "n_records", "people_by")
    rows = [(one, plain[one] if plain[one] is not None else "–") for one in facts]
    rows += [("input SHA-256", entry.input_sha256 or "–")]
    rows += [(f"{one.name} SHA-256", one.sha256 or "–") for one in entry.outputs]
    print_grid(out, entry.title, ("", ""), rows)
    for check in entry.checks:
        mark = "✔" if check.get("holds") else "✘"
        out.print(f"{mark} {check.get('title', check.get('model'))}", markup=False)
    if entry.composition:
        out.print(entry.composition["sentence"], markup=False)
    out.print(entry.recipe or "", markup=False)


@releases.command()
def verify(file: File, registry: Place, as_json: options.AsJson = False) -> None:
    """Is this file what was released? Exit code 3 if not.

    A copy in another order or format is recognised by its rows.

    Example: [bold]microveil releases verify released.csv --registry releases.db[/bold]
    """
    from microveil.registry.recognising import recognise

    found = recognise(_open(registry), file)
    show_verdict(found, as_json=as_json)


@releases.command()
def audit(
    registry: Place, registry_key: options.RegistryKey = None, as_json: options.AsJson = False
) -> None:
    """Check that every entry is as it was written; exit code 3 if not.

    Example: [bold]microveil releases audit --registry releases.db[/bold]
    """
    found = _open(registry, registry_key).audit()
    show_verdict(found, as_json=as_json)


@releases.command()
def export(file: File, registry: Place) -> None:
    """Write the registry to one JSON file, without its key.

    Example: [bold]microveil releases export releases.json --registry releases.db[/bold]
    """
    n = _open(registry).export(file)
    console().print(f"Written: {file}, {n:,} releases.", markup=False)


@releases.command("import")
def import_releases(file: File, registry: Place, registry_key: options.RegistryKey = None) -> None:
    """Take over the releases of an export that this registry does not have.

    Example: [bold]microveil releases import releases.json --registry new.db[/bold]
    """
    from microveil.registry import Registry

    made = Registry(registry, key_file=registry_key, create=True)
    console().print(f"{made.import_from(file):,} releases were imported.", markup=False)


@releases.command()
def compose(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Releases, oldest first.")],
    person: Annotated[str, typer.Option("--person", help="Column that tells people apart.")],
    quasi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    k: Annotated[int, typer.Option("--k", min=2, help="People who should be alike.")] = 5,
    missing: options.MissingReading = "category",
    as_json: options.AsJson = False,
) -> None:
    """What do several release files tell together? Exit code 3 if fewer than k people are alike.

    Example: [bold]microveil releases compose may.csv june.csv --person id -q age,zip[/bold]
    """
    from microveil.files import read
    from microveil.registry import intersection_attack
    from microveil.tables import Roles

    if missing not in ("category", "wildcard"):
        raise InputError("--missing is category or wildcard.")
    roles = Roles(quasi_identifiers=options.names(quasi), sensitive=options.names(sensitive))
    if not roles.quasi_identifiers:
        raise InputError("Name the quasi-identifiers: -q age,zip.")
    found = intersection_attack(
        [read(one) for one in files], roles, person=person, k=k,
        missing="wildcard" if missing == "wildcard" else "category",
    )  # fmt: skip
    show_verdict(found, as_json=as_json)


@releases.command()
def budgets(
    ledger: Annotated[str, typer.Option("--ledger", help="Ledger of the query service, by URL.")],
    data: Annotated[str, typer.Option("--data", help="Data set of the ledger.")],
    registry: Place,
    registry_key: options.RegistryKey = None,
    source: options.SourceName = None,
) -> None:
    """Note what the query service has spent on a data set, beside the releases of its source.

    Example: [bold]microveil releases budgets --ledger sqlite:///ledger.db --data survey
    --source survey --registry releases.db[/bold]
    """
    from microveil.registry.entries import ReleaseEntry
    from microveil.service.ledger.ledger import Ledger

    with Ledger.open(ledger) as opened:
        balances = opened.balances(f"data:{data}")
    if not balances:
        raise InputError(f"There is no data set '{data}' in the ledger. `microveil serve data`")
    spent = {unit: float(one.spent) for unit, one in balances.items()}
    caps = {f"{unit}_cap": float(one.cap) for unit, one in balances.items()}
    entry = ReleaseEntry("", "", "queries", source or data, privacy_loss=spent | caps)
    noted = _open(registry, registry_key).add(entry)
    console().print(f"Registered as {noted.id}.", markup=False)
