"""Errors as HTTP replies: one status, one kind, one sentence; no traceback and no cell value."""

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
    """A refusal with its HTTP status."""

    def __init__(
        self, status: int, kind: str, message: str, headers: dict[str, str] | None = None
    ) -> None:
        """Store what the reply needs."""
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
    """The one reply for a data set that does not exist or that the key gives no access to."""
    return ApiError(HTTPStatus.FORBIDDEN, "not_yours", "This key opens no data set of that name.")


def reply(error: ApiError) -> JSONResponse:
    """An error as a response."""
    body = {"error": {"kind": error.kind, "message": error.message}}
    return JSONResponse(body, error.status, error.headers)


def as_api_error(error: Exception) -> ApiError:
    """The HTTP error for each of our errors."""
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
                "The answer takes longer than allowed. It will be stored: send the same query "
                "again later, at no further cost.",
            )
    return ApiError(
        HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "Internal service error. Please report it."
    )


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorReply, "description": text}
    for status, text in {
        401: "The key is missing, wrong, expired or revoked.",
        402: "The budget is insufficient.",
        403: "The key gives no access to this data set.",
        404: "Not found.",
        408: "The body did not arrive in time.",
        410: "The data set is closed to further queries.",
        413: "The body is too large.",
        422: "The request is invalid.",
        429: "Too many requests.",
        503: "The ledger or the data are temporarily unavailable.",
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
"""The same for endpoints that reply with plain text on success."""


def install(app: FastAPI) -> None:
    """Make the app reply to all errors this way."""

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


def reply_to_unexpected(error: Exception) -> JSONResponse:
    """The reply to an unexpected error: its type is logged, its text is not."""
    log("failed", error=type(error).__name__, place=_place(error))
    return reply(as_api_error(error))


def _place(error: Exception) -> list[str]:
    """Where it happened: files and lines, which reveal no cell value."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames]


def _problem(detail: dict[str, Any]) -> str:
    """One problem in a body: where and what, never the offending value."""
    if detail["type"] == "json_invalid":
        return "The body is not valid JSON."
    path = ".".join(str(part) for part in detail["loc"] if part != "body")
    text = str(detail["msg"]).removeprefix("Value error, ").rstrip(".")
    return f"{path}: {text}." if path else f"{text}."
