"""A page runs its own scripts and nobody else's."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from microveil.web.policy import NONCE, Stamp, policy, stamp, with_nonce
from tests.web.loops import in_own_loop

Message = MutableMapping[str, Any]
PAGE = b"<html><style>a</style><script>b</script><script type='module'>c</script></html>"


def _sent(kind: bytes, *bodies: bytes, encoding: bytes | None = None) -> list[Message]:
    sent: list[Message] = []

    async def app(_scope: Message, _receive: Any, send: Any) -> None:
        headers = [(b"content-type", kind), (b"content-length", b"1")]
        headers += [(b"content-encoding", encoding)] if encoding else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for place, body in enumerate(bodies, 1):
            more = place < len(bodies)
            await send({"type": "http.response.body", "body": body, "more_body": more})

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Message = {"type": "http", NONCE: "n"}
    in_own_loop(Stamp(app)(scope, None, send))  # type: ignore[arg-type]
    return sent


def test_nothing_inline_and_nothing_evaluated_is_allowed() -> None:
    told = policy("abc")
    assert "unsafe" not in told
    assert "script-src 'self' 'nonce-abc'" in told
    assert "default-src 'none'" in told


def test_every_request_has_a_nonce_of_its_own() -> None:
    scopes: list[Message] = [{}, {}]
    first, second = (with_nonce(scope) for scope in scopes)
    assert first != second
    assert scopes[0][NONCE] == first


def test_a_page_is_stamped_even_if_it_comes_in_pieces_and_its_length_is_right() -> None:
    start, body = _sent(b"text/html; charset=utf-8", PAGE[:20], PAGE[20:])
    assert body["body"].count(b'nonce="n"') == 3
    assert dict(start["headers"])[b"content-length"] == str(len(body["body"])).encode()


def test_other_answers_pass_as_they_are() -> None:
    assert _sent(b"text/csv", PAGE)[1]["body"] == PAGE
    assert _sent(b"text/html", PAGE, encoding=b"gzip")[1]["body"] == PAGE


def test_escaped_markup_gets_no_nonce() -> None:
    assert b"nonce" not in stamp(b"&lt;script&gt;alert(1)&lt;/script&gt;", b"n")
