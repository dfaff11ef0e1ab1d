"""Families of queries about disjoint sets of rows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create their table; queries paid before it stay alone."""
    op.create_table(
        "families",
        sa.Column("account", sa.String(300), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("members", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )
    op.create_index("families_by_change", "families", ["account", "changed"])
