"""Replay: the state of all tables that results from the entries."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from microveil.registry.chain import Entry, canonical
from microveil.service.ledger.amounts import read_amounts
from microveil.service.ledger.refusals import whose

Facts = dict[str, Any]


@dataclass
class Replay:
    """The state that results from the entries taken so far."""

    n_entries: int = 0
    caps: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    spent: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    paid: dict[str, Facts] = field(default_factory=dict)
    """Key to everything that a reservation's row must say."""
    answers: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    """Key to the digest of the answer, and the entry that stored it."""
    families: dict[tuple[str, int], str] = field(default_factory=dict)
    """Account and number to the seal of the family."""
    rows: dict[str, str] = field(default_factory=dict)
    """Place to the seal of a row of the registry."""
    sealed_from: int = 1
    problems: list[str] = field(default_factory=list)

    def take(self, entry: Entry) -> None:
        """Process the next entry."""
        facts = entry.facts
        match entry.kind:
            case "caps":
                for unit, cap in read_amounts(facts["caps"]).items():
                    self.caps[facts["account"], unit] = cap
            case "reserve":
                self._reserve(entry, facts)
            case "commit":
                self._commit(entry.seq, facts)
            case "upgrade":
                # Rows written before were not sealed, and families were dissolved.
                self.sealed_from = entry.seq
                self.families.clear()
                self.rows.clear()
        self.rows |= facts.get("rows", {})

    def _reserve(self, entry: Entry, facts: Facts) -> None:
        key, seq = facts["key"], entry.seq
        if key in self.paid:
            self.problems.append(f"Entry {seq} charges a query for the second time.")
        self.paid[key] = {
            **{name: facts[name] for name in ("data", "version", "analyst", "group", "question")},
            "charges": canonical(facts["charges"]),
            "seq": seq,
            "at": entry.at,
        }
        for account, (number, seal) in facts.get("families", {}).items():
            self.families[account, number] = seal
        for account, charge in facts["charges"].items():
            for unit, amount in read_amounts(charge).items():
                place = account, unit
                self.spent[place] = self.spent.get(place, Fraction(0)) + amount
                if amount and self.spent[place] > self.caps.get(place, Fraction(0)):
                    self.problems.append(f"Entry {seq} overspends the {unit} of {whose(account)}.")

    def _commit(self, seq: int, facts: Facts) -> None:
        if facts["key"] not in self.paid:
            self.problems.append(f"Entry {seq} answers a query that nobody paid for.")
        if facts["key"] in self.answers:
            self.problems.append(f"Entry {seq} answers a query for the second time.")
        self.answers[facts["key"]] = facts["answer"], seq
