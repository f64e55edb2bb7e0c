"""Touchstone's command line: the same work as the app, without a browser."""

from __future__ import annotations

import logging
import signal
import sys
from pathlib import Path
from typing import Annotated

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback while the packages load

try:
    import typer
    from typer.exceptions import TyperException
except ModuleNotFoundError:
    sys.exit(
        "touchstone: this Python lacks the packages. "
        "Run 'make run' once, then: .venv/bin/python touchstone.py"
    )

from commands.shell.lazy import LazyGroup
from commands.shell.state import (
    EXIT_INTERRUPTED,
    asks_for_json,
    common_options_first,
    leave_quietly,
    new_state,
    report_defect,
    report_stop,
    report_usage,
    report_user_error,
)
from errors import UserError

app = typer.Typer(
    cls=LazyGroup,
    help="Build and prove the gold data of legal retrieval.",
    epilog="Exit codes: 0 done, 2 wrong usage, 3 an error you can mend, 70 a defect, 130 stopped.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def common(
    context: typer.Context,
    workspace: Annotated[
        Path | None,
        typer.Option(help="Workspace folder; else $TOUCHSTONE_WORKSPACE, else .touchstone."),
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="Project name; may be left out while there is only one.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Keep the options that every command reads."""
    context.obj = new_state(workspace, project, as_json)


def main() -> int:
    """Run the command line and return its exit code; no traceback reaches the user."""
    arguments = common_options_first(sys.argv[1:])
    try:
        code = _run(arguments, asks_for_json(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        return leave_quietly()
    return code


def _run(arguments: list[str], as_json: bool) -> int:
    try:
        code = app(arguments, standalone_mode=False) or 0
    except UserError as error:
        return report_user_error(_named_as_typed(error, arguments), as_json)
    except BrokenPipeError:
        raise
    except TyperException as error:
        return report_usage(error, as_json)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except Exception as error:
        logging.getLogger("touchstone").debug("defect", exc_info=True)
        return report_defect(error, as_json)
    return report_stop(as_json) if code == EXIT_INTERRUPTED else int(code)


def _named_as_typed(error: UserError, arguments: list[str]) -> UserError:
    """Return the error with its file named as it was typed, its folder included."""
    from services.given_paths import as_given

    words = [word.partition("=")[2] if word[:2] == "--" else word for word in arguments]
    return as_given(error, words)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
