"""What a replaced PostgreSQL table passes on: its owner, its grants and its comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.server_names import ServerTable
from microveil.files.databases.target import lost_with

_OWNER = (
    "SELECT pg_get_userbyid(relowner), relrowsecurity, EXISTS (SELECT FROM pg_inherits "
    "WHERE c.oid IN (inhrelid, inhparent)) FROM pg_class c WHERE oid = %s"
)
_GRANTS = (
    "SELECT NULL, g.grantee, g.privilege_type, g.is_grantable FROM pg_class c, "
    "aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) g "
    "WHERE c.oid = %(table)s AND g.grantee <> c.relowner "
    "UNION ALL SELECT a.attname, g.grantee, g.privilege_type, g.is_grantable "
    "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid, aclexplode(a.attacl) g "
    "WHERE a.attrelid = %(table)s AND NOT a.attisdropped AND g.grantee <> c.relowner"
)
_COMMENTS = (
    "SELECT NULL, obj_description(%(table)s, 'pg_class') UNION ALL "
    "SELECT attname, col_description(attrelid, attnum) FROM pg_attribute "
    "WHERE attrelid = %(table)s AND attnum > 0 AND NOT attisdropped"
)
_LOST = (
    "SELECT (SELECT count(*) FROM pg_index WHERE indrelid = %(table)s), "
    "(SELECT count(*) FROM pg_trigger WHERE tgrelid = %(table)s AND NOT tgisinternal), "
    "(SELECT count(*) FROM pg_constraint WHERE conrelid = %(table)s "
    "AND contype NOT IN ('p', 'u', 'n')), "
    "(SELECT count(*) FROM pg_rewrite WHERE ev_class = %(table)s), "
    "(SELECT count(*) FROM pg_attribute WHERE attrelid = %(table)s AND attnum > 0 "
    "AND attnotnull), "
    "(SELECT count(*) FROM pg_attribute WHERE attrelid = %(table)s "
    "AND (atthasdef OR attidentity <> '')), "
    "(SELECT count(*) FROM pg_publication_rel WHERE prrelid = %(table)s)"
)
_KINDS = (
    *("index", "trigger", "constraint", "rule"),
    *("not-null column", "default or generated column", "publication"),
)


@dataclass(frozen=True)
class Keepsakes:
    """What is read from a table before it goes, and given to the one in its place."""

    owner: str
    grants: tuple[tuple[str | None, int, str, bool], ...]
    """Column (None for the table), grantee's number (0 is everybody), privilege, whether it may
    be passed on."""
    comments: tuple[tuple[str | None, str], ...]
    notes: list[str]

    @classmethod
    def of(cls, connection: Any, address: Address, table: ServerTable) -> Keepsakes:
        """What belongs to a table; refused where replacing it would lose more than its rows."""
        named = {"table": table.number}
        owner, row_security, has_relatives = connection.execute(_OWNER, (table.number,)).fetchone()
        if row_security:
            raise FileError(
                "{shown}: table '{name}' has row security, which replacing it would remove. "
                "Append to it, or name another table.",
                shown=address.shown,
                name=table.name,
            )
        if has_relatives:
            raise FileError(
                "{shown}: table '{name}' is a partition, has partitions, or inherits; replacing it "
                "would take rows from other tables. Append to it, or name another table.",
                shown=address.shown,
                name=table.name,
            )
        comments = connection.execute(_COMMENTS, named).fetchall()
        counts = connection.execute(_LOST, named).fetchone()
        return cls(
            owner,
            tuple(connection.execute(_GRANTS, named).fetchall()),
            tuple((column, text) for column, text in comments if text is not None),
            lost_with(dict(zip(_KINDS, counts, strict=True))),
        )

    def give(self, connection: Any, table: ServerTable, columns: Sequence[str]) -> None:
        """Give all of it to the new table of the same name, as far as the columns are there."""
        number = connection.execute("SELECT %s::regclass::oid::bigint", (table.sql,)).fetchone()[0]
        for grantee in {row[1] for row in connection.execute(_GRANTS, {"table": number})}:
            # What the server gives to every new table was perhaps taken from the old one.
            _run(connection, f"REVOKE ALL ON {table.sql} FROM {_role(connection, grantee)}")
        for column, grantee, privilege, passed_on in self.grants:
            if column is not None and column not in columns:
                continue
            part = "" if column is None else f" ({quoted_name(column)})"
            more = " WITH GRANT OPTION" if passed_on else ""
            role = _role(connection, grantee)
            _run(connection, f"GRANT {privilege}{part} ON {table.sql} TO {role}{more}")
        for column, text in self.comments:
            if column is None or column in columns:
                _comment(connection, table, column, text)
        if self.owner != connection.execute("SELECT current_user").fetchone()[0]:
            _run(connection, f"ALTER TABLE {table.sql} OWNER TO {quoted_name(self.owner)}")


def _comment(connection: Any, table: ServerTable, column: str | None, text: str) -> None:
    from psycopg import sql

    what = "TABLE" if column is None else "COLUMN"
    name = table.sql if column is None else f"{table.sql}.{quoted_name(column)}"
    connection.execute(
        sql.SQL("COMMENT ON {} {} IS {}").format(sql.SQL(what), sql.SQL(name), sql.Literal(text))
    )


def _role(connection: Any, number: int) -> str:
    if not number:
        return "PUBLIC"
    named = connection.execute("SELECT pg_get_userbyid(%s)", (number,)).fetchone()[0]
    return quoted_name(str(named))


def _run(connection: Any, statement: str) -> None:
    from psycopg import sql

    connection.execute(sql.SQL(statement))
