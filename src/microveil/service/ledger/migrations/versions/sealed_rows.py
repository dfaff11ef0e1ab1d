"""Rows of the registry and families are sealed, entries may be signed, public tables are known."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from microveil.registry.chain import Entry, canonical, digest, next_entry

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TABLES = ("data_sets", "analysts", "api_keys")


def upgrade() -> None:
    """Add the columns, and seal what is there.

    Families were stored without a seal, and their filters before constants were brought to the
    types of their columns: they take no further queries. What was charged stays charged.
    """
    connection = op.get_bind()
    _add_column(connection, "data_sets", sa.Column("public", sa.Text))
    _add_column(connection, "ledger_entries", sa.Column("signature", sa.String(64)))
    op.execute("DELETE FROM families")
    seq, last = connection.execute(sa.text("SELECT seq, hash FROM ledger_head")).one()
    if seq:
        _append(connection, Entry(seq, "", "", "", "", last))


def _add_column(connection: sa.Connection, table: str, column: sa.Column[Any]) -> None:
    """Add a column, unless it is there."""
    if column.name not in {one["name"] for one in sa.inspect(connection).get_columns(table)}:
        op.add_column(table, column)


def _append(connection: sa.Connection, last: Entry) -> None:
    """An entry that seals the rows as they are found."""
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    entry = next_entry(last, at, "upgrade", {"revision": revision, "rows": _seals(connection)})
    columns = ("seq", "at", "kind", "body", "previous", "hash")
    values = {name: getattr(entry, name) for name in columns}
    names = ", ".join(columns)
    bound = ", ".join(f":{name}" for name in columns)
    connection.execute(
        sa.text(f"INSERT INTO ledger_entries ({names}) VALUES ({bound})"),  # noqa: S608  our names
        values,
    )
    connection.execute(sa.text("UPDATE ledger_head SET seq = :seq, hash = :hash"), values)


def _seals(connection: sa.Connection) -> dict[str, str]:
    seals: dict[str, str] = {}
    for table in _TABLES:
        rows: Any = connection.execute(sa.text(f"SELECT * FROM {table}")).mappings()  # noqa: S608
        for row in rows:
            key = row["id" if table == "api_keys" else "name"]
            seals[f"{table}:{key}"] = digest(canonical(dict(row)))
    return seals
