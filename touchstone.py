"""Touchstone's command line: the same work as the app, without a browser."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

try:
    import typer
except ModuleNotFoundError:
    sys.exit(
        "touchstone: this Python lacks the packages. "
        "Run 'make run' once, then: .venv/bin/python touchstone.py"
    )

from commands import data, people, scoring, workspace
from commands.state import (
    EXIT_DEFECT,
    EXIT_INTERRUPTED,
    common_options_first,
    new_state,
    report_user_error,
)
from errors import UserError

app = typer.Typer(
    help="Build and prove the gold data of legal retrieval.",
    epilog="Exit codes: 0 done, 2 wrong usage, 3 an error you can mend, 70 a defect, 130 stopped.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
importing = typer.Typer(help="Read statutes or questions into the project.", no_args_is_help=True)
exporting = typer.Typer(help="Write the project's gold to files.", no_args_is_help=True)


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


app.command("init")(workspace.init)
app.command("serve")(workspace.serve)
app.command("status")(workspace.status)
app.command("check")(workspace.check)
app.command("project")(workspace.project)
app.command("person")(people.person)
app.command("agreement")(people.agreement)
importing.command("statutes")(data.statutes)
importing.command("questions")(data.questions)
app.add_typer(importing, name="import")
app.command("candidates")(data.candidates)
exporting.command("gold")(scoring.gold)
exporting.command("run")(scoring.run_file)
app.add_typer(exporting, name="export")
app.command("retrieve")(scoring.retrieve)
app.command("evaluate")(scoring.evaluate)


def main() -> int:
    """Run the command line and return its exit code; no traceback reaches the user."""
    arguments = common_options_first(sys.argv[1:])
    try:
        app(arguments)
    except UserError as error:
        return report_user_error(error, "--json" in arguments)
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)
        return EXIT_INTERRUPTED
    except Exception as error:
        logging.getLogger("touchstone").debug("defect", exc_info=True)
        typer.echo(
            f"This is a defect of Touchstone, not of your input: {type(error).__name__}: {error}\n"
            "Please report it with the command you ran.",
            err=True,
        )
        return EXIT_DEFECT
    return 0


if __name__ == "__main__":
    sys.exit(main())
