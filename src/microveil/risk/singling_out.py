"""Singling-out attack: whether a release shows how to isolate exactly one person."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.risk.attacks.base import Attacked, AttackMeasure, attack_columns
from microveil.risk.attacks.questions import SEVERAL, SINGLE, Asker
from microveil.risk.attacks.rates import Rate, Rates
from microveil.risk.attacks.subsets import MOST_CELLS, worst_by_columns
from microveil.scores import Score
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.risk.attacks.people import Scene

FEWEST = 20
"""Queries that a set of columns must yield to be judged by: a few say nothing."""
N_CHANCES = 150
"""Grid of match probabilities on which the mixture is estimated."""
N_ROUNDS = 500
"""EM iterations: fewer stay close to the uniform start, more fit the noise."""
N_REPEATS = 30
"""Resamples of the queries used to assess the uncertainty of the estimate."""
MANY = 30


class SinglingOut(AttackMeasure):
    """Share of queries derived from a release that match exactly one person of the original.

    The intruder looks for queries that match one released record ("age at least 88 and widowed")
    and hopes that they match one person. ``multivariate`` queries come from random records and
    columns, ``univariate`` ones from values that occur once and from the extremes of numbers. The
    baseline uses random queries. The control applies the same queries to people who were not used
    for the release, because queries for rare values match one person in any sample. A larger
    control is scaled to the original's size exactly, a smaller one by an estimate whose uncertainty
    widens the interval (Giomi et al. 2023; Cohen & Nissim 2020).

    Queries that find the same person are correlated, which widens the intervals. Rates are shares
    of the queries actually found (``parts["n_attacks"]``, of ``n_tried``): a release in which
    nobody is unique yields none, and a risk of 0. Duplicates count: a query that matches two people
    with the same values singles nobody out.

    >>> people = {"age": [20, 30, 40, 50], "zip": ["a", "b", "c", "d"]}
    >>> SinglingOut(mode="univariate").measure(people, people).parts["attack"]["rate"]
    1.0
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Singling-out attack"
    headline: ClassVar[bool] = True
    name: Literal["singling_out"] = "singling_out"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    mode: Literal["multivariate", "univariate"] = "multivariate"
    """Queries on several columns, or on one."""
    n_columns: int = Field(default=3, ge=1)
    """Number of columns in a multivariate query."""
    columns: Columns = ()
    """Columns that queries may use; by default all that both tables have."""
    max_attempts: int = Field(default=200_000, ge=1)
    """Largest number of queries tried to find those that single out a released record."""

    def attack(self, case: Attacked, rng: np.random.Generator) -> Score:
        """Find the queries in the release, and apply them to the original and the control."""
        original, released, _ = case.tables
        names = attack_columns(case.tables, self.columns, attack=phrase("Singling out"))
        if released.height == 0 or original.height == 0:
            nothing = Rate(0, 0.0, self.confidence)
            parts = {"mode": self.mode, "n_tried": 0, "n_people": 0, "columns": names}
            return Rates(nothing, nothing).score(self.kind(), parts=parts)
        # Everybody has a constant: a query that asks for it asks for one column fewer.
        names = [name for name in names if released.frame[name].n_unique() > 1] or names
        scene = case.scene(names)
        n_pairs = original.height * released.height

        every = self._by(scene, deepcopy(rng), self.max_attempts)
        # If no query singles a released record out, none by fewer columns does.
        n_pairs = n_pairs if every.parts["n_attacks"] else MOST_CELLS

        def by(columns: tuple[str, ...]) -> Score | None:
            if len(columns) == len(names):
                return every
            found = self._by(scene.only(columns), deepcopy(rng), every.parts["n_tried"])
            return found if found.parts["n_attacks"] >= FEWEST else None

        # Queries by columns that the intruder may ignore must not make a release look safer.
        return worst_by_columns(names, scene.labelled_columns(), n_pairs, by, self.confidence)

    def _by(self, scene: Scene, rng: np.random.Generator, max_attempts: int) -> Score:
        """The attack by the columns of a scene."""
        names = list(scene.columns)
        asker = Asker(scene)
        if self.mode == "univariate":
            n_columns = 1
            questions = asker.rare_values(self.n_attacks, rng)
            n_tried = len(questions.columns)
        else:
            n_columns = min(self.n_columns, len(names))
            questions, n_tried = asker.combinations(self.n_attacks, n_columns, max_attempts, rng)
        counts, who = asker.answers(questions, 0)
        random = asker.random(self.n_attacks, n_columns, rng)
        people = scene.person("original")
        held_out = None
        if scene.height("control"):
            sizes = (scene.n_people("control"), scene.n_people("original"))
            limit = _worth_counting(*sizes)
            found = asker.answers(questions, 2, limit)
            held_out = self._control_rate(found[0], scene.person("control")[found[1]], sizes, rng)
        asked, answered = asker.answers(random, 0)
        rates = Rates(
            self._rate(counts, people[who]), self._rate(asked, people[answered]), held_out
        )
        singled_out = np.isin(people, people[who[counts == SINGLE]]).astype(np.float64)
        n_people = len(np.unique(people[who[counts == SINGLE]]))
        parts = {"mode": self.mode, "n_tried": n_tried, "n_people": n_people, "columns": names}
        return rates.score(self.kind(), parts=parts, records=scene.of_records(singled_out))

    def _rate(self, counts: NDArray[np.int64], who: NDArray[np.int64]) -> Rate:
        hits = counts == SINGLE
        n_worth = len(counts) / _repetition(who[hits])
        return Rate(len(counts), float(hits.sum()), self.confidence, n_worth)

    def _control_rate(
        self,
        counts: NDArray[np.int64],
        who: NDArray[np.int64],
        sizes: tuple[int, int],
        rng: np.random.Generator,
    ) -> Rate:
        """Successes scaled to the size of the original; an estimate is worth fewer attacks.

        Its effective number of attacks is the one with the same spread as the estimate when queries
        are resampled.
        """
        n = len(counts)
        found = min(singled_out_of(counts, *sizes), float(n))
        n_worth = float(n)
        if n > 0 and sizes[1] > sizes[0]:
            drawn = [singled_out_of(rng.choice(counts, n), *sizes) / n for _ in range(N_REPEATS)]
            share, variance = found / n, float(np.var(drawn))
            if variance > 0:
                n_worth = max(min(n_worth, share * (1 - share) / variance), 1.0)
        n_worth /= _repetition(who[counts == SINGLE])
        return Rate(n, found, self.confidence, n_worth)


