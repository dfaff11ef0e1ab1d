"""Access: who may use the app, and how a browser proves it."""

from __future__ import annotations

import hmac
import ipaddress
import threading
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from time import monotonic

from microveil.errors import FileError, InputError

COOKIE = "microveil_session"
SHORTEST_PASSWORD = 8
MOST_FAILURES = 10
"""Wrong passwords of one client within ``PAUSE`` seconds; then it is not let in for a while."""
MOST_CLIENTS = 1000
"""Clients whose failures are remembered; the one that failed longest ago is forgotten first."""
PAUSE = 60.0


@dataclass(frozen=True)
class Address:
    """Where the app listens."""

    host: str = "127.0.0.1"
    port: int = 8080
    certificate: Path | None = None
    private_key: Path | None = None
    plain_http: bool = False
    """Confirms that plain HTTP is safe here, because a proxy in front of the app speaks TLS."""
    names: tuple[str, ...] = ()
    """Further names under which browsers reach it, such as that of a proxy."""

    @property
    def url(self) -> str:
        """The address for browsers."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether only programs on this machine can reach it.

        >>> Address("localhost").loopback, Address("0.0.0.0").loopback
        (True, False)
        """
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def check(self, password: str | None) -> None:
        """Refuse to show data to a network without a password and without TLS."""
        if (self.certificate is None) != (self.private_key is None):
            raise InputError("TLS needs both --tls-cert and --tls-key.")
        for path in (self.certificate, self.private_key):
            if path is not None and not path.is_file():
                raise FileError("There is no file {path}.", path=path)
        if password is not None and len(password) < SHORTEST_PASSWORD:
            raise InputError(
                "The password needs {shortest_password} characters or more.",
                shortest_password=SHORTEST_PASSWORD,
            )
        if self.loopback:
            return
        if password is None:
            raise InputError(
                "On {host} others can reach the app. Give a password: set "
                "MICROVEIL_APP_PASSWORD, or name a file with --password-file.",
                host=self.host,
            )
        if not (self.certificate or self.plain_http):
            raise InputError(
                "On {host} data and password would cross the network unencrypted. Give "
                "--tls-cert and --tls-key, or say --plain-http where a proxy in front speaks "
                "TLS.",
                host=self.host,
            )

    def hosts(self) -> frozenset[str] | None:
        """Host names a browser may ask for; None if any is accepted (all addresses of a machine).

        A page elsewhere cannot pass itself off as this one by pointing its own name here.
        """
        if self.loopback:
            return frozenset({"127.0.0.1", "localhost", "::1", self.host, *self.names})
        if self.names:
            return frozenset({self.host, *self.names})
        wide = self.host in ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on
        return None if wide else frozenset({self.host})


@dataclass
class Gate:
    """Lets browsers in: by a token that works once, or by the password.

    Failures are counted by client, so that none can lock out another. Wrong tokens are not
    counted: they are too long to be guessed, and any site can make a browser ask for one.
    """

    password: str | None = None
    _tokens: set[str] = field(default_factory=set)
    _failures: dict[str, list[float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def token(self) -> str:
        """A new token, for one browser."""
        token = token_urlsafe(32)
        self._tokens.add(token)
        return token

    def admits_token(self, token: str) -> bool:
        """Whether a token is valid; asking uses it up."""
        with self._lock:
            for known in self._tokens:
                if hmac.compare_digest(known.encode(), token.encode()):
                    self._tokens.discard(known)
                    return True
            return False

    def admits_password(self, password: str, client: str = "") -> bool:
        """Whether the password is right, and the client has not guessed too often."""
        with self._lock:
            if self.password is None or self._is_shut(client):
                return False
            if hmac.compare_digest(self.password.encode(), password.encode()):
                return True
            self._remember_failure(client)
            return False

    def _is_shut(self, client: str) -> bool:
        now = monotonic()
        recent = [one for one in self._failures.get(client, ()) if now - one < PAUSE]
        return len(recent) >= MOST_FAILURES

    def _remember_failure(self, client: str) -> None:
        # Taken out and put back at the end, so that the first is who failed longest ago.
        failures = self._failures.pop(client, [])
        self._failures[client] = [*failures[-MOST_FAILURES:], monotonic()]
        if len(self._failures) > MOST_CLIENTS:
            del self._failures[next(iter(self._failures))]
