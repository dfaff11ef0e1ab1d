"""Texts: what is said to people, by key, and how each language says it."""

from microveil.texts.catalogue import COMPLETE, LANGUAGES, text, translate
from microveil.texts.message import Message, compose, join, join_and, join_or, phrase, without_point
from microveil.texts.numbers import number, percent

__all__ = [
    "COMPLETE",
    "LANGUAGES",
    "Message",
    "compose",
    "join",
    "join_and",
    "join_or",
    "number",
    "percent",
    "phrase",
    "text",
    "translate",
    "without_point",
]
