"""Errors as HTTP tells them: one status, one kind, one sentence; no trace and no cell."""

from __future__ import annotations

import traceback
from http import HTTPStatus
from pathlib import PurePath
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from microveil.errors import BudgetError, InputError, MicroveilError
from microveil.service.api.logs import log
from microveil.service.data import DataUnavailableError
from microveil.service.ledger.refusals import LedgerUnavailableError

_MOST_PROBLEMS = 10
_MOST_FRAMES = 8


class Problem(BaseModel):
    """What went wrong."""

    kind: str
    """For programs: ``over_budget``, ``invalid``, ``no_key`` …"""
    message: str
    """For people."""


class ErrorReply(BaseModel):
    """The body of every error."""

    error: Problem


class ApiError(Exception):
    """A refusal with its status."""

    def __init__(
        self, status: int, kind: str, message: str, headers: dict[str, str] | None = None
    ) -> None:
        """Keep what the reply needs."""
        super().__init__(message)
        self.status, self.kind, self.message, self.headers = status, kind, message, headers


def no_key() -> ApiError:
    """The one reply to a key that is missing, wrong, expired or revoked."""
    return ApiError(
        HTTPStatus.UNAUTHORIZED,
        "no_key",
        "Send a valid key: `Authorization: Bearer mv_…`.",
        {"WWW-Authenticate": "Bearer"},
    )


def not_yours() -> ApiError:
    """The one reply to a data set that does not exist or that the key does not open."""
    return ApiError(HTTPStatus.FORBIDDEN, "not_yours", "This key does not open such a data set.")


def reply(error: ApiError) -> JSONResponse:
    """An error as a response."""
    body = {"error": {"kind": error.kind, "message": error.message}}
    return JSONResponse(body, error.status, error.headers)


def as_api_error(error: Exception) -> ApiError:
    """How each of our errors is told."""
    match error:
        case ApiError():
            return error
        case BudgetError():
            return ApiError(HTTPStatus.PAYMENT_REQUIRED, "over_budget", str(error))
        case InputError():
            return ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", str(error))
        case LedgerUnavailableError() | DataUnavailableError():
            later = {"Retry-After": "1"}
            return ApiError(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", str(error), later)
        case TimeoutError():
            return ApiError(
                HTTPStatus.GATEWAY_TIMEOUT,
                "too_slow",
                "The answer takes longer than allowed. It is stored when it is there: ask the same "
                "question again, and it costs nothing more.",
            )
    return ApiError(
        HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "A fault of the service. Please report it."
    )


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorReply, "description": text}
    for status, text in {
        401: "The key is missing, wrong, expired or revoked.",
        402: "The budget does not suffice.",
        403: "The key does not open this data set.",
        404: "There is no such thing.",
        410: "The data set takes no more questions.",
        413: "The body is too large.",
        422: "The question cannot be asked so.",
        429: "Too many requests.",
        503: "The ledger or the data cannot be reached just now.",
        504: "The answer takes longer than allowed.",
    }.items()
}

IN_JSON: dict[int | str, dict[str, Any]] = {
    status: {
        "description": told["description"],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorReply"}}},
    }
    for status, told in RESPONSES.items()
}
"""The same for endpoints that reply with text when all is well."""


def install(app: FastAPI) -> None:
    """Let the app answer all errors this way."""

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        problems = [_problem(detail) for detail in error.errors()[:_MOST_PROBLEMS]]
        return reply(ApiError(422, "invalid", " ".join(problems)))

    @app.exception_handler(HTTPException)
    async def _http(_request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == HTTPStatus.BAD_REQUEST:
            return reply(ApiError(422, "invalid", "The body cannot be read."))
        kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
        message = f"{HTTPStatus(error.status_code).phrase}."
        headers = dict(error.headers) if error.headers else None
        return reply(ApiError(error.status_code, kind, message, headers))

    @app.exception_handler(ApiError)
    async def _ours(_request: Request, error: ApiError) -> JSONResponse:
        return reply(error)

    @app.exception_handler(MicroveilError)
    @app.exception_handler(TimeoutError)
    async def _known(_request: Request, error: Exception) -> JSONResponse:
        told = as_api_error(error)
        if told.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            log("failed", error=type(error).__name__)
        return reply(told)


def unexpected(error: Exception) -> JSONResponse:
    """An error nobody thought of: its kind goes to the log, its text nowhere."""
    log("failed", error=type(error).__name__, place=_place(error))
    return reply(as_api_error(error))


def _place(error: Exception) -> list[str]:
    """Where it happened: files and lines, which tell no cell."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames]


def _problem(detail: dict[str, Any]) -> str:
    """One problem of a body: where, and what; never what stood there."""
    if detail["type"] == "json_invalid":
        return "The body is not valid JSON."
    path = ".".join(str(part) for part in detail["loc"] if part != "body")
    text = str(detail["msg"]).removeprefix("Value error, ").rstrip(".")
    return f"{path}: {text}." if path else f"{text}."
