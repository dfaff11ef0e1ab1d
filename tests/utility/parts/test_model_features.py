from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.utility.clustering import Clustering
from microveil.utility.confidence_overlap import ConfidenceOverlap
from microveil.utility.parts import model_features
from microveil.utility.prediction import Prediction
from microveil.utility.propensity import Propensity
from tests.utility.cases import people


def test_trees_without_scikit_learn_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(model_features, "import_module", without)
    frame = people(50, 1)
    assert Propensity().measure(frame, frame).value == 0
    for measure in (Propensity(model="tree"), Prediction(target="ill")):
        with pytest.raises(InputError, match=r"microveil\[models\]"):
            measure.measure(frame, frame)


def test_generalised_tables_are_measured_without_decoding_by_hand() -> None:
    frame = people(600, 7)
    after = mv.Mondrian(k=5, columns=["age", "town"]).protect(frame)
    roles = mv.Roles(quasi_identifiers=["age", "town"], sensitive=["ill"])
    assert Propensity().measure(frame, after, roles=roles).parts["ratio"] < 2
    assert Prediction().measure(frame, after, roles=roles).value < 0.3
    assert 0 <= Clustering().measure(frame, after, roles=roles).value < 0.7
    assert ConfidenceOverlap().measure(frame, after, roles=roles).value < 0.3
