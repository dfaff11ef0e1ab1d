"""Elements: plain, labelled HTML that keyboards and screen readers can use.

Texts reach the browser as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import context, ui

from microveil.web.parts.places import places_of, with_number

Click = Callable[[], Any]
Change = Callable[[str], Any]


class Node(ui.element):
    """One HTML element with a text; ``aria_label`` becomes ``aria-label``.

    ``name`` tells it from others of the page, so that it stays itself when the page is drawn anew;
    what has a ``data_key`` is named by it.
    """

    def __init__(
        self,
        tag: str,
        text: str | None = None,
        classes: str = "",
        *,
        name_: str = "",
        **attributes: Any,
    ) -> None:
        client = context.client
        self.places = places_of(client)
        above = getattr(context.slot.parent, "place", "")
        self.place = self.places.place(above, tag, name_ or attributes.get("data_key", ""))
        with with_number(client, self.places.ids.get(self.place)):
            super().__init__(tag)
        self.places.ids[self.place] = self.id
        self._text = text
        if classes:
            self.classes(classes)
        for name, value in attributes.items():
            if value is not None and value is not False:
                self.props[name.rstrip("_").replace("_", "-")] = value

    def say(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.update()

    def show(self, value: object) -> None:
        """Show a value in a field; the browser keeps what is being typed until it is another one.

        Not by the property ``value``: the browser would set it whenever anything is drawn.
        """
        self.props["data-value"] = str(value).lower() if isinstance(value, bool) else str(value)
        self.props["data-stamp"] = self.places.stamp(self.place, value)

    def hear(self, event: str, handler: Callable[[Any], Any], *args: str) -> None:
        """Listen to an event, under a name that is the same when the element is drawn anew."""
        self.on(event, handler, args=list(args))
        _, listener = self._event_listeners.popitem()
        listener.id = f"{self.id} {event}"
        self._event_listeners[listener.id] = listener


def div(classes: str = "", **attributes: Any) -> Node:
    """A box."""
    return Node("div", None, classes, **attributes)


def card(name: str, **attributes: Any) -> Node:
    """A section of the page, with a name that it keeps whatever comes or goes before it."""
    return Node("section", None, "card", name_=f"card {name}", **attributes)


def words(text: str, classes: str = "", tag: str = "p") -> Node:
    """A paragraph."""
    return Node(tag, text, classes)


def heading(text: str, level: int = 2, classes: str = "") -> Node:
    """A heading."""
    return Node(f"h{level}", text, classes)


def button(
    text: str,
    click: Click,
    *,
    kind: str = "",
    key: str = "",
    label: str | None = None,
    disabled: bool = False,
    hint: str | None = None,
) -> Node:
    """A button; ``kind`` is primary, quiet or danger, ``label`` what a screen reader says."""
    node = Node(
        "button",
        text,
        f"button {kind}",
        type="button",
        aria_label=label,
        disabled=disabled,
        data_key=key or text,
        title=hint,
    )
    return on_click(node, click)


def link(text: str, address: str, classes: str = "", **attributes: Any) -> Node:
    """A link."""
    return Node("a", text, classes, href=address, **attributes)


def file_field(
    text: str, purpose: str, accept: str, *, label: str | None = None, **attributes: Any
) -> Node:
    """A button that chooses a file to send; its words are ours, not the browser's."""
    box = Node("label", None, "button primary file")
    with box:
        name = f"{purpose}-file"
        Node(
            "input",
            None,
            "sr-only",
            type="file",
            id=name,
            accept=accept,
            aria_label=label,
            data_key=name,
            data_send=purpose,
            **attributes,
        )
        Node("span", text)
    return box


def label_around(label: str, hint: str = "", classes: str = "") -> Node:
    """A label around a field, with a hint below the words."""
    box = Node("label", None, f"field {classes}")
    with box:
        Node("span", label, "field-label")
        if hint:
            Node("span", hint, "hint")
    return box


def text_field(
    label: str,
    value: str,
    change: Change,
    *,
    hint: str = "",
    type_: str = "text",
    placeholder: str = "",
    key: str = "",
    **attributes: Any,
) -> Node:
    """A field to type into; the server hears of it when it is left."""
    with label_around(label, hint) as box:
        node = Node(
            "input",
            None,
            "input",
            type=type_,
            placeholder=placeholder or None,
            autocomplete="off",
            spellcheck="false",
            data_key=key or label,
            **attributes,
        )
        node.show(value)
        on_typed(node, change)
    return box


