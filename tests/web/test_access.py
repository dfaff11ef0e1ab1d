"""Who may use the app, and from where."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import FileError, InputError
from microveil.web.access import MOST_CLIENTS, MOST_FAILURES, Address, Gate

EVERYWHERE = "0.0.0.0"  # noqa: S104  checked, never listened on


def test_a_token_lets_one_browser_in_once() -> None:
    gate = Gate()
    token = gate.token()
    assert gate.admits_token(token)
    assert not gate.admits_token(token)
    assert not gate.admits_token("")


def test_the_password_may_be_used_by_several() -> None:
    gate = Gate("long enough")
    assert gate.admits_password("long enough")
    assert gate.admits_password("long enough")
    assert not gate.admits_password("long enougH")


def test_without_a_password_none_is_right() -> None:
    assert not Gate().admits_password("")


def test_too_many_wrong_tries_shut_the_gate_for_the_right_one_too() -> None:
    gate = Gate("long enough")
    for _ in range(MOST_FAILURES):
        gate.admits_password("wrong")
    assert not gate.admits_password("long enough")


def test_one_client_cannot_lock_out_another() -> None:
    gate = Gate("long enough")
    for _ in range(MOST_FAILURES):
        gate.admits_password("wrong", "10.0.0.1")
    assert not gate.admits_password("long enough", "10.0.0.1")
    assert gate.admits_password("long enough", "10.0.0.2")


def test_wrong_tokens_lock_nobody_out() -> None:
    gate = Gate("long enough")
    token = gate.token()
    for _ in range(2 * MOST_FAILURES):
        assert not gate.admits_token("guessed")
    assert gate.admits_password("long enough")
    assert gate.admits_token(token)


def test_only_so_many_clients_are_remembered() -> None:
    gate = Gate("long enough")
    for number in range(MOST_CLIENTS + 10):
        gate.admits_password("wrong", str(number))
    assert len(gate._failures) == MOST_CLIENTS


def test_this_machine_alone_needs_neither_password_nor_tls() -> None:
    Address("127.0.0.1").check(None)
    Address("::1").check(None)


@pytest.mark.parametrize(
    ("address", "password", "said"),
    [
        (Address(EVERYWHERE), None, "password"),
        (Address("10.0.0.7"), "short", "8 characters"),
        (Address("10.0.0.7"), "long enough", "unencrypted"),
        (Address(certificate=Path("cert.pem")), None, "--tls-key"),
    ],
)
def test_beyond_this_machine_a_password_and_tls_are_asked_for(
    address: Address, password: str | None, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        address.check(password)


def test_an_explicit_word_allows_plain_http_behind_a_proxy() -> None:
    Address(EVERYWHERE, plain_http=True).check("long enough")


def test_tls_files_must_be_there(tmp_path: Path) -> None:
    address = Address(certificate=tmp_path / "a.pem", private_key=tmp_path / "b.pem")
    with pytest.raises(FileError, match="no file"):
        address.check(None)


def test_only_the_names_of_this_machine_are_answered_on_loopback() -> None:
    assert Address().hosts() == frozenset({"127.0.0.1", "localhost", "::1"})
    assert Address(EVERYWHERE).hosts() is None
    assert Address(EVERYWHERE, names=("veil.example",)).hosts() == frozenset(
        {EVERYWHERE, "veil.example"}
    )
