"""Rules between tables: which rows keep them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.errors import InputError
from microveil.linked.links import Frames
from microveil.linked.synthesis.settings import TableRule
from microveil.linked.synthesis.structure import Structure
from microveil.tables.roles import check_columns

_SIGNS: dict[str, Callable[[pl.Series, pl.Series], pl.Series]] = {
    "<=": le, ">=": ge, "<": lt, ">": gt, "==": eq,
}  # fmt: skip


def kept_rules(
    rules: Sequence[TableRule],
    name: str,
    rows: pl.DataFrame,
    frames: Frames,
    above: Mapping[str, Longs],
) -> Flags:
    """Whether each row of a table keeps every rule between it and the rows above."""
    kept = np.ones(rows.height, dtype=np.bool_)
    for rule in rules:
        sides = []
        for table, column in ((rule.table, rule.column), (rule.to, rule.with_column)):
            here = table == name
            if not here and table not in above:
                break
            sides.append(rows[column] if here else frames[table][column].gather(above[table]))
        if len(sides) == 2 and name in (rule.table, rule.to):  # noqa: PLR2004  both sides are known
            kept &= _SIGNS[rule.sign](*sides).fill_null(value=True).to_numpy()
    return kept


def check_rules(rules: Sequence[TableRule], frames: Frames, structure: Structure) -> None:
    """Raise an error for a rule that names what is not there, or that the data break."""
    for rule in rules:
        for table, column in ((rule.table, rule.column), (rule.to, rule.with_column)):
            if table not in structure.drawn:
                raise InputError(
                    "Rule {rule}: table '{table}' is not drawn.", rule=str(rule), table=table
                )
            check_columns([column], frames[table].columns)
        if rule.to != rule.table and rule.to not in structure.above(rule.table):
            raise InputError(
                "Rule {rule}: the links of '{table}' do not lead to '{to}'. Write the lower table "
                "on the left.",
                rule=str(rule),
                table=rule.table,
                to=rule.to,
            )
        above = structure.rows_above(frames, rule.table)
        n = int((~kept_rules([rule], rule.table, frames[rule.table], frames, above)).sum())
        if n:
            raise InputError(
                "Rule {rule}: 1 row of the data breaks it. Correct it, or leave the rule out.",
                many="Rule {rule}: {n:,} rows of the data break it. Correct them, or leave the "
                "rule out.",
                rule=str(rule),
                n=n,
            )