def select(
    label: str,
    options: Mapping[str, str],
    value: str,
    change: Change,
    *,
    hint: str = "",
    key: str = "",
    hidden_label: bool = False,
) -> Node:
    """A list to choose one from."""
    box = div("field") if hidden_label else label_around(label, hint)
    with box:
        node = Node(
            "select",
            None,
            "input",
            aria_label=label if hidden_label else None,
            data_key=key or label,
        )
        with node:
            for name, text in options.items():
                Node("option", text, value=name)
        node.show(value)
        on_typed(node, change)
    return box


def checkbox(
    label: str,
    value: bool,  # noqa: FBT001  a box's state
    change: Callable[[bool], Any],
    *,
    hint: str = "",
    key: str = "",
    classes: str = "",
) -> Node:
    """A box to tick."""
    box = Node("label", None, f"check {classes}")
    with box:
        node = Node("input", type="checkbox", data_key=key or label)
        node.show(value)
        _on_value(node, lambda value: change(bool(value)))
        with Node("span"):
            Node("span", label)
            if hint:
                Node("span", hint, "hint block")
    return box


def radios(legend: str, name: str, options: Mapping[str, str], value: str, change: Change) -> Node:
    """One choice out of few, side by side."""
    box = Node("fieldset", None, "radios")
    group: list[Node] = []

    def choose(option: str) -> Any:
        for node in group:  # the others changed, too
            node.places.forget(node.place)
        return change(option)

    with box:
        Node("legend", legend, "sr-only")
        for option, text in options.items():
            with Node("label", None, "radio"):
                node = Node(
                    "input",
                    type="radio",
                    name=name,
                    value=option,
                    data_key=f"{name} {option}",
                )
                node.show(option == value)
                on_typed(node, choose)
                group.append(node)
                Node("span", text)
    return box


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    numeric: Sequence[int] = (),
    classes: str = "",
) -> Node:
    """A table of texts that scrolls sideways where it must."""
    box = div(f"table-box {classes}", tabindex="0", role="region", aria_label=caption)
    with box, Node("table"):
        Node("caption", caption, "sr-only")
        with Node("thead"), Node("tr"):
            for place, header in enumerate(headers):
                Node("th", header, "num" if place in numeric else "", scope="col")
        with Node("tbody"):
            for row in rows:
                with Node("tr"):
                    for place, cell in enumerate(row):
                        Node("td", cell, "num" if place in numeric else "")
    return box


def fold(
    summary: str,
    *,
    open_: bool = False,
    classes: str = "",
    key: str = "",
    click: Click | None = None,
) -> Node:
    """A section that can be unfolded; ``click`` hears of it where there is something to be drawn.

    The browser unfolds it by itself, and keeps it so.
    """
    box = Node("details", None, f"folded {classes}", open=open_)
    with box:
        head = Node("summary", summary, data_key=key or summary)
    if click is not None:
        on_click(head, click)
    return box


def tip(word: str, meaning: str) -> Node:
    """A technical term with its meaning as a tooltip."""
    return Node("abbr", word, "tip", title=meaning, tabindex="0", aria_label=f"{word}: {meaning}")


def figure_number(value: str, label: str, *, tone: str = "", meaning: str = "") -> Node:
    """A large number with what it counts."""
    box = div(f"stat {tone}")
    with box:
        Node("div", value, "stat-value")
        with Node("div", None, "stat-label"):
            tip(label, meaning) if meaning else Node("span", label)
    return box


def on_click(node: Node, click: Click) -> Node:
    """Tell the server of a click; nothing else of the event is sent."""
    node.hear("click", lambda _: click())
    return node


def on_typed(node: Node, change: Change) -> Node:
    """Tell the server of the value of a field, once it is left."""
    return _on_value(node, lambda value: change(str(value)))


def on_drop(node: Node, change: Change) -> Node:
    """Tell the server what was dragged here."""
    node.hear("mv-drop", lambda told: change(str(told.args["detail"])), "detail")
    return node


def _on_value(node: Node, change: Callable[[Any], Any]) -> Node:
    """Listen to an event of ``app.js``: no script has to be evaluated in the browser."""

    def heard(told: Any) -> Any:
        value = told.args["detail"]
        node.places.note(node.place, value)
        return change(value)

    node.hear("mv-value", heard, "detail")
    return node
