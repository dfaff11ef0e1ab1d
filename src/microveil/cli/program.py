"""The program: its commands, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from microveil import __version__
from microveil.cli.commands import COMMANDS, GROUPS, LOGGED, LONG
from microveil.cli.logs import say, takes_log_options, wants_json_lines
from microveil.cli.output import Printed, error_object, print_json
from microveil.cli.threads import takes_threads
from microveil.errors import InputError, InternalError, MicroveilError, shorten
from microveil.extras import say_extra


class Program(TyperGroup):
    """The commands; what a usage error repeats of the command line has no password in it."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if hasattr(error, "format_message"):  # a usage error, whichever click typer has
                told = str(getattr(error, "message", ""))
                error.message = shorten(CREDENTIALS.sub(r"\1…@", told))  # type: ignore[attr-defined]  # it has one
                if wants_json_lines():
                    _complain(error.format_message(), InputError.exit_code, kind="UsageError")
            raise


CREDENTIALS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:/*)\S*@")
"""User and password of an address, with its scheme."""

program = typer.Typer(
    name="microveil",
    cls=Program,
    help="Publish microdata without publishing people.",
    epilog="Try `microveil demo`, or `microveil` without arguments on a terminal for a guide.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _name, _command in COMMANDS.items():
    _taking = takes_log_options(_name, _command) if _name in LOGGED else _command
    program.command(_name)(takes_threads(_taking) if _name in LONG else _taking)
for _name, _group in GROUPS.items():
    program.add_typer(_group, name=_name)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"microveil {__version__}")
        raise typer.Exit


@program.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            help="Language of the guide: en, es, ca, et or ru; by default the terminal's.",
        ),
    ] = None,
    version: Annotated[  # noqa: ARG001  its callback does the work
        bool, typer.Option("--version", callback=_print_version, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        from microveil.cli.guide import guide
        from microveil.cli.guide.language import chosen_language

        guide(chosen_language(lang))
    else:
        typer.echo(context.get_help())


class _Ended(BaseException):
    """The program was told to end, which must leave as little behind as an interruption."""


def _end(_number: int, _frame: object) -> None:
    raise _Ended


def main() -> None:
    """Run the program; our errors become one message and their exit code, never a traceback."""
    Printed.done = False
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    try:
        program()
    except MicroveilError as error:
        _complain(str(error), error.exit_code, kind=type(error).__name__)
    except _Ended:
        _complain("Ended; nothing was written.", 143)
    except KeyboardInterrupt:
        _complain("Interrupted; nothing was written.", 130)
    except BrokenPipeError:
        # The reader of our output has gone, so there is nothing left to do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except ModuleNotFoundError as error:
        told = say_extra(error.name) or f"The package {error.name} is not installed."
        _complain(told, InputError.exit_code, kind="MissingPackage")
    except MemoryError:
        _complain("Not enough memory for this table. Try fewer columns, or a row-wise recipe.", 1)
    except BaseException as error:
        # A panic of a library written in Rust is not an Exception.
        ours = isinstance(error, Exception) or type(error).__name__ == "PanicException"
        if not ours or os.environ.get("MICROVEIL_DEBUG"):
            raise
        # The message of a foreign exception may quote a cell, so only its type is shown.
        what = f"Unexpected {type(error).__name__}. Set MICROVEIL_DEBUG=1 to see where."
        _complain(str(InternalError(what)), InternalError.exit_code)


def _complain(message: str, exit_code: int, kind: str = "InternalError") -> None:
    """Print one message for people and, with --json, one object for programs."""
    message = shorten(message, most=20_000)
    if "--json" in sys.argv and not Printed.done:
        print_json({"error": error_object(message, kind)})
    say(message, colour=typer.colors.RED, kind=kind, exit_code=exit_code)
    sys.exit(exit_code)
