from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from microveil.reports.markup import Markup, element


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.attributes: dict[str, str | None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(alphabet=st.characters(exclude_categories=["C"])))
def test_any_text_comes_back_as_text_and_opens_no_tag(text: str) -> None:
    reader = Reader()
    reader.feed(element("p", text, title=text))
    reader.close()

    assert reader.tags == ["p"]
    assert reader.text == text
    assert reader.attributes == {"title": text}


def test_markup_stands_as_it_is() -> None:
    assert element("p", Markup("<b>x</b>")) == "<p><b>x</b></p>"
