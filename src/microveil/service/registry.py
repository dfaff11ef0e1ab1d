"""The registry: data sets, analysts and keys in the database."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import select

from microveil.dp import Declaration, Loss
from microveil.errors import InputError, did_you_mean
from microveil.registry.chain import canonical, digest
from microveil.service import keys
from microveil.service.fingerprints import fingerprint as print_of
from microveil.service.keys import Key, Role
from microveil.service.ledger import amounts
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.rows import Change, Plain, Put
from microveil.service.ledger.schema import ANALYSTS, API_KEYS, DATA_SETS
from microveil.service.ledger.steps import SetCaps
from microveil.service.owner_file import OwnerFile, Terms, checked_name

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class DataSet:
    """A registered data set; the data themselves stay in their file."""

    name: str
    source: str
    fingerprint: str
    declaration: Declaration
    terms: Terms
    expires: str | None
    state: Literal["open", "closed"]
    public: Mapping[str, str] | None = None
    """Fingerprints of the public tables; None if they were registered before these were kept."""

    @cached_property
    def identity(self) -> str:
        """Changes with everything that an answer depends on; answers belong to one identity.

        That is the data, their declaration, the public tables joined to them, and the columns
        declared complete, which decide whose rows count.
        """
        parts: list[Any] = [self.fingerprint, self.declaration.to_dict()]
        if self.terms.tables or self.terms.complete:
            public = None if self.public is None else dict(self.public)
            parts.append({"public": public, "complete": sorted(self.terms.complete)})
        return digest(canonical(parts))

    def is_open(self, now: datetime) -> bool:
        """Whether queries are answered."""
        over = self.expires is not None and now > datetime.fromisoformat(self.expires)
        return self.state == "open" and not over


def data_account(data: str) -> str:
    """The account that all analysts of a data set share."""
    return f"data:{data}"


def analyst_account(data: str, analyst: str) -> str:
    """The account of one analyst on a data set."""
    return f"analyst:{data}:{analyst}"


def budget_amounts(loss: Loss) -> dict[str, Fraction]:
    """The non-zero parts of a loss."""
    parts = {"epsilon": loss.epsilon, "delta": loss.delta, "rho": loss.rho}
    return {unit: amount for unit, amount in parts.items() if amount}


class Registry:
    """Reads and changes the registrations; every change is an entry of the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        """Use the database of a ledger."""
        self.ledger = ledger

    def data_sets(self) -> dict[str, DataSet]:
        """All data sets by name."""
        with self.ledger.view() as view:
            return {row["name"]: _data_set(row) for row in view.rows(select(DATA_SETS))}

    def analysts(self) -> dict[str, str]:
        """Analysts and their groups."""
        with self.ledger.view() as view:
            return {row["name"]: row["asker_group"] for row in view.rows(select(ANALYSTS))}

    def keys(self) -> dict[str, Key]:
        """All keys by their public part."""
        with self.ledger.view() as view:
            rows = view.rows(select(API_KEYS).order_by(API_KEYS.c.created))
            return {row["id"]: _key(row) for row in rows}

    def add(self, source: Path, owner: OwnerFile, fingerprint: str, *, replace: bool) -> DataSet:
        """Register a data set, or a new version of one; spent budget stays spent."""
        name = checked_name(owner.declaration.name)
        known = name in self.data_sets()
        if known and not replace:
            raise InputError(
                f"There is already a data set '{name}'. Use --replace to register new data or "
                "terms under that name; spent budget stays spent."
            )
        ends = owner.terms.ends
        row = {
            "name": name,
            "source": str(source.resolve()),
            "fingerprint": fingerprint,
            "declaration": json.dumps(owner.declaration.to_dict(), ensure_ascii=False),
            "terms": canonical(owner.terms.to_dict()),
            "expires": None if ends is None else ends.isoformat(),
            "state": "open",
            "public": canonical({one: print_of(Path(p)) for one, p in owner.terms.tables.items()}),
        }
        facts = {"name": name, "fingerprint": fingerprint, "terms": owner.terms.to_dict()}
        facts |= {"declaration": digest(row["declaration"] or "")}
        self.ledger.do(Put("data set", facts, (Change("data_sets", name, lambda *_: row),)))
        self.set_budget(data_account(name), owner.terms.budget)
        for key in self.keys().values():
            if key.role == "analyst" and key.opens(name):
                self._open_account(name, key.holder, owner.terms.analyst_budget)
        return _data_set(row)

    def close(self, name: str) -> None:
        """Close a data set to further queries."""
        self.data_set(name)
        closed = Change("data_sets", name, lambda row, _: row and {**row, "state": "closed"})
        self.ledger.do(Put("data set closed", {"name": name}, (closed,)))

    def data_set(self, name: str) -> DataSet:
        """One data set, or an error that suggests the closest name."""
        known = self.data_sets()
        if name not in known:
            raise InputError(f"There is no data set '{name}'.{did_you_mean(name, known)}")
        return known[name]

    def create_key(
        self,
        secret: bytes,
        holder: str,
        role: Role,
        scope: Collection[str],
        *,
        group: str | None = None,
        expires: datetime | None = None,
    ) -> tuple[str, Key]:
        """A new key and what is stored of it; opens the accounts of its analyst."""
        checked_name(holder)
        chosen = {name: self.data_set(name) for name in scope}
        if not chosen:
            raise InputError("Name the data sets that the key is for.")
        changes: list[Change] = []
        if role == "analyst":
            changes = [self._join_group(holder, checked_name(group) if group else None)]
        given, kept = keys.new_key(secret, holder, role, list(chosen), expires)
        row = {**asdict(kept), "scope": canonical(list(kept.scope))}
        facts: dict[str, Any] = {"id": kept.id, "holder": holder, "role": role}
        facts |= {"scope": list(kept.scope), "expires": kept.expires}
        new = Change("api_keys", kept.id, lambda *_: row)
        self.ledger.do(Put("key", facts, (*changes, new)))
        if role == "analyst":
            for name, data in chosen.items():
                self._open_account(name, holder, data.terms.analyst_budget)
        return given, kept

    def revoke(self, key_id: str) -> None:
        """Revoke a key."""
        if key_id not in self.keys():
            raise InputError("There is no key with this id. `microveil serve keys` lists them.")
        moment = keys.now().isoformat(timespec="seconds")

        def mark_revoked(row: Plain | None, _: Connection) -> Plain | None:
            return None if row is None or row["revoked"] else {**row, "revoked": moment}

        change = Change("api_keys", key_id, mark_revoked)
        self.ledger.do(Put("key revoked", {"id": key_id}, (change,)))

    def set_budget(self, account: str, budget: Loss) -> None:
        """Set what an account may spend; spent budget stays spent."""
        self.ledger.do(SetCaps(account, amounts.caps(budget_amounts(budget))))

    def _open_account(self, data: str, analyst: str, budget: Loss) -> None:
        """Give an analyst the default budget, unless they have one already."""
        account = analyst_account(data, analyst)
        if not self.ledger.balances(account):
            self.set_budget(account, budget)

    @staticmethod
    def _join_group(analyst: str, group: str | None) -> Change:
        """The row that puts a new analyst into a group; a known analyst stays in theirs.

        Without a group an analyst is alone, in a group of their own name. Nobody gets into
        another's group, or another into theirs, by a name alone.
        """

        def analyst_row(row: Plain | None, connection: Connection) -> Plain | None:
            known = None if row is None else row["asker_group"]
            if known is None:
                rows = connection.execute(select(ANALYSTS.c.name, ANALYSTS.c.asker_group))
                _check_apart(analyst, group, dict(tuple(one) for one in rows))
                return {"name": analyst, "asker_group": group or analyst}
            if group is not None and known != group:
                raise InputError(
                    f"Analyst '{analyst}' is already in the group '{known}' and knows its answers."
                )
            return None

        return Change("analysts", analyst, analyst_row)


def _check_apart(analyst: str, group: str | None, known: Mapping[str, str]) -> None:
    """Refuse a name that would give a new analyst somebody else's answers."""
    if group is None and analyst in known.values():
        raise InputError(
            f"There is a group '{analyst}': its answers belong to its members. Choose another "
            f"name for the analyst, or add them to it with --group {analyst}."
        )
    if group is not None and group != analyst and known.get(group) == group:
        raise InputError(
            f"'{group}' is an analyst who works alone, and no group: choose another name for "
            "the group."
        )


def _data_set(row: Any) -> DataSet:
    return DataSet(
        name=row["name"],
        source=row["source"],
        fingerprint=row["fingerprint"],
        declaration=Declaration.parse(json.loads(row["declaration"])),
        terms=Terms.parse(json.loads(row["terms"])),
        expires=row["expires"],
        state=row["state"],
        public=None if row["public"] is None else json.loads(row["public"]),
    )


def _key(row: Any) -> Key:
    return Key(**{**row, "scope": tuple(json.loads(row["scope"]))})
