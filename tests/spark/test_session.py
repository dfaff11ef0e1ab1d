"""Bad input: one sentence each, before anything is started."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.spark.session import check_java, check_master, java_version


def test_a_master_that_does_not_answer_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(InputError, match=f"spark://127.0.0.1:{port} does not answer"):
        check_master(f"spark://127.0.0.1:{port}")
    with pytest.raises(InputError, match="not a Spark master"):
        check_master("http://somewhere")
    check_master("local[2]")


def test_java_that_is_missing_or_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="needs Java, and none was found"):
        check_java()
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n", encoding="utf-8")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(InputError, match="needs Java 17 or newer, and found version 11"):
        check_java()
    assert java_version("nothing") is None
