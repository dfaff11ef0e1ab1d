"""SearchResult: what a search found out about a lattice, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.display import Card, Shown, number
from microveil.errors import InputError
from microveil.search.lattice.choosing import examine_best, levels_at, parsed_levels
from microveil.search.lattice.examiner import Examiner, Finding
from microveil.search.lattice.journal import NO_SOLUTION, SOLUTION, UNKNOWN
from microveil.search.lattice.losses import Cost
from microveil.search.lattice.space import Levels

Status = Literal["checked", "implied", "unknown"]


class Node(NamedTuple):
    """One generalisation: a level for each key, and what is known about it."""

    levels: dict[str, int]
    status: Status
    """``checked`` (its classes were formed), ``implied`` (by other nodes), or unknown."""
    solution: bool | None
    """Whether it reaches the goal; None if it was not checked because it could not be the best."""
    loss: float | None
    """Its loss; None unless it was checked and is a solution."""
    least_loss: float
    """Lower bound on its loss, from its levels."""
    n_suppressed: int | None
    """Number of records it suppresses; for a node that is not a solution, a lower bound."""
    n_classes: int | None
    """Number of classes left."""
    minimal: bool
    """A solution that is known to fail if any one key goes a level lower."""
    maximal: bool
    """A non-solution that is known to succeed if any one key goes a level higher."""


class Reason(NamedTuple):
    """Why a key is at its level: the cost of the level, and of a lower one."""

    column: str
    level: int
    share_lost: float
    """Share of the key's maximum loss at its level, ignoring suppression."""
    n_suppressed: int | None
    """Records to suppress with the key a level lower; None at the lowest level."""
    n_forcing: int | None
    """Those of them that are not suppressed now: the records that force the level."""
    solution: bool | None
    """Whether a level lower would also reach the goal (and then cost more)."""
    loss: float | None
    """The loss a level lower, if it reaches the goal."""


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult(Shown):
    """The result of a search; ``optimum`` is the best solution, ``best(k)`` the k best.

    ``proved`` means that no other solution can cost less. Nodes that were skipped because they
    could not be the best are in ``nodes`` as unknown.
    """

    columns: tuple[str, ...]
    lowest: Levels
    highest: Levels
    strategy: str
    n_records: int
    most_suppressed: int
    proved: bool
    interrupted: bool
    """Whether the search was interrupted; what it had found is valid."""
    limited: bool
    """Whether a limit on nodes or time ended it."""
    reasons: tuple[Reason, ...] = ()
    _findings: dict[Levels, Finding] = field(default_factory=dict, repr=False)
    _implied: NDArray[np.int8] | None = field(default=None, repr=False)
    _least: Callable[[Levels], Cost] = field(default=lambda _: (0.0,), repr=False)
    _examiner: Examiner | None = field(default=None, repr=False)
    _titles: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    _releaser: Callable[[Mapping[str, int], int | None], Any] | None = field(
        default=None, repr=False
    )

    def card(self) -> Card:
        """The best generalisation, its cost, and whether it is proved."""
        looked = f"{self.n_checked:,} of {self.n_nodes:,} nodes checked ({self.strategy})"
        best = self.optimum
        if best is None:
            return Card("No generalisation reaches the goal", (looked,))
        levels = ", ".join(
            f"{name} {level} ({title})"
            for (name, level), title in zip(
                best.levels.items(), self.titles(best.levels).values(), strict=True
            )
        )
        removed = best.n_suppressed or 0
        sure = "no other solution costs less" if self.proved else "not proved to be the best"
        lines = (
            f"loss {number(best.loss)}; {sure}",
            f"{removed:,} record{'' if removed == 1 else 's'} removed",
        )
        return Card(f"Best generalisation: {levels}", (*lines, looked))

    @property
    def n_nodes(self) -> int:
        """Number of generalisations."""
        total = 1
        for low, high in zip(self.lowest, self.highest, strict=True):
            total *= high - low + 1
        return total

    @property
    def n_checked(self) -> int:
        """Number of nodes whose classes were formed."""
        return len(self._findings)

    @property
    def n_implied(self) -> int:
        """Number of nodes that were decided without checking."""
        if self._implied is None:
            return 0
        decided = int((self._implied != UNKNOWN).sum())
        known = sum(1 for levels in self._findings if self._implied[self._index(levels)] != UNKNOWN)
        return decided - known

    @cached_property
    def _ranked(self) -> list[Levels]:
        """Solutions that were checked, best first."""
        found = (
            (one.score, sum(node), node) for node, one in self._findings.items() if one.solution
        )
        return [node for _, _, node in sorted(found)]

    @property
    def optimum(self) -> Node | None:
        """The best solution; None if there is none."""
        return self._node(self._ranked[0]) if self._ranked else None

    def best(self, k: int = 10) -> tuple[Node, ...]:
        """The best solutions among those checked, best first.

        Beyond the first, better ones may be among the skipped nodes.
        """
        return tuple(self._node(levels) for levels in self._ranked[:k])

    def titles(self, levels: Mapping[str, int]) -> dict[str, str]:
        """What the level of each key means, in words: ``width 10``, ``month``."""
        if not self._titles:
            return {name: f"level {level}" for name, level in levels.items()}
        named = zip(self.columns, self._titles, strict=True)
        return {name: titles[levels[name]] for name, titles in named}

    def first(self, n: int) -> tuple[Node, ...]:
        """The n best solutions, best first, looked for until no better one can be left out.

        In a large lattice this looks at some thousand nodes at most; what is then known counts.
        """
        known = n == 1 and self.proved and self.optimum is not None
        if self._examiner is not None and not known:
            examine_best(self._examiner, self._findings, self._open(), n)
            self.__dict__.pop("_ranked", None)
        return self.best(n)

    def node(self, which: int | str | Mapping[str, int | str] | Node = 1) -> Node:
        """A node by its rank (1 is the best solution) or by its levels, looked at if need be.

        Levels go by name or number: ``{"age": 1, "sex": 0}``, the text ``age=1,sex=0``, or ``1,0``
        in the order of the keys.
        """
        if isinstance(which, Node):
            which = which.levels
        if isinstance(which, str):
            which = int(which) if which.strip().isdecimal() else parsed_levels(which, self.columns)
        if isinstance(which, int):
            return self._at_rank(which)
        levels = levels_at(self.columns, self._titles, self.lowest, which)
        if not self._inside(levels):
            raise InputError(
                "No such node in this lattice: levels of its keys go from {lowest} to {highest}.",
                lowest=self._describe_node(self.lowest),
                highest=self._describe_node(self.highest),
            )
        if levels not in self._findings and self._examiner is not None:
            self._findings[levels] = self._examiner.examine(levels)
            self.__dict__.pop("_ranked", None)
        return self._node(levels)

    def around(self, which: int | str | Mapping[str, int | str] | Node = 1) -> tuple[Node, ...]:
        """The neighbours of a node: one key a level lower, or one key a level higher."""
        levels = tuple(self.node(which).levels.values())
        beside = [*self._neighbours(levels, -1), *self._neighbours(levels, +1)]
        return tuple(self.node(dict(zip(self.columns, one, strict=True))) for one in beside)

    def release(
        self, which: int | str | Mapping[str, int | str] | Node = 1, *, seed: int | None = None
    ) -> Any:
        """Release a node: by its rank (1 is the best solution), its levels, or itself."""
        node = self.node(which)
        if not node.solution:
            raise InputError(
                "Node {node} does not reach the goal. Choose one of `best()`.",
                node=self._describe_node(tuple(node.levels.values())),
            )
        if self._releaser is None:
            raise InputError(
                "This search does not know its table. Release with `levels` in a recipe's step."
            )
        return self._releaser(node.levels, seed)

    def _at_rank(self, rank: int) -> Node:
        found = self.first(rank) if rank > 0 else ()
        if not 0 < rank <= len(found):
            raise InputError(
                "No node {rank}: {n_found} solutions are known, the best is node 1.",
                rank=rank,
                n_found=len(found),
            )
        return found[rank - 1]

    def _describe_node(self, levels: Levels) -> str:
        return ",".join(f"{name}={at}" for name, at in zip(self.columns, levels, strict=True))

    def _open(self) -> Iterator[Levels]:
        """Nodes that were not examined and may be solutions."""
        ranges = [range(a, b + 1) for a, b in zip(self.lowest, self.highest, strict=True)]
        return (
            levels
            for levels in product(*ranges)
            if levels not in self._findings and self._verdict(levels) != NO_SOLUTION
        )

    def nodes(self, most: int | None = None) -> Iterator[Node]:
        """All nodes in the order of their levels, or the first few."""
        ranges = [range(a, b + 1) for a, b in zip(self.lowest, self.highest, strict=True)]
        return (self._node(levels) for levels in islice(product(*ranges), most))

    @cached_property
    def minimal(self) -> tuple[Node, ...]:
        """Solutions that fail if any one key goes a level lower."""
        marked = (self._node(levels) for levels in self._ranked)
        return tuple(node for node in marked if node.minimal)

    def frame(self, most: int = 1_000_000) -> pl.DataFrame:
        """One row per node: the levels, by column, then what is known."""
        nodes = list(self.nodes(most))
        known: dict[str, list[Any]] = {
            name: [getattr(node, name) for node in nodes]
            for name in Node._fields
            if name != "levels"
        }
        levels = {
            f"{name}_level" if name in known else name: [node.levels[name] for node in nodes]
            for name in self.columns
        }
        kinds: dict[str, type[pl.DataType]] = {
            "status": pl.String,
            "solution": pl.Boolean,
            "loss": pl.Float64,
            "n_suppressed": pl.Int64,
            "n_classes": pl.Int64,
        }
        return pl.DataFrame(levels | known, schema_overrides=kinds)

    def explain(self) -> pl.DataFrame:
        """For each key of the best solution, the cost of its level and what forces it."""
        return pl.DataFrame(
            [reason._asdict() for reason in self.reasons],
            schema={
                "column": pl.String,
                "level": pl.Int64,
                "share_lost": pl.Float64,
                "n_suppressed": pl.Int64,
                "n_forcing": pl.Int64,
                "solution": pl.Boolean,
                "loss": pl.Float64,
            },
        )

    def to_dict(self, best: int = 10) -> dict[str, Any]:
        """Plain data for JSON: the figures, the best solutions, the reasons."""
        return {
            "strategy": self.strategy,
            "columns": list(self.columns),
            "n_nodes": self.n_nodes,
            "n_checked": self.n_checked,
            "n_implied": self.n_implied,
            "n_records": self.n_records,
            "most_suppressed": self.most_suppressed,
            "proved": self.proved,
            "interrupted": self.interrupted,
            "limited": self.limited,
            "best": [node._asdict() for node in self.best(best)],
            "reasons": [reason._asdict() for reason in self.reasons],
        }

    def _index(self, levels: Levels) -> Levels:
        return tuple(a - b for a, b in zip(levels, self.lowest, strict=True))

    def _inside(self, levels: Levels) -> bool:
        return all(a <= b <= c for a, b, c in zip(self.lowest, levels, self.highest, strict=True))

    def _verdict(self, levels: Levels) -> int:
        known = self._findings.get(levels)
        if known is not None:
            return SOLUTION if known.solution else NO_SOLUTION
        return UNKNOWN if self._implied is None else int(self._implied[self._index(levels)])

    def _neighbours(self, levels: Levels, step: int) -> Iterator[Levels]:
        for key, level in enumerate(levels):
            moved = (*levels[:key], level + step, *levels[key + 1 :])
            if self._inside(moved):
                yield moved

    def _node(self, levels: Levels) -> Node:
        found, verdict = self._findings.get(levels), self._verdict(levels)
        minimal = verdict == SOLUTION and all(
            self._verdict(one) == NO_SOLUTION for one in self._neighbours(levels, -1)
        )
        maximal = verdict == NO_SOLUTION and all(
            self._verdict(one) == SOLUTION for one in self._neighbours(levels, +1)
        )
        status: Status = "checked" if found else "implied" if verdict != UNKNOWN else "unknown"
        return Node(
            levels=dict(zip(self.columns, levels, strict=True)),
            status=status,
            solution=None if verdict == UNKNOWN else verdict == SOLUTION,
            loss=found.score[0] if found and found.solution else None,
            least_loss=(found.bound if found else self._least(levels))[0],
            n_suppressed=found.n_suppressed if found else None,
            n_classes=found.n_classes if found and found.solution else None,
            minimal=minimal,
            maximal=maximal,
        )
