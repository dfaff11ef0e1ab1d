"""Alembic migrations of the service's tables."""
