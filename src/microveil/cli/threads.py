"""`--threads`: how many threads a long command may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        envvar="MICROVEIL_THREADS",
        help="Threads to use; all cores of this process or container if not given. "
        "The result is the same with any number.",
    ),
]


def takes_threads(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--threads` to a command; it is set before any library that starts threads is loaded."""

    @wraps(command)
    def with_threads(*, threads: int | None, **given: Any) -> None:
        if threads is not None:
            from microveil.cores import settings

            settings.threads = threads
        command(**given)

    own = signature(command, eval_str=True).parameters.values()
    more = Parameter("threads", Parameter.KEYWORD_ONLY, default=None, annotation=Threads)
    parameters = [*(one.replace(kind=Parameter.KEYWORD_ONLY) for one in own), more]
    with_threads.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    with_threads.__annotations__ = {one.name: one.annotation for one in parameters}
    return with_threads
