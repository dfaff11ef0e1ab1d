"""Rules that ask for a small risk and leave its number, or everything else, to people."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from microveil.app.preset_recipes import clinical
from microveil.recipes import Recipe
from microveil.tables import Roles

EXPERT = 0.05
EHDS = 0.1
NIST = 0.2


def ema_0070(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = clinical.THRESHOLD
) -> Recipe:
    """A recipe for EMA Policy 0070: no record exceeds a risk of 0.09; the report has its checklist.

    The steps are those of ``clinical_publication``.
    """
    return _following("ema_0070", frame, roles, threshold)


def ehds(frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = EHDS) -> Recipe:
    """A recipe for what may leave a secure processing environment (EHDS): non-personal data only.

    The regulation names no number. The default, classes of ten, is a starting point: the health
    data access body decides.
    """
    return _following("ehds", frame, roles, threshold)


def hipaa_expert_determination(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = EXPERT
) -> Recipe:
    """A recipe to start a HIPAA expert determination from: a very small risk, set by the expert.

    The rule names no number; the default is 0.05, classes of twenty.
    """
    return _following("hipaa_expert_determination", frame, roles, threshold)


def nist_sp_800_188(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = NIST
) -> Recipe:
    """A recipe to start from under NIST SP 800-188; a disclosure review board sets the risk.

    The publication names no number; the default is 0.2, classes of five.
    """
    return _following("nist_sp_800_188", frame, roles, threshold)


def iso_27559(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = clinical.THRESHOLD
) -> Recipe:
    """A recipe to start from under ISO/IEC 27559; the context of the release sets the threshold."""
    return _following("iso_27559", frame, roles, threshold)


def _following(name: str, frame: pl.DataFrame, roles: Roles | None, threshold: float) -> Recipe:
    made = clinical.clinical_publication(frame, roles=roles, threshold=threshold)
    return Recipe.parse({**made.to_dict(), "follows": [name]})


def problems(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = clinical.THRESHOLD
) -> Iterator[str]:
    """Violations in a table, as far as an inspection can see."""
    return clinical.problems(frame, roles=roles, threshold=threshold)
