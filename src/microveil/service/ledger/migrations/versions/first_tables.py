"""The first tables: the ledger, its balances and answers, data sets and keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, and make those that are append-only refuse changes."""
    _ledger()
    _answers()
    _registry()
    op.execute(f"INSERT INTO ledger_head (id, seq, hash) VALUES (1, 0, '{'0' * 64}')")  # noqa: S608
    for table in ("ledger_entries", "answers"):
        _append_only(table)


def _ledger() -> None:
    op.create_table(
        "ledger_entries",
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "ledger_head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "balances",
        sa.Column("account", sa.String(300), primary_key=True),
        sa.Column("unit", sa.String(20), primary_key=True),
        sa.Column("cap", sa.Text, nullable=False),
        sa.Column("spent", sa.Text, nullable=False),
    )


def _answers() -> None:
    op.create_table(
        "reservations",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("data", sa.String(100), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("analyst", sa.String(100), nullable=False),
        sa.Column("asker_group", sa.String(100), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("charges", sa.Text, nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("answer_seq", sa.BigInteger),
    )
    op.create_index("reservations_by_asker", "reservations", ["data", "asker_group"])
    op.create_table(
        "answers",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )


def _registry() -> None:
    op.create_table(
        "data_sets",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("declaration", sa.Text, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("expires", sa.String(40)),
        sa.Column("state", sa.String(20), nullable=False),
    )
    op.create_table(
        "analysts",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("asker_group", sa.String(100), nullable=False),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("holder", sa.String(100), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("expires", sa.String(40)),
        sa.Column("revoked", sa.String(40)),
    )


def _append_only(table: str) -> None:
    """A trigger that refuses to change or delete rows."""
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_refuse()"
    )
