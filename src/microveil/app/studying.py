"""Studies that need a use case: found by name, with what lies above the studies handed down."""

from __future__ import annotations

from microveil.studies import Study
from microveil.studies import find_study as _find_study


def find_study(name: str) -> Study:
    """The study of that name, ready to run."""
    from microveil.studies.advise import Advise

    study = _find_study(name)
    if isinstance(study, Advise):
        from microveil.app.advising import advise

        study.search = advise
    return study
