"""Checklists of published rules, filled from the evidence of a release.

What a number can show is shown; what a person has to decide stays open, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from microveil.measures.evidence import perturbed_keys
from microveil.recipes.frameworks import FRAMEWORKS
from microveil.recipes.measure_requirement import MeasureRequirement
from microveil.reports.contents.checklist_items import ITEMS, SOURCES
from microveil.risk.safe_harbor import SafeHarbor

if TYPE_CHECKING:
    from microveil.release import Release
    from microveil.release.verifying import WrittenFile

State = Literal["met", "not met", "open"]
"""``open``: a person has to decide."""
THRESHOLD = 0.09
"""Highest risk of a record where the recipe sets no limit of its own."""


@dataclass(frozen=True)
class Item:
    """One line of a checklist."""

    clause: str
    text: str
    state: State
    evidence: str


@dataclass(frozen=True)
class Checklist:
    """What a published rule asks, and what is known of it."""

    name: str
    title: str
    source: str
    items: tuple[Item, ...]

    @property
    def n_open(self) -> int:
        """Lines that a person has to decide."""
        return sum(one.state == "open" for one in self.items)


@dataclass(frozen=True)
class Facts:
    """What a release shows; None where nothing was looked at."""

    identifiers_left: tuple[str, ...]
    n_contacts: float | None
    k: int | None
    """Smallest class; None if classes are no evidence, or there is no key."""
    n_unique: int | None
    threshold: float
    n_checks: int
    holds: bool
    attribute_models: tuple[str, ...]
    """Models on sensitive columns that hold."""
    sensitive: tuple[str, ...]
    safe_harbor: bool | None
    """Whether the limit of that name holds; None if the recipe does not require it."""
    earlier: str | None
    private: str | None
    lost_share: float | None
    n_attacks: int | None
    sha256: str | None
    made_by: str | None
    perturbed: bool


Answer = tuple[State, str]


def checklists_of(
    release: Release, file: WrittenFile | None = None, made_by: str | None = None
) -> tuple[Checklist, ...]:
    """The checklists of the rules that the recipe follows."""
    if not release.recipe.follows:
        return ()
    facts = _facts_of(release, file, made_by)
    return tuple(checklist_of(name, facts) for name in release.recipe.follows)


def checklist_of(name: str, facts: Facts) -> Checklist:
    """One checklist from what is known."""
    items = []
    for clause, text, how in ITEMS[name]:
        state, evidence = ANSWERS[how](facts) if how in ANSWERS else ("open", how)
        items.append(Item(clause, text, state, evidence))
    return Checklist(name, FRAMEWORKS[name], SOURCES[name], tuple(items))


def _facts_of(release: Release, file: WrittenFile | None, made_by: str | None) -> Facts:
    roles, table = release.recipe.roles, release.table
    perturbed = bool(perturbed_keys(release.recipe, release.original))
    countable = not perturbed and bool(table.roles.quasi_identifiers) and table.height > 0
    risk = release.risk if countable else None
    named = {check.model: check.holds for check in release.checks}
    composed = getattr(release.registration, "composition", None)
    private = release.privacy_loss
    models = ("l_diversity", "t_closeness", "alpha_k_anonymity", "beta_likeness")
    return Facts(
        identifiers_left=tuple(name for name in roles.identifiers if name in table.columns),
        n_contacts=SafeHarbor(contacts_only=True).measure(table).value,
        k=None if risk is None else risk.k,
        n_unique=None if risk is None else risk.n_unique,
        threshold=_threshold(release),
        n_checks=len(release.checks),
        holds=release.holds,
        attribute_models=tuple(name for name in models if named.get(name)),
        sensitive=tuple(name for name in roles.sensitive if name in table.columns),
        safe_harbor=_limit_holds(release, "safe_harbor"),
        earlier=None if composed is None else composed.sentence(),
        private=None if private is None else private.sentence,
        lost_share=float(release.cell_changes.value) if not table.synthetic else None,
        n_attacks=len(release.attacks) if release.holds else None,
        sha256=None if file is None else file.sha256,
        made_by=made_by,
        perturbed=perturbed,
    )


def _threshold(release: Release) -> float:
    for one in release.recipe.require:
        if isinstance(one, MeasureRequirement) and one.spec.kind() == "reidentification_risk":
            limit = one.at_most
            return THRESHOLD if limit is None else float(limit)
    return THRESHOLD


def _limit_holds(release: Release, name: str) -> bool | None:
    found = [check.holds for check in release.checks if name in check.model]
    return all(found) if found else None


def _identifiers(facts: Facts) -> Answer:
    if facts.identifiers_left:
        return "not met", f"Still there: {', '.join(facts.identifiers_left)}."
    return "met", "No column that is declared a direct identifier is in the release."


def _contacts(facts: Facts) -> Answer:
    if facts.n_contacts is None:
        return "open", "The cells were not read."
    if facts.n_contacts:
        return "not met", f"{facts.n_contacts:,.0f} cells hold addresses or numbers of people."
    return "met", "No cell holds an e-mail, web, IP or device address or a telephone number."


def _risk(facts: Facts) -> Answer:
    if facts.k is None:
        why = "keys were perturbed" if facts.perturbed else "no quasi-identifier is in the release"
        return "open", f"Class sizes are no evidence here: {why}. Give another measure of risk."
    highest = 1 / facts.k if facts.k else 1.0
    said = f"The smallest class has {facts.k:,} records: highest risk {highest:.3g}."
    limit = f" Accepted: {facts.threshold:g}."
    return ("met" if highest <= facts.threshold + 1e-9 else "not met"), said + limit


def _unique(facts: Facts) -> Answer:
    if facts.n_unique is None:
        return "open", "Unique records were not counted: class sizes are no evidence here."
    said = f"{facts.n_unique:,} records are unique by their quasi-identifiers."
    return ("not met" if facts.n_unique else "met"), said


def _attribute(facts: Facts) -> Answer:
    if not facts.sensitive:
        return "met", "No column is declared sensitive."
    if facts.attribute_models:
        told = ", ".join(name.replace("_", "-") for name in facts.attribute_models)
        return "met", f"Required and reached: {told}."
    named = ", ".join(facts.sensitive)
    return "open", f"No requirement protects {named}: say why that is acceptable, or add one."


def _requirements(facts: Facts) -> Answer:
    if not facts.n_checks:
        return "not met", "The recipe has no requirements, so nothing was checked."
    said = f"{facts.n_checks} requirements were checked on the result"
    return ("met", f"{said}; all hold.") if facts.holds else ("not met", f"{said}; not all hold.")


def _attacks(facts: Facts) -> Answer:
    if facts.n_attacks is None:
        return "open", "No attack was tried on a release that does not leave."
    if facts.n_attacks:
        return "not met", f"{facts.n_attacks} simulated attacks succeed more often than accepted."
    return "met", "Simulated attacks succeed no more often than is accepted."


def _earlier(facts: Facts) -> Answer:
    if facts.earlier is None:
        return "open", "No registry was given: say what was released before (--registry)."
    return "met", facts.earlier


def _utility(facts: Facts) -> Answer:
    if facts.lost_share is None:
        return "open", "Cells were not compared. Say what the data are still fit for."
    return "met", f"{facts.lost_share:.1%} of cells are not shown unchanged; see what it cost."


def _file(facts: Facts) -> Answer:
    if facts.sha256 is None:
        return "open", "No file was written with this report."
    return "met", f"The file was read back; SHA-256 {facts.sha256}."


def _responsible(facts: Facts) -> Answer:
    if facts.made_by is None:
        return "open", "Nobody is named: say who answers for the release (--made-by)."
    return "met", f"{facts.made_by} answers for the release."


def _eighteen(facts: Facts) -> Answer:
    if facts.safe_harbor is None:
        return "open", "The recipe does not require the measure safe_harbor to be zero."
    if facts.safe_harbor:
        return "met", "No cell says more than the rule allows, as far as content tells."
    return "not met", "Cells say more than the rule allows; see the requirement safe_harbor."


ANSWERS: Mapping[str, Callable[[Facts], Answer]] = {
    "identifiers": _identifiers,
    "contacts": _contacts,
    "risk": _risk,
    "unique": _unique,
    "attribute": _attribute,
    "requirements": _requirements,
    "attacks": _attacks,
    "earlier": _earlier,
    "utility": _utility,
    "file": _file,
    "responsible": _responsible,
    "eighteen": _eighteen,
}
"""How a line is answered from the evidence; any other word is what a person must decide."""
