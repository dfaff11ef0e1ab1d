"""The tables of the service as SQLAlchemy objects; migrations create them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, Text

METADATA = MetaData()

ENTRIES = Table(
    "ledger_entries",
    METADATA,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("signature", String(64)),
)
"""Append-only; everything except the sealed texts can be rebuilt from it."""

HEAD = Table(
    "ledger_head",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)
"""One row: the last entry. The writer holds its lock."""

BALANCES = Table(
    "balances",
    METADATA,
    Column("account", String(300), primary_key=True),
    Column("unit", String(20), primary_key=True),
    Column("cap", Text, nullable=False),
    Column("spent", Text, nullable=False),
)
"""What each account may spend and has spent, as exact fractions."""

RESERVATIONS = Table(
    "reservations",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("data", String(100), nullable=False),
    Column("version", String(64), nullable=False),
    Column("analyst", String(100), nullable=False),
    Column("asker_group", String(100), nullable=False),
    Column("question", Text, nullable=False),
    Column("charges", Text, nullable=False),
    Column("token", String(64), nullable=False),
    Column("lease_until", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", String(40), nullable=False),
    Column("answer_seq", BigInteger),
    Index("reservations_by_asker", "data", "asker_group"),
)
"""Each paid query, once."""

ANSWERS = Table(
    "answers",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("body", Text, nullable=False),
)
"""Append-only: each answer as sent."""

FAMILIES = Table(
    "families",
    METADATA,
    Column("account", String(300), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("version", String(64), nullable=False),
    Column("members", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("families_by_change", "account", "changed"),
)
"""Paid queries about disjoint sets of rows, by the account that pays them once."""

DATA_SETS = Table(
    "data_sets",
    METADATA,
    Column("name", String(100), primary_key=True),
    Column("source", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("declaration", Text, nullable=False),
    Column("terms", Text, nullable=False),
    Column("expires", String(40)),
    Column("state", String(20), nullable=False),
    Column("public", Text),
)

ANALYSTS = Table(
    "analysts",
    METADATA,
    Column("name", String(100), primary_key=True),
    Column("asker_group", String(100), nullable=False),
)

API_KEYS = Table(
    "api_keys",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("holder", String(100), nullable=False),
    Column("role", String(20), nullable=False),
    Column("scope", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("created", String(40), nullable=False),
    Column("expires", String(40)),
    Column("revoked", String(40)),
)
"""Keys of analysts and owners; the secret part only as a keyed hash."""
