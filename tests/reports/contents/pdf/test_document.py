from __future__ import annotations

import re
import zlib

from microveil.reports.contents.pdf.document import Document, Picture, escape_text


def test_every_object_stands_where_the_table_says() -> None:
    pages = [["BT /F1 10 Tf 50 700 Td (one) Tj ET"], ["BT ET"]]
    content = Document("Report (1)", pages, [Picture(b"\xff\xd8", 1, 1)]).to_bytes()
    start = int(content.rsplit(b"startxref\n", 1)[1].split()[0])
    places = re.findall(rb"(\d{10}) 00000 n ", content[start:])
    for number, place in enumerate(places, 1):
        assert content[int(place) :].startswith(f"{number} 0 obj".encode())
    assert b"/Count 2" in content
    packed = re.findall(rb"/FlateDecode /Length (\d+) >>\nstream\n", content)
    at = content.index(b"/FlateDecode /Length " + packed[0])
    body = content[content.index(b"stream\n", at) + 7 :][: int(packed[0])]
    assert zlib.decompress(body) == pages[0][0].encode()


def test_parentheses_end_no_text() -> None:
    assert escape_text(r"a (b) \c") == r"a \(b\) \\c"
