"""The client: a remote private table, queried like a local one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from microveil.errors import BudgetError, InputError, InternalError, MicroveilError, QueryError

if TYPE_CHECKING:
    import httpx
    import pandas as pd
    import polars as pl

    from microveil.dp import Answer, Declaration, Loss

SECONDS = 60.0


class ServiceError(MicroveilError):
    """The service cannot be reached, or has failed."""


def connect(url: str, key: str, *, verify: bool | str = True) -> Service:
    """Connect to a query service: ``mv.connect("https://…", "mv_…")["survey"].sql("SELECT …")``.

    ``verify`` may be the path of a file with your own certificate authority.
    """
    return Service(url, key, verify=verify)


@dataclass(frozen=True)
class Result:
    """The answers to one request, and what they cost."""

    answers: tuple[Answer, ...]
    why: str
    """``paid`` now, ``stored`` earlier, ``derived`` from paid answers, or a ``dry run``."""
    charged: Mapping[str, Fraction]
    sources: tuple[int, ...] = ()

    @property
    def is_free(self) -> bool:
        """Whether this request cost nothing."""
        return not self.charged

    @property
    def answer(self) -> Answer:
        """The answer, if there is exactly one."""
        if len(self.answers) != 1:
            raise QueryError(f"There are {len(self.answers)} answers; read them in `.answers`.")
        return self.answers[0]

    @property
    def value(self) -> Any:
        """The number, if there is exactly one."""
        return self.answer.value

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """The confidence interval of the number."""
        return self.answer.interval

    @property
    def frame(self) -> pl.DataFrame:
        """All answers as one Polars frame; several are stacked, with their query in ``asked``."""
        import polars as pl

        if len(self.answers) == 1:
            return self.answer.frame
        named = [
            one.frame.with_columns(
                pl.lit(one.query.words()).alias("asked"),
                pl.col("value", "low", "high").cast(pl.Float64, strict=False),
            )
            for one in self.answers
        ]
        return pl.concat(named, how="diagonal_relaxed")

    def to_pandas(self) -> pd.DataFrame:
        """All answers as one pandas frame."""
        return self.frame.to_pandas()


class Service:
    """A connection to a query service."""

    def __init__(self, url: str, key: str, *, verify: bool | str = True) -> None:
        """Prepare a connection; no request is sent yet."""
        try:
            import httpx
        except ImportError:
            raise InputError(
                "The client needs the package httpx: pip install 'microveil[service]'"
            ) from None
        headers = {"Authorization": f"Bearer {key}"}
        self._http: httpx.Client = httpx.Client(
            base_url=url.rstrip("/"), headers=headers, timeout=SECONDS, verify=verify
        )

    def __repr__(self) -> str:
        return f"Service({str(self._http.base_url)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __getitem__(self, name: str) -> RemoteTable:
        """A data set by its name."""
        return RemoteTable(self, name)

    def names(self) -> list[str]:
        """The data sets that the key gives access to."""
        found: list[str] = self.call("GET", "/v1/data")["data"]
        return found

    def call(self, method: str, path: str, body: Any = None, **parameters: Any) -> Any:
        """Send one request; a refusal by the service is raised as one of our errors."""
        reply = self._send(method, path, body, parameters or None)
        if reply.is_success:
            return reply.json()
        raise _refusal(reply)

    def _send(self, method: str, path: str, body: Any, parameters: Any) -> httpx.Response:
        """Send, and retry once if the connection broke: no query is charged twice."""
        import httpx

        for last in (False, True):
            try:
                return self._http.request(method, path, json=body, params=parameters)
            except httpx.HTTPError as error:
                broke = isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError)
                if last or not broke or isinstance(error, httpx.ConnectError):
                    raise ServiceError(
                        f"The query service cannot be reached ({type(error).__name__})."
                    ) from None
        raise InternalError("A request was neither answered nor refused.")


_PAYMENT_REQUIRED, _FAULT = 402, 500


def _refusal(reply: httpx.Response) -> MicroveilError:
    try:
        message = str(reply.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        message = f"The query service answered with status {reply.status_code}."
    if reply.status_code == _PAYMENT_REQUIRED:
        return BudgetError(message)
    return ServiceError(message) if reply.status_code >= _FAULT else QueryError(message)


class RemoteTable:
    """A private table behind a service: prices, dry runs, answers, history."""

    def __init__(self, service: Service, name: str) -> None:
        """Name a data set; no request is sent yet."""
        self.name = name
        self._service = service

    def __repr__(self) -> str:
        return f"RemoteTable({self.name!r})"

    @property
    def declaration(self) -> Declaration:
        """Public knowledge about the table."""
        from microveil.dp import Declaration

        return Declaration.parse(self.schema["declaration"])

    @property
    def schema(self) -> dict[str, Any]:
        """Columns, unit of privacy, currency of the budget and last day."""
        found: dict[str, Any] = self._call("GET", "")
        return found

    def price(self, query: Any, spend: Any = None, **wanted: Any) -> dict[str, Any]:
        """The price of a query, and the free answer if there is one; nothing is spent."""
        found: dict[str, Any] = self._call("POST", "/price", _body(query, spend, wanted))
        return found

    def dry_run(self, query: Any, spend: Any = None, **wanted: Any) -> Result:
        """Answer from an invented table: free, and about no real person."""
        return _result(self._call("POST", "/dry-run", _body(query, spend, wanted)))

    def ask(self, query: Any, spend: Any = None, **wanted: Any) -> Result:
        """Answer a query for a given spend, or to a given ``error``.

        ``query`` is a query, a query as plain data, or SQL. ``free="only"`` accepts only what
        follows from paid answers, ``free="never"`` always pays for fresh noise.
        """
        return _result(self._call("POST", "/query", _body(query, spend, wanted)))

    def sql(self, text: str, spend: Any = None, **wanted: Any) -> pl.DataFrame:
        """Answer a SELECT statement as a Polars frame."""
        return self.ask(text, spend, **wanted).frame

    def budget(self) -> dict[str, Loss]:
        """What may be spent (``cap``), was spent (``spent``) and is left (``left``)."""
        from microveil.dp import Loss

        return {part: Loss.parse(plain) for part, plain in self._call("GET", "/budget").items()}

    def history(self, most: int = 100) -> pl.DataFrame:
        """The paid queries of the analyst's group, newest first."""
        import polars as pl

        found = self._call("GET", "/history", most=most)["questions"]
        rows = [
            {
                "number": one["number"],
                "at": one["at"],
                "analyst": one["analyst"],
                "question": "; ".join(str(query) for query in one["question"]["queries"]),
                "charged": ", ".join(f"{unit} {paid}" for unit, paid in one["charged"].items()),
                "is_answered": one["answers"] is not None,
            }
            for one in found
        ]
        schema = ["number", "at", "analyst", "question", "charged", "is_answered"]
        return pl.DataFrame(rows, schema=schema if not rows else None)

    def _call(self, method: str, path: str, body: Any = None, **parameters: Any) -> Any:
        return self._service.call(method, f"/v1/data/{self.name}{path}", body, **parameters)


def _body(query: Any, spend: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
    from microveil.dp.answering import as_loss

    body = dict(wanted)
    if isinstance(query, str):
        body["sql"] = query
    else:
        body["query"] = query.to_dict() if hasattr(query, "to_dict") else dict(query)
    if spend is not None:
        body["spend"] = as_loss(spend).to_dict()
    if "delta" in body:
        body["delta"] = str(body["delta"])
    return body


def _result(plain: Mapping[str, Any]) -> Result:
    from microveil.dp import Answer

    return Result(
        tuple(Answer.from_dict(one) for one in plain["answers"]),
        plain["why"],
        {unit: Fraction(amount) for unit, amount in plain["charged"].items()},
        tuple(plain["sources"]),
    )