def _worth_counting(n_counted: int, n_wanted: int) -> int:
    """Number of matches up to which the control's counts matter."""
    if n_wanted < n_counted:
        return n_counted + 1
    return SEVERAL if n_wanted == n_counted else MANY + 1


def _repetition(who: NDArray[np.int64]) -> float:
    """How often the same people are hit: queries that find the same person are correlated.

    The mean, over successes, of the successes with that person: the design effect of clusters.
    """
    _, often = np.unique(who, return_counts=True)
    return float((often**2).sum() / often.sum()) if len(often) else 1.0


def singled_out_of(counts: NDArray[np.int64], n_counted: int, n_wanted: int) -> float:
    """Queries that would match exactly one of ``n_wanted`` records, from counts among others.

    ``counts`` are the matches among ``n_counted`` records. For fewer records the result is exact,
    the mean over all samples of that size. For more, the distribution of the match probability over
    the queries is estimated from the counts (a mixture of binomials, by EM), and gives the
    expectation.

    >>> singled_out_of(np.array([1, 2, 0]), 10, 10), singled_out_of(np.array([1, 2]), 10, 5)
    (1.0, 1.0555555555555556)
    """
    if n_wanted == n_counted or len(counts) == 0:
        return float((counts == SINGLE).sum())
    distinct, often = np.unique(counts, return_counts=True)
    if n_wanted < n_counted:
        chances = [_one_drawn(int(count), n_counted, n_wanted) for count in distinct]
        return float(np.dot(often, chances))
    return _expected_among_more(distinct, often, n_counted, n_wanted)


def _one_drawn(matching: int, n: int, size: int) -> float:
    """Probability that a sample holds exactly one of the matching records (hypergeometric)."""
    if matching == 0 or n - matching < size - 1:
        return 0.0
    # The other matching records fall among those not sampled, one after another.
    others = np.arange(matching - 1)
    return float(matching * size / n * np.prod((n - size - others) / (n - 1 - others)))


def _expected_among_more(
    distinct: NDArray[np.int64], often: NDArray[np.int64], n_counted: int, n_wanted: int
) -> float:
    """Expected successes among more records, from the estimated match probabilities."""
    # A query that matches many records singles nobody out among more of them.
    often, distinct = often[distinct <= MANY], distinct[distinct <= MANY]
    if not len(distinct):
        return 0.0
    highest = min(1.0, 2 * (MANY + 10) / n_counted)
    chances = np.append(0.0, np.geomspace(0.02 / n_wanted, highest, N_CHANCES))
    chances = np.minimum(chances, 1 - 1e-9)
    logs = np.where(distinct[:, None] > 0, -np.inf, np.zeros(len(chances)))
    logs[:, 1:] = distinct[:, None] * np.log(chances[1:])
    logs += (n_counted - distinct[:, None]) * np.log1p(-chances)
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    spread = np.full(len(chances), 1 / len(chances))
    for _ in range(N_ROUNDS):
        shares = likely * spread
        shares /= shares.sum(axis=1, keepdims=True)
        spread = often @ shares / often.sum()
    single = n_wanted * chances * np.exp((n_wanted - 1) * np.log1p(-chances))
    return float(often.sum() * (spread @ single))
