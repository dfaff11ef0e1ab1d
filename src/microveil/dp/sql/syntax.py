"""Syntax: which parts of a parsed statement have a meaning here. All others are refused.

A parser reads far more than a query can mean. Each kind of node that is read is listed with the
arguments that are read of it, so that a word that would change the meaning is refused and never
overlooked.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from microveil.errors import QueryError

if TYPE_CHECKING:
    from sqlglot import exp

_TWO = ("this", "expression")
_READ: dict[str, tuple[str, ...]] = {
    "Select": ("expressions", "from", "from_", "joins", "where", "group", "order", "limit"),
    "From": ("this",),
    "Table": ("this", "alias"),
    "TableAlias": ("this",),
    "Join": ("this", "side", "kind", "using", "on"),
    "Where": ("this",),
    "Group": ("expressions",),
    "Order": ("expressions",),
    # Counts are never missing, so that where missing ones would stand says nothing.
    "Ordered": ("this", "desc", "nulls_first"),
    "Limit": ("expression",),
    "Alias": ("this", "alias"),
    "Column": ("this", "table"),
    "Identifier": ("this", "quoted"),
    "Paren": ("this",),
    **dict.fromkeys(("And", "Or", "EQ", "NEQ", "LT", "LTE", "GT", "GTE", "Is"), _TWO),
    "Not": ("this",),
    "In": ("this", "expressions"),
    "Between": ("this", "low", "high"),
    "Null": (),
    "Boolean": ("this",),
    "Literal": ("this", "is_string"),
    "Neg": ("this",),
    "Cast": ("this", "to"),
    "DataType": ("this",),
    "Star": (),
    # The parser notes that a count is a long number.
    "Count": ("this", "big_int"),
    "Distinct": ("expressions",),
    **dict.fromkeys(("Sum", "Avg", "Variance", "Median"), ("this",)),
    **dict.fromkeys(("CovarSamp", "Corr", "WithinGroup"), _TWO),
    "Quantile": ("this", "quantile"),
    **dict.fromkeys(("PercentileCont", "PercentileDisc"), _TWO),
}


@cache
def _arguments() -> dict[type[exp.Expr], frozenset[str]]:
    from sqlglot import exp

    return {getattr(exp, name): frozenset(read) for name, read in _READ.items()}


def check_syntax(tree: exp.Expr) -> None:
    """Refuse a statement with any part that has no meaning here."""
    known = _arguments()
    for node in tree.walk():
        read = known.get(type(node))
        if read is None:
            raise QueryError(f"Not allowed: {node_words(node)}.")
        for name, value in node.args.items():
            if value and name not in read:
                option = name.strip("_").replace("_", " ").upper()
                raise QueryError(f"Not allowed: {option} in {node_words(node)}.")


def node_words(node: object) -> str:
    """What a piece of SQL is called, without quoting it."""
    return str(getattr(node, "key", type(node).__name__)).upper().replace("_", " ")
