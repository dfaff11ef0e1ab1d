"""English: models and measures whose name in a recipe, read as words, is not their name."""

from __future__ import annotations

NAMES: dict[str, str] = {
    "k_anonymity": "k-anonymity",
    "l_diversity": "l-diversity",
    "t_closeness": "t-closeness",
    "alpha_k_anonymity": "(α, k)-anonymity",
    "beta_likeness": "β-likeness",
    "delta_disclosure": "δ-disclosure privacy",
    "delta_presence": "δ-presence",
    "k_map": "k-map",
    "km_anonymity": "k^m-anonymity",
    "reidentification_risk": "re-identification risk",
    "il1s": "IL1s",
    "il1": "IL1",
    "sse": "SSE",
    "generalization_loss": "generalisation loss",
}
