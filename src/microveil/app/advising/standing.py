"""Standing: the risk of a release on the map, on one scale for all methods.

Expected share of the original's records that an intruder finds who knows the keys: by class sizes
where values are true, by record linkage where keys were changed, by an attack where records were
drawn.
"""

from __future__ import annotations

from microveil.app.advising.limits_drawn import score_alone
from microveil.measures.evidence import perturbed_keys
from microveil.measures.subject import Subject
from microveil.recipes import Recipe
from microveil.risk import Linkability, RecordLinkage
from microveil.tables import Table, standings

MOST_PAIRS = 50_000_000
"""Pairs of records that linkage looks at; of more, a sample."""
ATTACKS = 500


def risk_of(recipe: Recipe, original: Table, shown: Table, subject: Subject) -> float | None:
    """The risk of a release whose keys are shown in a table; None where it cannot be told."""
    if not any(original.roles.key_sets().values()):
        return 0.0
    if shown.synthetic:
        return score_alone(Linkability(n_attacks=ATTACKS), subject)
    kept = min(shown.height / max(original.height, 1), 1.0)
    if perturbed_keys(recipe, original):
        found = score_alone(RecordLinkage(most_pairs=MOST_PAIRS), subject)
        return None if found is None else kept * found
    by_set = standings(shown, recipe.missing_keys)
    return kept * max((one.average_risk for one in by_set.values()), default=0.0)
