"""Stable keys: an element at the same position of a page survives a redraw.

An element that keeps its identity keeps the mouse that is pressed on it, the focus and what is
being typed; and a click that is on its way while the page is drawn finds whom it was meant for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from nicegui import Client, ui


@dataclass(eq=False)
class Places:
    """The elements of one page in one browser."""

    ids: dict[str, int] = field(default_factory=dict)
    """The number of each element, by its place."""
    shown: dict[str, Any] = field(default_factory=dict)
    """What each field shows in the browser, by its place: as drawn, or as it was changed there."""
    stamps: dict[str, int] = field(default_factory=dict)
    """Incremented when the server has another value for a field than the browser shows."""

    counts: dict[str, int] = field(default_factory=dict)
    """How many elements of the same place were drawn this time."""

    def begin(self) -> None:
        """Begin to draw."""
        self.counts.clear()

    def place(self, parent: str, tag: str, name: str) -> str:
        """Where an element stands: under its own name, or by its number among its like.

        A name holds all over the page, so that what has one may move to another part of it.
        """
        found = f"#{name}" if name else f"{parent}/{tag}"
        self.counts[found] = self.counts.get(found, 0) + 1
        n = self.counts[found]
        return found if n == 1 else f"{found}.{n}"

    def stamp(self, place: str, value: Any) -> int:
        """The stamp of a field's value: a new one tells the browser to show the value."""
        if place not in self.shown or self.shown[place] != value:
            self.stamps[place] = self.stamps.get(place, 0) + 1
            self.shown[place] = value
        return self.stamps[place]

    def note(self, place: str, value: Any) -> None:
        """Note that a field was changed in the browser."""
        self.shown[place] = value

    def forget(self, place: str) -> None:
        """Note that a field may show anything."""
        self.shown.pop(place, None)


_PLACES: WeakKeyDictionary[Client, Places] = WeakKeyDictionary()


def places_of(client: Client) -> Places:
    """The places of a page; they go with it."""
    return _PLACES.setdefault(client, Places())


@contextmanager
def with_number(client: Client, number: int | None) -> Iterator[None]:
    """Give the next element the number that it had before, if nobody has it now."""
    following = client.next_element_id
    if number is None or number in client.elements:
        yield
        return
    client.next_element_id = number
    try:
        yield
    finally:
        client.next_element_id = following


@contextmanager
def drawn_anew(box: ui.element) -> Iterator[None]:
    """Draw the content of a box once more; only what differs is sent to the browser."""
    client = box.client
    updates = client.outbox.updates
    before = {one.id: one._to_dict() for one in box.descendants()}  # noqa: SLF001  what is sent
    unsent = set(updates)
    places_of(client).begin()
    box.clear()
    with box:
        yield
    for one in box.descendants():
        if one.id not in unsent and before.get(one.id) == one._to_dict():  # noqa: SLF001
            updates.pop(one.id, None)
