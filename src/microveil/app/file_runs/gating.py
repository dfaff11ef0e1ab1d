"""A check for pipelines: a recipe on new data, compared with the last accepted release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microveil.app.running import run
from microveil.errors import FileError, InputError
from microveil.files import read_labelled, write_text
from microveil.recipes import Recipe
from microveil.registry.gating import Gate, Margins, compare_measured
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.measuring import measure_release
from microveil.registry.registering import RegistryTerms


def gate(  # noqa: PLR0913  all but two are the caller's to leave open
    recipe: Recipe,
    source: str | Path,
    *,
    baseline: str | Path,
    registry: RegistryTerms | None = None,
    key_file: str | Path | None = None,
    margins: Margins | None = None,
    accept: str | Path | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Gate:
    """Run a recipe without writing data, and compare what it measures with a baseline.

    ``baseline`` is ``last``, the last release of the source in the registry, or a file that
    ``accept`` wrote; a file that does not exist yet compares with nothing. Categories are compared
    as keyed hashes (``MICROVEIL_REGISTRY_KEY``). ``accept`` is where the new baseline is written if
    the release passes.
    """
    reading = {name: value for name, value in (options or {}).items() if value is not None}
    by_recipe = {"reading": recipe.reading} if recipe.reading else {}
    frame, labels = read_labelled(source, **(by_recipe | reading))
    hashes = registry.registry.hashes if registry is not None else KeyedHashes.read(key_file)
    before, named = _baseline(baseline, registry, Path(source).stem)
    release = run(recipe, frame, seed=seed, labels=labels, registry=registry)
    now = measure_release(release, hashes)
    broken = tuple(check.sentence() for check in release.checks if not check.holds)
    findings = () if before is None else compare_measured(before, now, margins or Margins())
    found = Gate(named, broken, findings, now)
    if accept is not None and found.holds:
        write_text(json.dumps(now, indent=1) + "\n", Path(accept))
    return found


def _baseline(
    baseline: str | Path, registry: RegistryTerms | None, source: str
) -> tuple[Mapping[str, Any] | None, str]:
    if str(baseline) != "last":
        return _read_baseline(Path(baseline)), str(baseline)
    if registry is None:
        raise InputError("`--baseline last` needs a registry: --registry FILE.")
    name = registry.source or source
    found = [one for one in registry.registry.releases(name) if one.measured is not None]
    return (found[-1].measured, found[-1].id) if found else (None, "nothing")


def _read_baseline(path: Path) -> Mapping[str, Any] | None:
    if not path.exists():
        return None
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        return {name: plain[name] for name in ("risk", "utility", "data")}
    except (OSError, ValueError, KeyError, TypeError):
        raise FileError("{path} is no baseline that --accept wrote.", path=path) from None
