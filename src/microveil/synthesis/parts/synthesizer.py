"""Synthesizer: fit a model once, draw from it as often as needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.synthesis.parts.model import SyntheticModel
from microveil.synthesis.parts.settings import SynthesisSettings
from microveil.tables import Door, Roles, Table, as_table

if TYPE_CHECKING:
    from microveil.synthesis.trust_map import TrustMap


class Synthesizer(SynthesisSettings):
    """Fit a model of a table and draw synthetic records from it, outside a recipe.

    >>> people = {"sex": ["f", "m"] * 10, "age": range(20, 40)}
    >>> model = Synthesizer().fit(people, seed=1)
    >>> model.sample(3, seed=2).shape
    (3, 2)
    """

    def fit(
        self, frame: Any, roles: Roles | None = None, seed: int | None = None
    ) -> FittedSynthesizer:
        """Fit the generator to a data frame; the model stays in memory and cannot be saved.

        The seed is a secret: anyone who has it can repeat the draw.
        """
        door = None if isinstance(frame, Table) else Door(frame)
        table = frame if door is None else Table(door.frame, roles)
        if door is None and roles is not None:
            table = table.with_roles(roles)
        model = SyntheticModel(self, table, np.random.default_rng(seed))
        return FittedSynthesizer(model, door)


class FittedSynthesizer:
    """A model of one table from which records can be drawn."""

    def __init__(self, model: SyntheticModel, door: Door | None) -> None:
        self.model, self._door = model, door
        self.facts = dict(model.facts)

    def sample(self, n: int | None = None, seed: int | None = None) -> Any:
        """Draw records, as the kind of frame that was fitted; by default as many as there were.

        Partial synthesis returns the whole table with the chosen cells redrawn.
        """
        drawn = self.model.draw(n, np.random.default_rng(seed))
        self.facts = dict(drawn.facts)
        if self._door is None:
            return drawn.table
        return self._door.back(
            drawn.table.frame, drawn.table.rows, keep_index=not drawn.table.synthetic
        )

    def trust_map(self, synthetic: Any = None) -> TrustMap | None:
        """Which relations were modelled, implied or lost, each with its error.

        A private model is assessed from its noisy answers, at no cost; any other is compared with
        the original: pass the synthetic frame, or one is drawn.
        """
        if synthetic is None:
            return self.model.trust_map(self.model.draw(None, np.random.default_rng(0)).table)
        return self.model.trust_map(as_table(synthetic))

    def copies(self, m: int, n: int | None = None, seed: int | None = None) -> list[Any]:
        """Draw several copies, each from its own random stream, for the combining rules."""
        seeds = np.random.SeedSequence(seed).spawn(m)
        return [self.sample(n, int(one.generate_state(1, np.uint64)[0])) for one in seeds]

    def __reduce__(self) -> Any:
        """Refuse to be saved."""
        return self.model.__reduce__()
