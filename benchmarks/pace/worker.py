"""Runs cases as asked on standard input, and answers each with its CPU seconds.

A line with a case's name makes its data and runs it once to compile; an empty line runs it again.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import AbstractContextManager, nullcontext

from cases import Call, cases


def compiled() -> AbstractContextManager[object]:
    """Use machine code however small the data: what is compared is warm code."""
    try:
        from microveil.kernels.jit import always_compiled
    except ImportError:  # an older tree compiles everything
        return nullcontext()
    return always_compiled()


def answer(call: Call | None, name: str) -> tuple[Call | None, dict[str, object]]:
    """CPU seconds of a call, which is made first if it is named; or why it failed."""
    try:
        call = cases()[name]() if name else call
        assert call is not None, "Name a case first."
        started = time.process_time()
        with compiled():
            call()
    except Exception as error:  # noqa: BLE001  an older tree may lack a measure or an argument
        return None, {"failed": f"{type(error).__name__}: {error}"}
    return call, {"seconds": time.process_time() - started}


def main() -> None:
    """Answer until the input ends."""
    call: Call | None = None
    for line in sys.stdin:
        call, found = answer(call, line.strip())
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
