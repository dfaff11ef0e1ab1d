"""The privacy models restated from their definitions, on plain rows.

Every function takes a model's parameters as they stand in a recipe and says what is reached, and
whether the promise is kept. Nothing here is imported from the library.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from tests.verifier import estimates, populations
from tests.verifier.seen import Group, Seen, values

SLACK = 1e-12
Verdict = tuple[float, bool]
Said = Mapping[str, Any]


def k_anonymity(seen: Seen, said: Said) -> Verdict:
    """k-anonymity (Samarati & Sweeney 1998): every combination of keys occurs k times."""
    smallest = min((group.size for group in seen.groups), default=0)
    return smallest, not seen.groups or smallest >= said["k"]


def l_diversity(seen: Seen, said: Said) -> Verdict:
    """l-diversity (Machanavajjhala et al. 2007): l well-represented values in every class.

    Distinct: l values. Entropy: e^H ≥ l. Recursive (c, l): r₁ < c·(r_l + … + r_m). People whose
    rows are linked have sets of values; a value that all of a class have is given away.
    """
    reached, seen = math.inf, seen.beside(said["column"])
    for group in seen.groups:
        counts = values(seen, group.matched, said["column"], tidy=not said["missing_counts"])
        if not said["missing_counts"]:
            unknown = frozenset([None]) if seen.sets else None
            known = Counter({one: n for one, n in counts.items() if one != unknown})
            counts = known or counts
        given_away = seen.sets and frozenset.intersection(*counts)
        reached = min(reached, 1 if given_away else _diversity(counts, said))
    return reached, reached >= said["l"] * (1 - SLACK)


def _diversity(counts: Counter[Any], said: Said) -> float:
    ordered, total = sorted(counts.values(), reverse=True), sum(counts.values())
    if said["kind"] == "distinct":
        return len(ordered)
    if said["kind"] == "entropy":
        if len(set(ordered)) == 1:
            return len(ordered)
        return math.exp(-math.fsum(n / total * math.log(n / total) for n in ordered))
    c = said["c"] * (1 - SLACK)
    ranks = [rank for rank in range(len(ordered)) if ordered[0] < c * sum(ordered[rank:])]
    return max(ranks, default=0) + 1


def t_closeness(seen: Seen, said: Said) -> Verdict:
    """t-closeness (Li et al. 2007): earth mover's distance to the whole table of at most t.

    Equal: half the sum of differences of shares. Ordered: differences of cumulated shares, over
    the number of steps between the values. Hierarchical: values are as far apart as the lowest
    node above both is high; moved as cheaply as a linear programme finds.
    """
    column, distance = said["column"], said["distance"]
    seen = seen.beside(column)
    by_value = distance != "equal"
    everybody = _counted(seen, range(len(seen.rows)), column, single=by_value)
    far = 0.0
    for group in seen.groups:
        counts = _counted(seen, group.matched, column, single=by_value)
        if distance == "equal":
            far = max(far, _apart(counts, everybody))
        elif distance == "ordered":
            far = max(far, _steps_apart(counts, everybody, _order(seen, said, everybody)))
        else:
            far = max(far, estimates.transported(counts, everybody, said["tree"]))
    return far, far <= said["t"] + SLACK * 10


def _counted(seen: Seen, rows: Sequence[int], column: str, *, single: bool = False) -> Counter[Any]:
    """Values of rows; where sets have no distance, a person counts once for each value."""
    return values(seen if not (single and seen.sets) else seen.by_row, rows, column, tidy=False)


def _apart(here: Counter[Any], there: Counter[Any]) -> float:
    n, m = sum(here.values()), sum(there.values())
    return math.fsum(abs(here[value] / n - there[value] / m) for value in there) / 2


def _order(seen: Seen, said: Said, everybody: Counter[Any]) -> list[Any]:
    known = [value for value in everybody if value is not None]
    if said["order"]:
        known.sort(key=lambda value: list(said["order"]).index(str(value)))
    else:
        ranks = (seen.ranks or {}).get(said["column"])
        known.sort(key=lambda value: value if ranks is None else ranks[value])
    return [*known, None] if None in everybody else known


def _steps_apart(here: Counter[Any], there: Counter[Any], order: Sequence[Any]) -> float:
    n, m = sum(here.values()), sum(there.values())
    moved = far = 0.0
    for value in order[:-1]:
        moved += here[value] / n - there[value] / m
        far += abs(moved)
    return far / max(len(order) - 1, 1)


def alpha_k_anonymity(seen: Seen, said: Said) -> Verdict:
    """(α, k)-anonymity (Wong et al. 2006): k records, and no value has more than a share α.

    Of people with several values, the share is that of the people who have a value.
    """
    chosen, worst, beside = said["value"], 0.0, seen.beside(said["column"])
    for group in beside.groups:
        counts = values(beside, group.matched, said["column"], tidy=False)
        total = sum(counts.values())
        singles: Counter[Any] = counts
        if beside.sets:
            singles = Counter()
            for own, n in counts.items():
                singles.update(dict.fromkeys(own, n))
        meant = [n for value, n in singles.items() if not chosen or _text(value) in chosen]
        worst = max([worst, *(n / total for n in meant)])
    enough = all(group.size >= said["k"] for group in seen.groups)
    return worst, enough and worst <= said["alpha"] + SLACK


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def beta_likeness(seen: Seen, said: Said) -> Verdict:
    """β-likeness (Cao & Karras 2012): no value gains more than (q − p)/p ≤ β by the class.

    Enhanced: at most min(β, −ln p); told as β times the largest ratio of gain to bound.
    """
    beta, worst = said["beta"], 0.0
    for here, p, q in _shares(seen, said["column"]):
        gain = max(q - p, 0) / p
        if here and gain > 0 and said["kind"] == "enhanced":
            gain *= beta / min(beta, -math.log(p)) if p < 1 else math.inf
        worst = max(worst, gain if here else 0)
    return worst, worst <= beta * (1 + SLACK) + SLACK


def delta_disclosure(seen: Seen, said: Said) -> Verdict:
    """δ-disclosure privacy (Brickell & Shmatikov 2008): |log₂ q/p| < δ for every value."""
    found = [
        abs(math.log2(q / p)) if here else math.inf for here, p, q in _shares(seen, said["column"])
    ]
    worst = max(found, default=0.0)
    return worst, worst < said["delta"] * (1 - SLACK)


def _shares(seen: Seen, column: str) -> list[tuple[bool, float, float]]:
    """For each class and value: whether it occurs, its share of the table and of the class."""
    seen = seen.beside(column)
    everybody = values(seen, range(len(seen.rows)), column, tidy=False)
    total, found = sum(everybody.values()), []
    for group in seen.groups:
        counts = values(seen, group.matched, column, tidy=False)
        n = sum(counts.values())
        found += [(counts[v] > 0, everybody[v] / total, counts[v] / n) for v in everybody]
    return found


def average_risk(seen: Seen, said: Said) -> Verdict:
    """Average risk (Dankar & El Emam 2010): mean of 1 / class size over all records.

    And the rule of health agencies: at most a share of the records has a risk above a limit.
    """
    n = sum(group.count for group in seen.groups)
    average = math.fsum(group.count / group.size for group in seen.groups) / max(n, 1)
    kept = average <= said["threshold"] + SLACK
    if said["record_risk"] is not None:
        above = [group for group in seen.groups if 1 / group.size > said["record_risk"] + SLACK]
        share = sum(group.count for group in above) / max(n, 1)
        kept = kept and share <= said["record_share"] + SLACK
    return average, kept


def k_map(seen: Seen, said: Said) -> Verdict:
    """k-map (Sweeney 2002): the keys of every record fit k people of the population.

    Counted in a file, or as the weights tell; or estimated, where a class of k people leaves a
    Poisson number of records (El Emam & Dankar 2008).
    """
    least = said["k"]
    if said["population"] is not None:
        people = [_fitting(group, said) for group in seen.by_row.groups]
    elif said["population_size"] is None and said["sampling_share"] is None:
        people = [group.weight for group in seen.groups]
    else:
        people = [group.size for group in seen.groups]
        n = max(sum(group.count for group in seen.groups), 1)
        least = estimates.least_class(n, _population(n, said), said)
    reached = min(people, default=0.0)
    return reached, not people or reached >= least * (1 - SLACK)


def _fitting(group: Group, said: Said) -> float:
    return populations.people_of(group, said["people"], _entity(group.seen, said))


def _entity(seen: Seen, said: Said) -> str | None:
    """The column of the population that tells people apart, if people are counted at all."""
    return None if seen.people is None else said["entity"]


def _population(n: int, said: Said) -> int:
    if said["sampling_share"] is not None:
        return max(int(round(n / said["sampling_share"])), n)  # noqa: RUF046  whatever was said
    return int(said["population_size"])


def delta_presence(seen: Seen, said: Said) -> Verdict:
    """δ-presence (Nergiz et al. 2007): of the people with its keys, a share is in the class."""
    low, high = said["minimum"] - SLACK, said["maximum"] + SLACK
    if said["population"] is None:
        found = [(group.size, group.weight) for group in seen.groups]
        outside = False
    else:
        groups = seen.by_row.groups
        found = [(group.size, _fitting(group, said)) for group in groups]
        outside = populations.strangers(groups, said["people"], _entity(seen, said))
    shares = [size / people if people else math.inf for size, people in found]
    reached = max(shares, default=0.0)
    lowest = 0.0 if outside else min(shares, default=1.0)
    return reached, not shares or (lowest >= low and reached <= high)


def population_uniqueness(seen: Seen, said: Said) -> Verdict:
    """Population uniqueness: the estimated share of people who are unique in the population."""
    held: Counter[int] = Counter()
    for group in seen.groups:
        held[group.size] += group.count
    classes = {size: n / size for size, n in held.items()}
    n = sum(held.values())
    if not n or not held[1]:
        return 0.0, True
    share = estimates.unique_share(classes, _population(n, said), said["estimator"])
    return share, 0 < share <= said["threshold"] + SLACK


def km_anonymity(seen: Seen, said: Said) -> Verdict:
    """k^m-anonymity (Terrovitis et al. 2008): every m known items fit k records."""
    held: Counter[Any] = Counter()
    for where, items in _baskets(seen, said):
        for size in range(1, said["m"] + 1):
            sets = combinations(sorted(items, key=str), size)
            held.update((where, known) for known in sets)
    least = min(held.values(), default=0)
    return least, not held or least >= said["k"]


def _baskets(seen: Seen, said: Said) -> list[tuple[Any, set[Any]]]:
    """Whose items: a row's, or all of a person's whose rows are linked."""
    found = []
    for place, group in enumerate(seen.groups):
        where = place if said["within_classes"] else None
        owners: dict[Any, set[Any]] = {}
        for row in group.own:
            owner = row if seen.people is None or not seen.sets else seen.people[row]
            owners.setdefault(owner, set()).update(_items(seen.rows[row][said["column"]], said))
        found += [(where, items) for items in owners.values()]
    return found


def _items(cell: Any, said: Said) -> set[Any]:
    if cell is None:
        return set()
    if isinstance(cell, str):
        return {item.strip() for item in cell.split(said["separator"]) if item.strip()}
    return set(cell)


MODELS: Mapping[str, Callable[[Seen, Said], Verdict]] = {
    one.__name__: one
    for one in (
        k_anonymity,
        l_diversity,
        t_closeness,
        alpha_k_anonymity,
        beta_likeness,
        delta_disclosure,
        delta_presence,
        k_map,
        average_risk,
        population_uniqueness,
        km_anonymity,
    )
}
__all__ = ["MODELS", "Group", "Seen", "Verdict"]
