"""Re-identification risk of the prosecutor, the journalist and the marketer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.measures.base import RiskMeasure
from microveil.populations.frequencies import frequencies
from microveil.populations.population_file import fitting, looked_up, read_population
from microveil.populations.sampling import Sampled
from microveil.risk.population.suppressed import stars_blanked, suppressed_classes
from microveil.scores import Score
from microveil.tables import Classes, Missing, Roles, Table, as_table, to_polars

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.arrays import Floats

BOUNDS = (
    *(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01),
    *(0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1),
    *(0.125, 0.143, 0.167, 0.2, 0.25, 0.334, 0.5, 1.0),
)
"""Upper bounds of the risk intervals in the frame ``distribution`` (ARX)."""


@dataclass(frozen=True, eq=False)
class _Risks:
    """Probabilities for the classes that have a key left."""

    classes: Classes
    shown: NDArray[np.bool_]
    """The classes concerned."""
    prosecutor: Floats
    journalist: Floats
    n_outside: int

    @property
    def counts(self) -> NDArray[np.int64]:
        """People (records, unless the roles name an entity) in each of these classes."""
        return self.classes.counts[self.shown]

    @property
    def n_records(self) -> int:
        """Records in these classes."""
        return int(self.classes.record_counts[self.shown].sum())

    def average(self, risks: Floats) -> float:
        """Mean over people."""
        n = int(self.counts.sum())
        return float(self.counts @ risks) / n if n else 0.0

    def of_records(self, risks: Floats) -> Floats:
        """Probability for each record; a guess among all if it has no key left."""
        of_class = np.full(self.classes.n_classes, 1 / max(self.classes.n_records, 1))
        of_class[self.shown] = risks
        return of_class[self.classes.record_class]

    def summary(self, risks: Floats, threshold: float) -> dict[str, float]:
        """Highest, lowest and average risk, and the share of people above a threshold."""
        return {
            "highest": float(risks.max(initial=0.0)),
            "lowest": float(risks.min()) if len(risks) else 0.0,
            "average": self.average(risks),
            "above_share": self.average((risks > threshold).astype(np.float64)),
        }


class ReidentificationRisk(Sampled, RiskMeasure):
    """Probability that a prosecutor, a journalist or a marketer identifies the right person.

    The *prosecutor* knows that a person is in the table: 1 / class size. The *journalist* does not,
    and guesses among the people in the population with the same keys. The *marketer* guesses for
    everybody and counts correct guesses (El Emam & Dankar 2008; Dankar & El Emam 2010). The
    population is a file, or is estimated from weights or from its size; the risk is then the
    expectation of 1/F (see ``individual_risk``). Without any of these the table is the population,
    and the journalist risk equals the prosecutor risk.

    Records with every key missing or ``*`` are suppressed and left out, as in ARX; ``parts`` counts
    them, and in ``records`` they have the probability of a guess among all. The value is the
    highest risk of the chosen ``attacker``, or the average for the marketer. An empty table scores
    0.

    >>> people = {"sex": ["f", "f", "m", "*"]}
    >>> score = ReidentificationRisk().measure(people, roles=Roles(quasi_identifiers=["sex"]))
    >>> score.value, round(score.parts["marketer"]["average"], 4), score.parts["n_suppressed"]
    (1.0, 0.6667, 1)
    """

    weighs: ClassVar[bool] = True
    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Chance of re-identification"
    headline: ClassVar[bool] = True
    name: Literal["reidentification_risk"] = "reidentification_risk"
    by_scenario: ClassVar[bool] = True
    counts_classes: ClassVar[bool] = True
    attacker: Literal["prosecutor", "journalist", "marketer"] = "prosecutor"
    """Whose risk the value and ``records`` give; ``parts`` has all three."""
    threshold: float = Field(default=0.2, gt=0, le=1)
    """Risk above which a record is at risk; health agencies use 0.05 to 0.33."""
    population: str | None = Field(default=None, min_length=1)
    """Path of a population file with the same quasi-identifiers in the same coding."""
    missing: Missing = "category"
    """Whether a missing (or ``*``) key is a value of its own or matches every value."""

    @model_validator(mode="after")
    def _one_population(self) -> Self:
        if self.population is not None and self.sampled:
            raise ValueError(
                "give either a population file or the size of the population, not both"
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Count, for each set of keys, the people that a record may be confused with."""
        return self._score(table, None)

    def against(self, table: Any, population: Any, roles: Roles | None = None) -> Score:
        """Score against a given population, whatever the parameters name."""
        return self._score(as_table(table, roles), to_polars(population))

    def _score(self, table: Table, people: pl.DataFrame | None) -> Score:
        (_, main), *others = table.roles.key_sets().items()
        risks = self._risks(table, main, people)
        parts = self._parts(risks)
        if others:
            parts["scenarios"] = {
                str(name): self._parts(self._risks(table, keys, people)) for name, keys in others
            }
        of_class = risks.prosecutor if self.attacker == "prosecutor" else risks.journalist
        return Score(
            measure=self.kind(),
            value=parts[self.attacker]["average" if self.attacker == "marketer" else "highest"],
            parts=parts,
            records=risks.of_records(of_class),
            frames={"distribution": _distribution(risks, of_class)},
        )

    def _parts(self, risks: _Risks) -> dict[str, Any]:
        journalist = risks.summary(risks.journalist, self.threshold)
        marketer = {"average": journalist["average"]}
        # A journalist may equally pick one of all the people that fit any record (ARX).
        people = float((1 / risks.journalist).sum())
        picked = len(risks.journalist) / people if people else 0.0
        journalist["average"] = max(journalist["average"], picked)
        return {
            "n_records": risks.n_records,
            "n_suppressed": risks.classes.n_records - risks.n_records,
            "n_outside_population": risks.n_outside,
            "threshold": self.threshold,
            "prosecutor": risks.summary(risks.prosecutor, self.threshold),
            "journalist": journalist,
            "marketer": marketer,
        }

    def _risks(self, table: Table, keys: tuple[str, ...], people: pl.DataFrame | None) -> _Risks:
        if self.missing == "wildcard":
            table = stars_blanked(table, keys)
        classes = Classes.of(table, keys, self.missing)
        shown = ~suppressed_classes(classes)
        sizes = classes.sizes[shown].astype(np.float64)
        if people is None and self.population is not None:
            people = read_population(self.population, looked_up(classes)[0])
        if people is not None:
            counts = fitting(classes, people)[shown]
            n_outside = int(classes.record_counts[shown][counts < sizes].sum())
            return _Risks(classes, shown, 1 / sizes, 1 / np.maximum(counts, sizes), n_outside)
        return _Risks(classes, shown, 1 / sizes, self._estimate(table, classes, shown), 0)

    def _estimate(self, table: Table, classes: Classes, shown: NDArray[np.bool_]) -> Floats:
        """Expected 1/F if only the sampled share of the population is known."""
        sizes = classes.sizes[shown].astype(np.float64)
        if not self.sampled and table.roles.weight is None:
            return 1 / sizes
        from microveil.kernels.statistics.inverse_frequencies import expected_inverses

        if self.sampled:
            n = int(classes.counts[shown].sum())
            share = n / self.population_of(n) if n else 1.0
            return expected_inverses(sizes, np.full(len(sizes), share))
        drawn = frequencies(table, classes.columns, self.missing).drawn
        return expected_inverses(sizes, drawn[shown])


def _distribution(risks: _Risks, of_class: Floats) -> pl.DataFrame:
    """Share of the people in each risk interval."""
    place = np.minimum(np.searchsorted(BOUNDS, of_class, side="left"), len(BOUNDS) - 1)
    counts = np.bincount(place, weights=risks.counts, minlength=len(BOUNDS))
    shares = counts / max(float(counts.sum()), 1.0)
    return pl.DataFrame(
        {"up_to": BOUNDS, "people_share": shares, "cumulative_share": np.cumsum(shares)}
    )
