"""Records drawn from a model of the data, with and without differential privacy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.app.advising.families.base import At, Family, Knowledge
from microveil.methods import Drop, Method, Synthesize

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation

GENERATORS = ("cart", "marginals")


class Synthesis(Family):
    """All records replaced by drawn ones."""

    name: ClassVar[str] = "synthesize"
    method: ClassVar[str] = "synthesize"
    truthful: ClassVar[bool] = False
    keeps_records: ClassVar[bool] = False
    synthetic: ClassVar[bool] = True
    cost: ClassVar[float] = 3e-5
    known: ClassVar[Knowledge] = Knowledge(
        have="analyses that are known beforehand, or files for teaching and testing",
        need="no record of anybody in the release",
        why="Statistics of the model are kept, people are not.",
        beware="What was not modelled is lost; outliers may be copied. No model that counts "
        "classes can be claimed.",
    )

    def suits(self, here: Situation) -> bool:
        """Where no model counts classes, and what counts are analyses or ceilings."""
        asked = bool(here.goal.analyses or here.limits)
        return not here.models and asked and here.goal.epsilon is None

    def starts(self, here: Situation) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """Trees, then independent columns."""
        for one in GENERATORS:
            yield (one,)

    def around(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """The other generators."""
        for one in GENERATORS:
            if one != at[0]:
                yield (one,)

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step over all columns."""
        del here
        return (Synthesize.parse({"generator": at[0]}),)

    def detail(self, here: Situation, at: At) -> str:  # noqa: ARG002  whatever the table
        """The generator."""
        return str(at[0])


class PrivateSynthesis(Synthesis):
    """Records drawn from a model that is fitted with differential privacy."""

    name: ClassVar[str] = "synthesize_private"
    cost: ClassVar[float] = 6e-5
    known: ClassVar[Knowledge] = Knowledge(
        have="a limit ε on what anybody's presence may change",
        need="a guarantee that holds whatever an intruder knows",
        why="Noise is added to the counts that the model is fitted to.",
        beware="No value is true, and small groups are drowned in noise; it takes long.",
    )

    def suits(self, here: Situation) -> bool:
        """Where the goal names ε."""
        return here.goal.epsilon is not None

    def starts(self, here: Situation) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """Both private generators."""
        yield ("mst",)
        yield ("aim",)

    def around(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """None: ε says how strong the noise is."""
        return iter(())

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """One step over all columns whose values are declared, with the goal's ε."""
        made: dict[str, Any] = {"generator": at[0], "epsilon": here.goal.epsilon}
        if here.goal.domain:
            made["domain"] = here.goal.to_dict()["domain"]
        ids = set(here.climbing.ids)
        others = tuple(n for n in here.frame.columns if n not in here.goal.domain and n not in ids)
        gone: tuple[Method, ...] = (Drop(columns=others),) if others else ()
        return (*gone, Synthesize.parse({"generator": made}))

    def detail(self, here: Situation, at: At) -> str:
        """The generator and ε."""
        return f"{at[0]}, ε {here.goal.epsilon:g}"
