"""Whether classes still meet requirements on sensitive values as records leave and join."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.lattice.groups import Groups
from microveil.kernels.lattice.judge import node_shares_of, shares_of
from microveil.kernels.lattice.rules import Rules, Whole, breaks_rule
from microveil.kernels.recoding.classes import Recoding


class Requirements(NamedTuple):
    """The requirements, what classes are compared with, and scratch space for one class."""

    k: int
    rules: Rules
    shares: Floats  # (rules, values) share of each value in the table
    n_there: Longs  # (rules,) number of distinct values
    node_shares: Floats  # (rules, nodes of trees)
    dense: Floats  # one per value; zero between calls
    nodes: Floats  # one per node; zero between calls
    one: Groups  # a single class


@kernel
def open_requirements(k: int, rules: Rules) -> Requirements:
    """The requirements on the classes of a table without suppression."""
    n_rules, n_values = rules.kind.size, rules.totals.size
    requirements = Requirements(
        k,
        rules,
        np.zeros((n_rules, n_values)),
        np.zeros(n_rules, np.int64),
        np.zeros((n_rules, rules.n_nodes)),
        np.zeros(n_values),
        np.zeros(rules.n_nodes),
        Groups(
            np.zeros((1, 1), np.uint64),
            np.zeros(1, np.int64),
            np.zeros(2, np.int64),
            np.zeros(n_values, np.int32),
            np.zeros(n_values, np.int64),
        ),
    )
    totals = rules.totals.astype(np.float64)
    for rule in range(n_rules):
        shares, n_there = shares_of(totals, rules.first[rule], rules.last[rule])
        requirements.shares[rule], requirements.n_there[rule] = shares, n_there
        requirements.node_shares[rule] = node_shares_of(rules, rule, shares)
    return requirements


@kernel
def meets_requirements(
    recoding: Recoding, requirements: Requirements, one: int, leaving: int, joining: int
) -> bool:
    """Whether a class meets all rules without one row and with another; −1 for no row."""
    rules = requirements.rules
    if rules.kind.size == 0:
        return True
    _lay_out(recoding, requirements, one, leaving, joining)
    for rule in range(rules.kind.size):
        whole = Whole(
            requirements.shares[rule],
            requirements.n_there[rule],
            requirements.node_shares[rule],
            requirements.dense,
            requirements.nodes,
        )
        if breaks_rule(requirements.one, 0, rules, rule, whole):
            return False
    return True


@kernel
def _lay_out(
    recoding: Recoding, requirements: Requirements, one: int, leaving: int, joining: int
) -> None:
    """Store the values of a class as a single group."""
    amounts, size = recoding.amounts[one], recoding.size[one]
    _count(recoding, one, leaving, -1)
    _count(recoding, one, joining, 1)
    if leaving >= 0:
        size -= recoding.weights[leaving]
    if joining >= 0:
        size += recoding.weights[joining]
    n = 0
    for value in range(amounts.size):
        if amounts[value] > 0:
            requirements.one.values[n], requirements.one.amounts[n] = value, amounts[value]
            n += 1
    requirements.one.starts[1], requirements.one.counts[0] = n, size
    _count(recoding, one, leaving, 1)
    _count(recoding, one, joining, -1)


@kernel
def _count(recoding: Recoding, one: int, row: int, sign: int) -> None:
    if row >= 0:
        for column in range(recoding.values.shape[1]):
            recoding.amounts[one, recoding.values[row, column]] += sign * recoding.weights[row]
