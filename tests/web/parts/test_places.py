"""What stands at the same place of a page stays the same element, and fields keep what is typed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from microveil.web.parts.places import Places, with_number


def test_a_name_holds_all_over_the_page_and_what_has_none_is_counted() -> None:
    places = Places()
    assert places.place("/div", "button", "undo") == places.place("/p", "button", "undo")[:5]
    assert places.place("/div", "p", "") == "/div/p"
    assert places.place("/div", "p", "") == "/div/p.2"
    places.begin()
    assert places.place("/div", "p", "") == "/div/p"


def test_a_field_is_set_only_where_the_server_has_another_value_than_the_browser() -> None:
    places = Places()
    drawn = places.stamp("k", "")
    assert places.stamp("k", "") == drawn
    places.note("k", "5")
    assert places.stamp("k", "5") == drawn
    assert places.stamp("k", "") > drawn  # the form was emptied
    first = places.stamp("role", value=True)
    places.forget("role")
    assert places.stamp("role", value=True) > first


def test_an_element_gets_the_number_it_had_unless_another_one_has_it() -> None:
    client: Any = SimpleNamespace(next_element_id=7, elements={3: "an element"})
    with with_number(client, 2):
        assert client.next_element_id == 2
    with with_number(client, 3):
        assert client.next_element_id == 7
    with with_number(client, None):
        client.next_element_id += 1
    assert client.next_element_id == 8
