"""Message: a sentence that knows its key and the values in its gaps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from microveil.texts.gaps import Gaps


class Message(str):
    """A sentence in English that can be said in other languages.

    It is a string, so it goes wherever strings go; what shows it to people calls
    :func:`microveil.texts.translate`. The key stays when the English is reworded. With ``many``
    the first sentence is said of one, the other of every other ``n``.

    >>> told = Message("key.of.it", "No column '{name}' in the data.", name="age")
    >>> told
    "No column 'age' in the data."
    >>> told.key, told.values
    ('key.of.it', {'name': 'age'})
    >>> Message("key.other", "1 record is unique.", many="{n:,} records are unique.", n=1200)
    '1,200 records are unique.'
    """

    __slots__ = ("english", "key", "many", "values")

    key: str
    """Where catalogues have it; empty for what is only composed of other messages."""
    english: str
    """The English sentence with its gaps."""
    many: str | None
    """The same for several."""
    values: dict[str, Any]
    """What stands in the gaps."""

    def __new__(cls, key: str, english: str, /, *, many: str | None = None, **values: Any) -> Self:
        """The sentence with its gaps filled."""
        values = {name: _make_reusable(value) for name, value in values.items()}
        form = english if many is None or values["n"] == 1 else many
        message = super().__new__(cls, _ENGLISH.vformat(form, (), values))
        message.key, message.english, message.many, message.values = key, english, many, values
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]:
        """Its parts, so that it survives the way to another process."""
        return (self.key, self.english), {"many": self.many, **self.values}


_ENGLISH = Gaps("en")


def _make_reusable(value: Any) -> Any:
    """A value that can be read more than once: names that come one by one are kept."""
    plain = isinstance(value, str | list) or not isinstance(value, Iterable)
    return value if plain else tuple(value)


def without_point(sentence: str) -> str:
    """A sentence that goes on: without the point at its end, in every language.

    >>> without_point("It is empty.")
    'It is empty'
    """
    if not isinstance(sentence, Message):
        return sentence.removesuffix(".")
    return Message("", "{sentence:open}", sentence=sentence)


def compose(form: str, /, **values: Any) -> Message:
    """Messages put together: the form holds no words, only gaps and marks.

    >>> compose("{path}: {problem}", path="steps.0", problem="No column.")
    'steps.0: No column.'
    """
    return Message("", form, **values)


def join(texts: Iterable[str], between: str = " ") -> Message:
    """Messages in a row, each of them said in the language of the reader.

    >>> join(["One.", "Two."])
    'One. Two.'
    """
    parts = {f"part_{i}": one for i, one in enumerate(texts)}
    return Message("", between.join(f"{{{name}}}" for name in parts), **parts)
