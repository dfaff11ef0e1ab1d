"""Databases: tables and queries of SQLite, DuckDB and PostgreSQL."""
