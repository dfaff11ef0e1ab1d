"""What is logged quotes nobody."""

from __future__ import annotations

import logging

import pytest

from microveil.web.logs import quiet


def test_an_exception_is_logged_by_its_kind_and_place_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logger = logging.getLogger("tests.web.logs")
    quiet(logger)
    try:
        int("a secret cell")
    except ValueError as error:
        logger.exception("it broke with a secret cell")
        logger.error(error)  # noqa: TRY400  as some libraries do
    told = capsys.readouterr().err
    assert "ValueError" in told
    assert "test_logs.py" in told
    assert "secret" not in told


def test_neither_tokens_nor_forged_lines_are_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("tests.web.logs.addresses")
    quiet(logger)
    logger.warning("http://127.0.0.1/sign-in/?token=%s not found\nERROR forged", "secret")
    told = capsys.readouterr().err
    assert "secret" not in told
    assert "/sign-in/?… not found" in told
    assert told.count("\n") == 1
