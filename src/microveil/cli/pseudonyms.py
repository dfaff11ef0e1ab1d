"""`microveil pseudonyms`: fingerprints of keys, and a change of key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json
from microveil.errors import FileError, InputError

if TYPE_CHECKING:
    from microveil.methods import Pseudonymize

pseudonyms = typer.Typer(help="Keys of pseudonyms: fingerprints, and a change of key.")

KeyEnv = Annotated[str, typer.Option("--key-env", help="Variable that holds the key.")]
KeyFile = Annotated[Path | None, typer.Option("--key-file", help="File that holds the key.")]


@pseudonyms.command()
def fingerprint(
    key_env: KeyEnv = "MICROVEIL_KEY",
    key_file: KeyFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Show a key's fingerprint: the same as in the record of each run that used it.

    Example: [bold]microveil pseudonyms fingerprint --key-file study.key[/bold]
    """
    from microveil.methods.parts.secret_keys import key_fingerprint, read_key

    found = key_fingerprint(read_key(key_env, key_file))
    if as_json:
        print_json({"fingerprint": found})
    else:
        console().print(found)


Columns = Annotated[
    list[str],
    typer.Option("--columns", "-c", help="Columns that were pseudonymised, comma-separated."),
]
OldEnv = Annotated[str, typer.Option("--old-key-env", help="Variable with the old key.")]
OldFile = Annotated[Path | None, typer.Option("--old-key-file", help="File with the old key.")]
NewEnv = Annotated[str, typer.Option("--new-key-env", help="Variable with the new key.")]
NewFile = Annotated[Path | None, typer.Option("--new-key-file", help="File with the new key.")]
OldDomain = Annotated[str | None, typer.Option("--old-domain", help="Domain of the old ones.")]
NewDomain = Annotated[str | None, typer.Option("--new-domain", help="Domain of the new ones.")]
Style = Annotated[str, typer.Option("--style", help="What they look like: token, number or uuid.")]
Length = Annotated[int, typer.Option("--length", help="Characters of a token.")]
Released = Annotated[
    str | None, typer.Option("--release", help="A release to put under the new key.")
]
Out = Annotated[
    str,
    typer.Option("--out", "-o", help="Where pairs of old and new go, or the re-keyed release."),
]


@pseudonyms.command()
@options.takes_reading_options
def rekey(
    data: options.DataSource,
    columns: Columns,
    out: Out,
    old_key_env: OldEnv = "MICROVEIL_KEY",
    old_key_file: OldFile = None,
    new_key_env: NewEnv = "MICROVEIL_NEW_KEY",
    new_key_file: NewFile = None,
    old_domain: OldDomain = None,
    new_domain: NewDomain = None,
    style: Style = "token",
    length: Length = 16,
    release: Released = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Map old pseudonyms to new ones, given the original data (or the mapping) and both keys.

    With [bold]--release[/bold] the pseudonyms of that file are replaced, and OUT is its new form.

    Example: [bold]microveil pseudonyms rekey patients.csv -c patient_id --out pairs.csv[/bold]
    """
    from microveil.app.rekeying import rekey as pairs_of

    look = {"columns": options.names(columns), "style": style, "length": length}
    old = _step(look, old_key_env, old_key_file, old_domain)
    new = _step(look, new_key_env, new_key_file, new_domain)
    _refuse_inputs(out, data, release)
    pairs = pairs_of(options.read_data(data, reading), old, new)
    n_rows = _write(pairs, release, old.columns, out)
    told = {"n_pairs": pairs.height, "n_rows": n_rows, "written": out}
    told |= {"old_key": _fingerprint(old), "new_key": _fingerprint(new)}
    if as_json:
        print_json(told)
        return
    console().print(f"Old key {told['old_key']}, new key {told['new_key']}.", markup=False)
    what = "pairs of old and new pseudonyms" if release is None else "rows under the new key"
    console().print(f"Written: {out}, {n_rows:,} {what}.", markup=False)


def _step(look: dict[str, Any], variable: str, file: Path | None, domain: str | None) -> Any:
    from microveil.methods import Pseudonymize

    key = {"key_env": variable} if file is None else {"key_file": str(file)}
    return Pseudonymize.parse(look | key | ({} if domain is None else {"domain": domain}))


def _fingerprint(step: Pseudonymize) -> str:
    from microveil.methods.parts.secret_keys import key_fingerprint, read_key

    return key_fingerprint(read_key(step.key_env, step.key_file))


def _refuse_inputs(out: str, *sources: str | None) -> None:
    from microveil.files.targets import Target, check_target, same_place

    for source in sources:
        if source is not None and same_place(Target(source), Target(out)):
            raise FileError(f"{out} is read by this command: an input is never overwritten.")
    if "://" in out:
        raise InputError("--out is a file here, which only its owner may read.")
    check_target(Target(out))


def _write(pairs: Any, release: str | None, columns: tuple[str, ...], out: str) -> int:
    """Write the pairs for their owner alone, or the release they were applied to."""
    from microveil.app.rekeying import replace_pseudonyms
    from microveil.files import write
    from microveil.files.placing import Placing
    from microveil.files.writing import Terms

    table = pairs
    if release is not None:
        table = replace_pseudonyms(options.read_data(release), pairs, columns)
    with Placing() as placing:
        report = write(table, out, terms=Terms(placing, private=release is None))
    return report.n_rows
