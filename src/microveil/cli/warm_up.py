"""`microveil warm-up`: fill the cache of compiled code, for images and pipelines."""

from __future__ import annotations

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_json, progress_bar


def warm_up(as_json: AsJson = False) -> None:
    """Compile what methods and measures need, so that no later run waits for it.

    The code is stored beside the package, in your cache folder, or in MICROVEIL_CACHE_DIR.

    Example: MICROVEIL_CACHE_DIR=/cache microveil warm-up
    """
    from microveil.app.warming import warm_up as warm

    with progress_bar() as progress:
        taken = warm(progress)
    if as_json:
        print_json({"seconds": taken})
        return
    console().print(f"Ready: {len(taken)} parts warmed up in {sum(taken.values()):.0f} s.")
