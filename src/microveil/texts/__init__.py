"""Texts: what is said to people, by key, and how each language says it."""

from microveil.texts.catalogue import COMPLETE, LANGUAGES, text, translate
from microveil.texts.message import Message, compose, join, without_point
from microveil.texts.numbers import number, percent

__all__ = [
    "COMPLETE",
    "LANGUAGES",
    "Message",
    "compose",
    "join",
    "number",
    "percent",
    "text",
    "translate",
    "without_point",
]
