"""ARX's privacy and quality models, as written in a project file, as specs of ours."""

from __future__ import annotations

import re
from typing import Any

_NUMBER = r"([\d.]+(?:[eE]-?\d+)?)"
_COLUMN = r" for attribute '(.*)'"
_PATTERNS: tuple[tuple[str, str, tuple[str, ...], dict[str, Any]], ...] = (
    (rf"{_NUMBER}-anonymity", "k_anonymity", ("k",), {}),
    (rf"{_NUMBER}-map.*", "k_map", ("k",), {}),
    (rf"distinct-{_NUMBER}-diversity{_COLUMN}", "l_diversity", ("l", "column"), {}),
    (
        rf"(?:shannon-)?entropy-{_NUMBER}-diversity{_COLUMN}",
        "l_diversity",
        ("l", "column"),
        {"kind": "entropy"},
    ),
    (
        rf"recursive-\({_NUMBER}, ?{_NUMBER}\)-diversity{_COLUMN}",
        "l_diversity",
        ("c", "l", "column"),
        {"kind": "recursive"},
    ),
    (
        rf"{_NUMBER}-closeness with equal(?:-| )?(?:ground-)?distance{_COLUMN}",
        "t_closeness",
        ("t", "column"),
        {"distance": "equal"},
    ),
    (
        rf"{_NUMBER}-closeness with ordered(?:-| )?distance{_COLUMN}",
        "t_closeness",
        ("t", "column"),
        {"distance": "ordered"},
    ),
    (
        rf"{_NUMBER}-closeness with hierarchical(?:-| )?distance{_COLUMN}",
        "t_closeness",
        ("t", "column"),
        {"distance": "hierarchical"},
    ),
    (
        rf"\({_NUMBER}, ?{_NUMBER}\)-[Pp]resence",
        "delta_presence",
        ("minimum", "maximum"),
        {},
    ),
    (rf"{_NUMBER}-disclosure privacy{_COLUMN}", "delta_disclosure", ("delta", "column"), {}),
    (
        rf"(basic|enhanced)-{_NUMBER}-likeness{_COLUMN}",
        "beta_likeness",
        ("kind", "beta", "column"),
        {},
    ),
    (rf"\({_NUMBER}\)-avg-reidentification-risk", "average_risk", ("threshold",), {}),
    (
        rf"\({_NUMBER}, {_NUMBER}, {_NUMBER}\)-avg-reidentification-risk",
        "average_risk",
        ("threshold", "record_risk", "record_share"),
        {},
    ),
)
_WHOLE = ("k", "l")

_LOSSES = (
    ("normalized non-uniform entropy", "normalized_non_uniform_entropy"),
    ("non-uniform entropy", "non_uniform_entropy"),
    ("discernibility", "discernibility"),
    ("average equivalence class size", "average_class_size"),
    ("entropy-based", "entropy_based"),
    ("ambiguity", "ambiguity"),
    ("precision", "precision"),
    ("height", "height"),
    ("loss", "loss"),
)


def model_of(text: str) -> dict[str, Any] | None:
    """A privacy model as plain data of our spec; None if it is unknown.

    >>> model_of("distinct-3-diversity for attribute 'disease'")
    {'model': 'l_diversity', 'l': 3, 'column': 'disease'}
    """
    for pattern, model, names, more in _PATTERNS:
        found = re.fullmatch(pattern, text.strip())
        if found:
            given = zip(names, found.groups(), strict=True)
            return {"model": model, **{name: _value(name, raw) for name, raw in given}, **more}
    return None


def _value(name: str, raw: str) -> Any:
    if name in ("column", "kind"):
        return raw
    number = float(raw)
    return int(number) if name in _WHOLE and number.is_integer() else number


def loss_of(text: str) -> dict[str, Any] | None:
    """A quality model as plain data of our spec; None if it is unknown.

    >>> loss_of("Monotonic discernibility")
    {'loss': 'discernibility', 'ignore_suppression': True}
    """
    lower = text.lower().replace("_", " ")
    for words, name in _LOSSES:
        if words in lower:
            monotone = "monoton" in lower and "non-monoton" not in lower
            return {"loss": name, **({"ignore_suppression": True} if monotone else {})}
    return None
