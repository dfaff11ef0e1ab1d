"""SQL: a safe subset of SELECT, parsed into queries. Nothing is evaluated or passed on as SQL.

::

    SELECT [key, …] aggregate [AS name], …
    FROM table [JOIN public_table USING (key)] …
    [WHERE filter] [GROUP BY key, …]
    [ORDER BY COUNT(*) DESC LIMIT k]        for the k most frequent keys

Aggregates: ``COUNT(*)``, ``COUNT(x)``, ``COUNT(DISTINCT x)``, ``SUM``, ``AVG``, ``VARIANCE``
(``VAR_SAMP``), ``COVAR_SAMP``, ``CORR``, ``MEDIAN``, ``QUANTILE_CONT(x, share)``, ``PERCENTILE_CONT
(share) WITHIN GROUP (ORDER BY x)``. Everything else is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from microveil.dp.declaration import Declaration
from microveil.dp.queries import (
    Correlation,
    Count,
    Covariance,
    DistinctCount,
    Mean,
    Median,
    Quantile,
    Query,
    Sum,
    TopK,
    Variance,
)
from microveil.dp.sql.conditions import column_name, constant, filter_of, parse_statement
from microveil.dp.sql.syntax import check_syntax
from microveil.errors import QueryError, did_you_mean, listing

if TYPE_CHECKING:
    from sqlglot import exp

_REFUSED = {
    "with": "common table expressions (WITH)",
    "with_": "common table expressions (WITH)",
    "having": "HAVING, which would filter by exact numbers",
    "distinct": "SELECT DISTINCT; group by the columns instead",
    "windows": "window functions",
    "qualify": "QUALIFY",
    "offset": "OFFSET",
    "laterals": "lateral joins",
    "sample": "sampling",
    "into": "SELECT INTO",
    "locks": "locks",
    "pivots": "pivots",
    "cluster": "CLUSTER BY",
    "sort": "SORT BY",
    "distribute": "DISTRIBUTE BY",
    "match": "MATCH_RECOGNIZE",
    "hint": "hints",
    "connect": "CONNECT BY",
    "prewhere": "PREWHERE",
}
_KNOWN = {
    "expressions",
    "from",
    "from_",
    "joins",
    "where",
    "group",
    "order",
    "limit",
}
MOST_QUERIES = 100


@dataclass(frozen=True)
class Statement:
    """The queries of a statement: the table, and one query for each aggregate."""

    table: str
    queries: tuple[Query, ...]

    def __iter__(self) -> Iterator[Query]:
        """The queries."""
        return iter(self.queries)


def parse_sql(text: str, declarations: Declaration | Iterable[Declaration]) -> Statement:
    """Parse a statement about one declared table into queries.

    >>> table = Declaration.parse({"name": "survey", "columns": {
    ...     "age": {"type": "integer", "bounds": [0, 110]}, "sex": {"type": "text"}}})
    >>> parse_sql("select avg(age) from survey where sex = 'f'", table).queries[0].describe()
    "mean of age where sex = 'f'"
    """
    tables = _by_name(declarations)
    tree = _select(text)
    _refuse(tree)
    declaration, join = _source(tree, tables)
    by = _group_by(tree)
    where = tree.args.get("where")
    rest = {
        "where": None if where is None else filter_of(where.this),
        "by": by,
        "join": join,
    }
    aggregates = list(_aggregates(tree, by))
    top = _top(tree, by, aggregates, rest)
    queries = (
        (top,) if top is not None else tuple(_query(one, rest, declaration) for one in aggregates)
    )
    check_syntax(tree)
    _check_qualifiers(tree, declaration)
    fitted = tuple(query.fit(declaration) for query in queries)
    for query in fitted:
        query.part(declaration)
    return Statement(declaration.name, fitted)


def _by_name(declarations: Declaration | Iterable[Declaration]) -> Mapping[str, Declaration]:
    listed = [declarations] if isinstance(declarations, Declaration) else list(declarations)
    return {one.name: one for one in listed}


def _select(text: str) -> exp.Expr:
    from sqlglot import exp

    tree = parse_statement(text)
    if not isinstance(tree, exp.Select):
        kind = type(tree).__name__.upper()
        raise QueryError(f"{kind} is not allowed: only SELECT is supported, without UNION.")
    return tree


def _refuse(tree: exp.Expr) -> None:
    from sqlglot import exp

    for name, value in tree.args.items():
        if value and name not in _KNOWN:
            raise QueryError(f"Not allowed: {_REFUSED.get(name, name.strip('_').upper())}.")
    for node in tree.walk():
        if isinstance(node, exp.Subquery | exp.Window | exp.Placeholder | exp.Parameter) or (
            isinstance(node, exp.Select) and node is not tree
        ):
            kind = {exp.Window: "window functions", exp.Placeholder: "placeholders"}
            raise QueryError(f"Not allowed: {kind.get(type(node), 'subqueries')}.")


def _source(
    tree: exp.Expr, tables: Mapping[str, Declaration]
) -> tuple[Declaration, tuple[str, ...]]:
    """The private table and the public ones joined to it."""
    from sqlglot import exp

    source = tree.args.get("from") or tree.args.get("from_")
    table = None if source is None else source.this
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        raise QueryError("Name the table in FROM.")
    name = _table_name(table)
    if name not in tables:
        known = f"{did_you_mean(name, tables)} Tables: {listing(sorted(tables))}."
        raise QueryError(f"There is no such table.{known}")
    declaration = tables[name]
    join = tuple(_read_join(one, declaration) for one in tree.args.get("joins") or ())
    return declaration, join


def _table_name(table: exp.Expr) -> str:
    extra = [key for key, value in table.args.items() if value and key not in {"this", "alias"}]
    if extra:
        raise QueryError("A table is named by one word, without schema, options or functions.")
    return str(table.this.name)


def _read_join(node: exp.Expr, declaration: Declaration) -> str:
    from sqlglot import exp

    kind = f"{node.args.get('side') or ''} {node.args.get('kind') or ''}".strip().upper()
    table = node.this
    if kind not in {"", "INNER", "LEFT", "LEFT OUTER"} or node.args.get("method"):
        raise QueryError("Join public tables by JOIN … USING (key).")
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        raise QueryError("Only public tables can be joined.")
    name = _table_name(table)
    wanted = declaration.public_table(name).key
    using, condition = node.args.get("using"), node.args.get("on")
    if using:
        keys = [str(one.name) for one in using]
    elif isinstance(condition, exp.EQ):
        keys = sorted({column_name(condition.this), column_name(condition.expression)})
    else:
        keys = []
    if keys != [wanted]:
        raise QueryError(f"Table '{name}' is joined by USING ({wanted}).")
    return name


def _check_qualifiers(tree: exp.Expr, declaration: Declaration) -> None:
    """Refuse a column named with a table that is not in FROM, or does not bring it.

    The key of a public table is missing where it has no row; here the private table's key is read,
    so that only that one may be named.
    """
    from sqlglot import exp

    private, *joined = tree.find_all(exp.Table, bfs=True)
    columns: dict[str, set[str]] = {private.alias_or_name: set(declaration.columns)}
    if declaration.entity is not None:
        columns[private.alias_or_name].add(declaration.entity.column)
    for table in joined:
        columns[table.alias_or_name] = set(declaration.public_table(table.name).columns)
    for column in tree.find_all(exp.Column):
        if column.find_ancestor(exp.Join) is not None or not column.table:
            continue
        if column.name not in columns.get(column.table, ()):
            raise QueryError("A column is named with a table in FROM that has it.")


def _group_by(tree: exp.Expr) -> tuple[str, ...]:
    group = tree.args.get("group")
    if group is None:
        return ()
    if any(value for key, value in group.args.items() if key != "expressions"):
        raise QueryError("GROUP BY takes columns only: no ROLLUP, CUBE, SETS or ALL.")
    return tuple(column_name(one) for one in group.expressions)


def _aggregates(tree: exp.Expr, by: tuple[str, ...]) -> Iterator[exp.Expr]:
    """The aggregates of the SELECT list; its plain columns must be keys."""
    from sqlglot import exp

    n = 0
    for item in tree.expressions:
        node = item.this if isinstance(item, exp.Alias) else item
        if isinstance(node, exp.Column):
            if isinstance(node.this, exp.Star) or column_name(node) not in by:
                raise QueryError(
                    "Rows cannot be selected: a column of the SELECT list must be in GROUP BY."
                )
            continue
        if isinstance(node, exp.Star):
            raise QueryError("SELECT * would return rows; ask for aggregates.")
        n += 1
        yield node
    if not n or n > MOST_QUERIES:
        raise QueryError(f"Ask for 1 to {MOST_QUERIES} aggregates, such as COUNT(*) or AVG(x).")


def _top(
    tree: exp.Expr, by: tuple[str, ...], aggregates: list[Any], rest: dict[str, Any]
) -> Query | None:
    """The most frequent keys: ORDER BY COUNT(*) DESC LIMIT k."""
    from sqlglot import exp

    order, limit = tree.args.get("order"), tree.args.get("limit")
    if order is None and limit is None:
        return None
    advice = "ORDER BY and LIMIT are read only as: GROUP BY x ORDER BY COUNT(*) DESC LIMIT k."
    ordered = [] if order is None else order.expressions
    k = None if limit is None else limit.expression
    fits = (
        len(by) == len(ordered) == len(aggregates) == 1
        and _is_count(aggregates[0])
        and _is_count_or_name(ordered[0], tree)
        and bool(ordered[0].args.get("desc"))
        and isinstance(k, exp.Literal)
        and not k.is_string
    )
    if not fits or k is None:
        raise QueryError(advice)
    number = constant(k)
    if not isinstance(number, int):
        raise QueryError(advice)
    return TopK.parse({"column": by[0], "k": number, "where": rest["where"], "join": rest["join"]})


def _is_count(node: Any) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Count) and (node.this is None or isinstance(node.this, exp.Star))


def _is_count_or_name(node: Any, tree: exp.Expr) -> bool:
    """COUNT(*) itself, or the name that the SELECT list gives it."""
    from sqlglot import exp

    inner = node.this
    if isinstance(inner, exp.Column):
        named = {item.alias: item.this for item in tree.expressions if isinstance(item, exp.Alias)}
        return _is_count(named.get(inner.name))
    return _is_count(inner)


def _query(node: Any, rest: dict[str, Any], declaration: Declaration) -> Query:
    from sqlglot import exp

    if isinstance(node, exp.Count):
        return _count(node, rest, declaration)
    if isinstance(node, exp.WithinGroup):
        return _within_group(node, rest)
    if isinstance(node, exp.Quantile | exp.PercentileCont | exp.PercentileDisc):
        share = node.args.get("quantile") or node.args.get("expression")
        return _quantile(node.this, share, rest)
    ones: dict[Any, type[Query]] = {
        exp.Sum: Sum,
        exp.Avg: Mean,
        exp.Variance: Variance,
        exp.Median: Median,
    }
    twos: dict[Any, type[Query]] = {exp.CovarSamp: Covariance, exp.Corr: Correlation}
    if type(node) in ones:
        return ones[type(node)].parse({"column": column_name(node.this), **rest})
    if type(node) in twos:
        pair = (column_name(node.this), column_name(node.expression))
        return twos[type(node)].parse({"columns": pair, **rest})
    raise QueryError(
        f"{str(getattr(node, 'key', '')).upper()} is not allowed in the SELECT list. Ask for "
        "COUNT, SUM, AVG, VARIANCE, COVAR_SAMP, CORR, MEDIAN or QUANTILE_CONT of columns."
    )


def _count(node: exp.Expr, rest: dict[str, Any], declaration: Declaration) -> Query:
    from sqlglot import exp

    inner = node.this
    if node.args.get("expressions"):
        raise QueryError("COUNT takes one column or *.")
    if isinstance(inner, exp.Distinct):
        if len(inner.expressions) != 1 or inner.args.get("on"):
            raise QueryError("COUNT(DISTINCT …) takes one column.")
        name = column_name(inner.expressions[0])
        entity = declaration.entity
        people = entity is not None and name == entity.column
        return DistinctCount.parse({"column": None if people else name, **rest})
    if inner is None or isinstance(inner, exp.Star):
        return Count.parse(rest)
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return Count.parse(rest)
    return Count.parse({"column": column_name(inner), **rest})


def _within_group(node: exp.Expr, rest: dict[str, Any]) -> Query:
    from sqlglot import exp

    order = node.expression
    ordered = order.expressions if isinstance(order, exp.Order) else []
    if not isinstance(node.this, exp.PercentileCont | exp.PercentileDisc) or len(ordered) != 1:
        raise QueryError("WITHIN GROUP is read only after PERCENTILE_CONT(share).")
    if ordered[0].args.get("desc"):
        raise QueryError("PERCENTILE_CONT uses ascending order.")
    return _quantile(ordered[0].this, node.this.this, rest)


def _quantile(column: Any, share: Any, rest: dict[str, Any]) -> Query:
    wanted = constant(share)
    if isinstance(wanted, bool | str):
        raise QueryError("The share of a quantile is a number from 0 to 1.")
    return Quantile.parse({"column": column_name(column), "share": wanted, **rest})
