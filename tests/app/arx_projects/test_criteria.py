from __future__ import annotations

import pytest

import microveil as mv
from microveil.app.arx_projects.criteria import loss_of, model_of


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("5-anonymity", {"model": "k_anonymity", "k": 5}),
        (
            "shannon-entropy-3.0-diversity for attribute 'a b'",
            {"model": "l_diversity", "l": 3, "column": "a b", "kind": "entropy"},
        ),
        (
            "recursive-(4.0,3)-diversity for attribute 'x'",
            {"model": "l_diversity", "c": 4.0, "l": 3, "column": "x", "kind": "recursive"},
        ),
        (
            "0.2-closeness with ordered distance for attribute 'x'",
            {"model": "t_closeness", "t": 0.2, "column": "x", "distance": "ordered"},
        ),
        (
            "enhanced-1.5-likeness for attribute 'x'",
            {"model": "beta_likeness", "kind": "enhanced", "beta": 1.5, "column": "x"},
        ),
        (
            "0.5-disclosure privacy for attribute 'x'",
            {"model": "delta_disclosure", "delta": 0.5, "column": "x"},
        ),
        ("(0.0,0.5)-presence", {"model": "delta_presence", "minimum": 0.0, "maximum": 0.5}),
        ("(0.1)-avg-reidentification-risk", {"model": "average_risk", "threshold": 0.1}),
    ],
)
def test_models_are_read_as_arx_writes_them(text: str, model: dict[str, object]) -> None:
    assert model_of(text) == model
    assert mv.MODELS.parse(model).kind() == model["model"]


def test_an_unknown_model_or_loss_is_none() -> None:
    assert model_of("something-else") is None
    assert loss_of("Publisher payout") is None
    assert loss_of("Precision") == {"loss": "precision"}
