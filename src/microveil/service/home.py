"""The service's folder: the ledger, and the secret with which keys are hashed."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from microveil.errors import FileError, SecretError

if TYPE_CHECKING:
    from microveil.service.ledger.ledger import Ledger

SECRET_VARIABLE = "MICROVEIL_SERVICE_SECRET"  # noqa: S105  the name of one, not one
AUDIT_KEY_VARIABLE = "MICROVEIL_AUDIT_KEY"
_LEAST_BYTES = 32


@dataclass(frozen=True)
class Home:
    """A folder with the service's files; the ledger may be a database elsewhere."""

    folder: Path
    ledger_url: str | None = None
    """By default a SQLite file in the folder."""

    @property
    def url(self) -> str:
        """The ledger's address."""
        return self.ledger_url or f"sqlite:///{self.folder.resolve()}/ledger.db"

    def open(self, *, create: bool = False) -> Ledger:
        """Open the ledger; ``create`` makes the folder and tables if there are none."""
        from microveil.service.ledger.ledger import Ledger

        if create:
            self._make_folder()
        return Ledger.open(self.url, create=create, key=audit_key())

    def secret(self, *, create: bool = False) -> bytes:
        """The secret: from the environment, otherwise from a file that only its owner can read.

        Processes on several machines that share one ledger need the same secret.
        """
        given = os.environ.get(SECRET_VARIABLE, "").encode(errors="surrogateescape")
        path = self.folder / "secret"
        if not given and create and not path.exists():
            self._make_folder()
            _write_private(path, secrets.token_hex(_LEAST_BYTES))
        if not given and path.exists():
            given = path.read_bytes().strip()
        if len(given) < _LEAST_BYTES:
            raise SecretError(
                f"There is no secret of {_LEAST_BYTES} bytes or more in {path} or in the variable "
                f"{SECRET_VARIABLE}. `microveil serve add` makes one."
            )
        return given

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{self.folder} cannot be created: {error.strerror}.") from None


def audit_key() -> bytes | None:
    """The key that signs the ledger's entries, from the environment; None if they are not signed.

    Keep it where whoever can write the database cannot read it.
    """
    given = os.environ.get(AUDIT_KEY_VARIABLE, "").encode(errors="surrogateescape")
    if given and len(given) < _LEAST_BYTES:
        raise SecretError(
            f"The key in {AUDIT_KEY_VARIABLE} must have {_LEAST_BYTES} bytes or more."
        )
    return given or None


def _write_private(path: Path, text: str) -> None:
    """Create a file that only its owner can read; an existing one is never overwritten."""
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        return  # another process was faster: its secret counts
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from None
