"""What methods, models and measures are called and mean, in the language of the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microveil.reports.words.speaking import current_language
from microveil.texts.catalogue import catalogue
from microveil.texts.message import Message
from microveil.texts.naming import fact, label, name_of


def summary_of(kind: str, english: str) -> str:
    """What a method, model or measure does; English is said as it was given."""
    return catalogue(current_language()).form(f"spec.{kind}") or english


def title_of(told: Mapping[str, Any]) -> str:
    """The name of a measure; in English the one it gives itself."""
    if current_language() == "en":
        return str(told["title"])
    name = name_of(current_language(), told["measure"])
    return name[:1].upper() + name[1:]


def fact_name(name: str) -> str:
    """The name of a fact or parameter in words."""
    known = catalogue(current_language()).form(f"parameter.{name}")
    return label(current_language(), name) if known else fact(current_language(), name)


QUESTIONS: Mapping[str, Message] = {
    str(one): one
    for one in (
        Message("question.as_it_was", "How much is as it was?"),
        Message("question.coarse", "How coarse did values become?"),
        Message("question.linked", "Can records be linked to people?"),
        Message("question.singled_out", "Can somebody be singled out?"),
        Message("question.inferred", "Can something be inferred about somebody?"),
        Message("question.answers", "Do analyses still give the same answers?"),
        Message("question.distributions", "Are distributions kept?"),
        Message("question.relations", "Are relations between columns kept?"),
        Message("question.numbers_moved", "How far did numbers move?"),
        Message("question.names", "Does anything name people?"),
        Message("question.else", "What else was measured?"),
        Message("attack.singling_out", "singling out"),
        Message("attack.linkability", "linkability"),
        Message("attack.inference", "inference"),
    )
}
"""The questions that measures answer, and those of the Article 29 Working Party."""
LEVELS: Mapping[str, Message] = {
    "low": Message("risk_level.low", "low"),
    "medium": Message("risk_level.medium", "medium"),
    "high": Message("risk_level.high", "high"),
    "unknown": Message("risk_level.unknown", "unknown"),
}
BETTER: Mapping[str, Message] = {
    "lower": Message("report.lower_is_better", "Lower is better."),
    "higher": Message("report.higher_is_better", "Higher is better."),
}
TRUST: Mapping[str, Message] = {
    "modelled": Message("trust.modelled", "modelled"),
    "implied": Message("trust.implied", "implied"),
    "lost": Message("trust.lost", "lost"),
}
"""What became of a relation in a synthetic table."""
SCALES: Mapping[str, Message] = {
    "records": Message("scale.records", "records"),
    "sd": Message("scale.sd", "sd"),
}


def scale_name(scale: str) -> str:
    """A unit in words."""
    return SCALES.get(scale, scale.replace("_", " "))
