"""HTML by construction: everything that is not markup already is escaped."""

from __future__ import annotations

from html import escape

from microveil.display import unbroken
from microveil.reports.words.speaking import say

VOID = frozenset({"meta", "br", "hr"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, /, *children: str | int | None, **attributes: str | bool | None) -> Markup:
    """One element; text in it and in its attributes is escaped, and None is left out.

    A trailing underscore escapes Python keywords (``class_``); other underscores become hyphens.

    >>> element("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{together(*children)}</{name}>")


def together(*children: str | int | None) -> Markup:
    """Pieces one after another.

    >>> together("a & b", Markup("<br>"), None)
    'a &amp; b<br>'
    """
    return Markup("".join(_child(child) for child in children if child is not None))


def _child(child: str | int) -> str:
    return (
        child
        if isinstance(child, Markup)
        else unbroken(escape(say(str(child) if isinstance(child, int) else child)))
    )


def _attribute(key: str, value: str | bool | None) -> str:  # noqa: FBT001  HTML has both
    key = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{escape(say(value))}"'
