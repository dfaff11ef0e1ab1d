"""The language in which a report is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from microveil.errors import InputError, listing
from microveil.texts import COMPLETE, Message, translate

_LANGUAGE: ContextVar[str] = ContextVar("language of the report", default="en")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Write in a language until the end of the block."""
    token = _LANGUAGE.set(checked_language(language))
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def current_language() -> str:
    """The language that is being written."""
    return _LANGUAGE.get()


def say(told: str) -> str:
    """A text in the language that is being written.

    >>> with speaking("es"):
    ...     say(Message("report.not_shown", "not shown"))
    'no se muestra'
    """
    return translate(told, current_language())


def checked_language(language: str) -> str:
    """The language, if reports are written in it."""
    if language in COMPLETE:
        return language
    raise InputError(
        Message(
            "report.language",
            "Reports are not written in '{language}'. Choose one of {known}.",
            language=language,
            known=listing(COMPLETE),
        )
    )
