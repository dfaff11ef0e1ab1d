"""Attacks: three simulated attacks on every release, and a caution for each that succeeds.

The ceilings are those of a public release: 9 % of right guesses about who a record belongs to (the
European Medicines Agency's policy 0070), and 20 % beyond guessing for what is inferred, since that
includes what statistics say about anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from microveil.errors import MicroveilError
from microveil.measures.subject import Subject
from microveil.measures.taking import take
from microveil.release.cautions import Caution
from microveil.risk import Inference, Linkability, SinglingOut
from microveil.texts import Message, percent

if TYPE_CHECKING:
    from microveil.recipes import Recipe
    from microveil.release.release import Release
    from microveil.scores import Score
    from microveil.tables import Table

CEILINGS = {"singling_out": 0.09, "linkability": 0.09, "inference": 0.2}
"""Largest accepted risk of each attack."""
FEWEST_RECORDS = 100
"""With fewer records the intervals of attacks reach from low to high: they prove nothing."""
MOST_CELLS = 5_000_000
"""Larger tables are attacked for reports and by `compare` only."""
ATTACK_WORDS = {
    "singling_out": Message("caution.singling_out", "Singling out one person"),
    "linkability": Message("caution.linkability", "Linking two parts of a record"),
    "inference": Message("caution.inference", "Inferring a value of a person"),
}
ATTACKS = (SinglingOut, Linkability, Inference)
"""With as many attempts as in reports and comparisons: fewer would find less, since the rare
records that are singled out are seldom drawn."""


@dataclass(frozen=True)
class Attack:
    """One simulated attack: its risk, its interval and its ceiling."""

    name: str
    risk: float
    low: float
    high: float
    ceiling: float
    secret: str | None = None
    """The column that was inferred."""

    @property
    def is_above(self) -> bool:
        """Whether the attack certainly succeeds more often than is accepted."""
        return self.low > self.ceiling

    @property
    def words(self) -> Message:
        """What the attack does, as a line of text begins."""
        if self.secret is None:
            return ATTACK_WORDS[self.name]
        return Message(
            "caution.inference_of", "Inferring column {name:quoted}", name=(self.secret,)
        )


def attack_release(release: Release) -> tuple[Attack, ...]:
    """The attacks that no requirement limits; none on tables too small or too large for them."""
    return tuple(_attacks(release.attack_scores))


def attack_tables(recipe: Recipe, original: Table, table: Table) -> tuple[Attack, ...]:
    """The same on the tables of a release."""
    return tuple(_attacks(score_attacks(recipe, original, table)))


def score_attacks(recipe: Recipe, original: Table, table: Table) -> Mapping[str, Score]:
    """The score of each attack that no requirement limits: cautions and reports share it."""
    n_cells = original.height * len(original.columns)
    if min(table.height, original.height) < FEWEST_RECORDS or n_cells > MOST_CELLS:
        return {}
    required = {limit.spec.kind() for limit in recipe.limits}
    measures = [kind() for kind in ATTACKS if kind.kind() not in required]
    try:
        subject = Subject.made_by(recipe, original, table)
        return take(measures, subject, records=False).scores
    except MicroveilError:  # nothing to attack: no columns in common
        return {}


def _attacks(scores: Mapping[str, Score]) -> Iterator[Attack]:
    for name, score in scores.items():
        low, high = score.interval or (score.value, score.value)
        secret = score.parts.get("secret")
        yield Attack(name, float(score.value), float(low), float(high), CEILINGS[name], secret)


def caution_of_attack(attack: Attack) -> Caution:
    """What an attack above its ceiling means, and the requirement that would rule it out."""
    sentence = Message(
        "caution.attack",
        "{what} succeeds in simulated attacks beyond guessing: {risk} (between {low} and {high}); "
        "{ceiling} is accepted for public data. Require it, or coarsen what is exact.",
        what=attack.words,
        risk=percent(attack.risk),
        low=percent(attack.low),
        high=percent(attack.high),
        ceiling=percent(attack.ceiling),
    )
    public = Message(
        "caution.attack_public",
        "{what} succeeds in simulated attacks more often than is accepted for public data "
        "({ceiling}).",
        what=attack.words,
        ceiling=percent(attack.ceiling),
    )
    require = {"measure": attack.name, "at_most": attack.ceiling}
    details = {"risk": attack.risk, "ceiling": attack.ceiling, "require": require}
    return Caution("attack_above_ceiling", sentence, (), details, public)
