"""Made-up tables: the same each time, and with keys to protect."""

from __future__ import annotations

from pathlib import Path

from microveil.progress import silent
from microveil.texts import COMPLETE
from microveil.texts.catalogue import catalogue
from microveil.web.project import tasks
from microveil.web.project.examples import EXAMPLES, N_PATIENTS, patients


def test_every_example_opens_with_keys(tmp_path: Path) -> None:
    for name in EXAMPLES:
        opened = tasks.open_example(name, tmp_path / f"{name}.arrow", silent)
        assert opened.n_records > 1_000
        assert opened.inspection.roles.quasi_identifiers


def test_patients_are_the_same_each_time_and_as_many_as_asked_for() -> None:
    assert patients(50).equals(patients(50))
    assert not patients(50).equals(patients(50, seed=1))
    assert patients(0).height == 0
    found = patients()
    assert found.height == N_PATIENTS
    assert found["age"].is_between(18, 96).all()
    assert (found.filter(found["age"] >= 66)["occupation"] == "retired").all()


def test_every_example_has_a_name_in_every_language() -> None:
    for texts in (catalogue(one).sentences for one in COMPLETE):
        assert all(f"example.{name}" in texts for name in EXAMPLES)
