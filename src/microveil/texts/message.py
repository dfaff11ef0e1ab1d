"""Message: a sentence that knows its key and the values in its gaps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from numbers import Integral, Real
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
    """A value that is plain and can be read more than once.

    Names that come one by one are kept, an error is what it says, NumPy's numbers are Python's.
    """
    if isinstance(value, str | list | bool) or value is None:
        return value
    if isinstance(value, BaseException):
        return getattr(value, "message", None) or str(value)
    if isinstance(value, Real):
        return int(value) if isinstance(value, Integral) else float(value)
    if isinstance(value, Collection | Iterator):
        return tuple(value)
    return str(value)


def phrase(told: str, /, *, many: str | None = None, **values: Any) -> Message:
    """A sentence whose English is its key: for errors, which say what they say in one place.

    >>> phrase("No column '{name}' in the data.", name="age").key
    "No column '{name}' in the data."
    >>> phrase("A plain {text} without values stays as it is.")
    'A plain {text} without values stays as it is.'
    """
    if isinstance(told, Message):
        return told
    if values:
        return Message(told, told, many=many, **values)
    return Message(told, told.replace("{", "{{").replace("}", "}}"))


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


def join_and(texts: Iterable[str]) -> Message:
    """Messages in a row, the last after *and*.

    >>> join_and(["one", "two", "three"])
    'one, two and three'
    """
    first, last = _split_last(texts)
    return Message("list.and", "{others} and {last}", others=first, last=last) if first else last


def join_or(texts: Iterable[str]) -> Message:
    """Messages in a row, the last after *or*.

    >>> join_or(["'a'", "'b'"]), join_or(["'a'"]), join_or([])
    ("'a' or 'b'", "'a'", '')
    """
    first, last = _split_last(texts)
    return Message("list.or", "{others} or {last}", others=first, last=last) if first else last


def _split_last(texts: Iterable[str]) -> tuple[Message, Message]:
    *first, last = [*texts] or [""]
    return join(first, ", "), join([last])
