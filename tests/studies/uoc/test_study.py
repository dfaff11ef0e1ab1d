"""All examples and exercises are run, once each."""

from __future__ import annotations

import inspect

import pytest

from microveil.studies.cells import Experiment
from microveil.studies.uoc import losses, masking, models
from microveil.studies.uoc.study import EXAMPLES, Uoc


def test_no_example_is_left_out() -> None:
    written = {
        function
        for module in (losses, masking, models)
        for function in vars(module).values()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and function.__annotations__.get("return") == "Experiment"
    }
    assert written == set(EXAMPLES)
    assert len(EXAMPLES) == len(written)


def test_examples_are_told_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    study = Uoc()
    few = (models.disclosure, losses.divergence)
    monkeypatch.setattr("microveil.studies.uoc.study.EXAMPLES", few)
    found = study.experiments(quick=True, progress=lambda _, __, what: told.append(what))
    assert told == ["disclosure", "divergence"]
    assert [type(one) for one in found] == [Experiment, Experiment]
    assert [one.source for one in found] == ["Table 3", "Table 11"]
