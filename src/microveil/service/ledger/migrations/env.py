"""Alembic's entry point: runs the migrations on the connection passed by `upgrading`."""

from __future__ import annotations

from alembic import context

from microveil.service.ledger.schema import METADATA

if __name__ == "env_py":  # the name Alembic loads this file under
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=METADATA,
        transactional_ddl=False,  # the transaction is the caller's
    )
    context.run_migrations()
