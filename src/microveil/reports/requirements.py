"""The verdict, and each requirement behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from microveil.privacy.parts.base import finite
from microveil.release import Release
from microveil.release.limits import MeasureCheck
from microveil.release.verifying import WrittenFile
from microveil.reports.audience import Audience
from microveil.reports.summary import Decision, Requirement
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.privacy import Check, PrivacyModel


NOT_RELEASED = Message("report.not_released", "NOT RELEASED")


def verdict_of(release: Release, file: WrittenFile | None = None) -> Decision:
    """Whether the data may be released, in words; a file that violates a requirement must not."""
    n_checks, n_broken = len(release.checks), sum(not check.holds for check in release.checks)
    if n_broken:
        words = Message(
            "report.not_met",
            "1 of {requirements} is not met: do not release the data.",
            many="{n} of {requirements} are not met: do not release the data.",
            n=n_broken,
            requirements=_requirements(n_checks),
        )
        return Decision("bad", NOT_RELEASED, words)
    held_back = undecided_columns(release)
    if held_back and release.recipe.undeclared != "drop":
        return Decision("bad", NOT_RELEASED, _still_open(held_back))
    if file is not None and file.holds is False:
        return Decision(
            "bad",
            Message("report.file_fit_release", "FILE NOT FIT FOR RELEASE"),
            Message(
                "report.file", "File {name}: {sentence}", name=file.name, sentence=file.sentence
            ),
        )
    if not n_checks:
        words = Message(
            "report.recipe_no_requirements_so",
            "The recipe has no requirements, so nothing about this release was checked.",
        )
        return Decision("open", Message("report.no_requirements", "No requirements"), words)
    met = Message("report.requirements_met", "Requirements met")
    return Decision("good", met, _all_hold(n_checks))


def _all_hold(n_checks: int) -> Message:
    if n_checks == 2:  # noqa: PLR2004  two are both
        return Message(
            "report.both_hold", "Both requirements were checked on the finished table and hold."
        )
    return Message(
        "report.all_hold",
        "The requirement of the recipe was checked on the finished table and holds.",
        many="All {n} requirements were checked on the finished table and hold.",
        n=n_checks,
    )


def _still_open(columns: Sequence[str]) -> str:
    return Message(
        "report.undecided",
        "Column {names:quoted} is still to be decided: give it a role, protect it or drop it.",
        many="Columns {names:quoted} are still to be decided: give each a role, protect it "
        "or drop it.",
        n=len(columns),
        names=columns,
    )


def undecided_columns(release: Release) -> tuple[str, ...]:
    """Columns that export refuses or drops because they are undeclared."""
    return release.held_back


def _requirements(count: int) -> str:
    return Message(
        "report.requirements",
        "1 requirement",
        many="{n} requirements",
        n=count,
    )


def requirements_of(release: Release, audience: Audience) -> tuple[Requirement, ...]:
    """Each check in words."""
    models = _models(release)
    pairs = zip(release.checks, models, strict=True)
    found = (_requirement(check, model, audience) for check, model in pairs)
    if release.derivations:  # what comes back of the keys is a caution, and no promise is made
        return tuple(found)
    of_people = release.original.people is not None
    return tuple(
        replace(one, plainly=_plainly(check, of_people=of_people))
        for one, check in zip(found, release.checks, strict=True)
    )


def _models(release: Release) -> list[PrivacyModel | None]:
    """The model behind each check: checks repeat the recipe's list for each set of keys."""
    required = release.recipe.models
    models = [required[i % len(required)] if required else None for i in range(len(release.checks))]
    return [
        model if model is not None and model.kind() == check.model else None
        for model, check in zip(models, release.checks, strict=True)
    ]


def _meaning(check: Check, model: PrivacyModel | None) -> str:
    if isinstance(check, MeasureCheck):
        return check.meaning
    return "" if model is None else type(model).summary()


def _plainly(check: Check, *, of_people: bool) -> str | None:
    """What k-anonymity promises one person."""
    if check.model != "k_anonymity" or not check.holds:
        return None
    if of_people:
        return Message(
            "report.k_of_people",
            "Whoever knows all quasi-identifiers of a person finds records of at least {k:,} "
            "people that fit equally well, and cannot tell which are that person's.",
            k=int(check.required),
        )
    return Message(
        "report.k_of_records",
        "Whoever knows all quasi-identifiers of a person finds at least {k:,} records that fit "
        "equally well, and cannot tell which is that person's.",
        k=int(check.required),
    )


def _public_title(check: Check) -> str:
    """A requirement as everybody may read it.

    Whoever has the data can count k, and a limit on a measure is a promise. What other models ask
    of sensitive values would help an intruder.
    """
    if check.model == "k_anonymity":
        return check.title
    plain = check.plain if isinstance(check, MeasureCheck) else ""
    return plain or check.model.replace("_", "-")


def _requirement(check: Check, model: PrivacyModel | None, audience: Audience) -> Requirement:
    public = Requirement(
        model=check.model,
        meaning=_meaning(check, model),
        holds=check.holds,
        title=_public_title(check),
        column=getattr(model, "column", None),
        scenario=check.scenario,
    )
    if audience == "public":
        return public
    return replace(
        public,
        title=check.title,
        required=float(check.required),
        achieved=finite(float(check.achieved)),
        n_broken=int(check.n_broken),
        sentence=check.sentence(),
    )
