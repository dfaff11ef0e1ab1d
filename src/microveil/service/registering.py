"""Registering a table: it is read once and checked against its owner's declaration."""

from __future__ import annotations

from pathlib import Path

from microveil.service.data import load
from microveil.service.fingerprints import fingerprint
from microveil.service.home import Home
from microveil.service.owner_file import OwnerFile
from microveil.service.registry import DataSet, Registry


def register(home: Home, source: Path, owner_path: Path, *, replace: bool = False) -> DataSet:
    """Check that table and declaration match, and register both; creates the ledger if needed."""
    owner = OwnerFile.read(owner_path).beside(owner_path)
    printed = fingerprint(source)
    load(source, owner)
    home.secret(create=True)
    with home.open(create=True) as ledger:
        return Registry(ledger).add(source, owner, printed, replace=replace)
