"""State of a command call: workspace, project, output of results and errors.

Exit codes: 0 done; 2 the command line itself is wrong (Typer's own); 3 something the user can fix,
printed with its remedy; 70 a defect of ours; 130 interrupted. Under --json each of them prints one
JSON object on standard output.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import typer

from commands.shell.progress import Report, bar, lines
from errors import UserError
from messages import say
from storage.db.location import workspace_folder

if TYPE_CHECKING:
    from rich.console import Console

    from storage.db.workspace import Workspace

Result = TypeVar("Result")
EXIT_USAGE = 2
EXIT_USER_ERROR = 3
EXIT_DEFECT = 70
EXIT_INTERRUPTED = 130
_reserved: ContextVar[TextIO | None] = ContextVar("reserved", default=None)
"""The real standard output while `only_json` reserves it."""


@dataclass
class State:
    """The options that precede the command."""

    chosen_folder: Path | None
    project: str | None
    as_json: bool
    _told: bool = False  # whether the read-only note was printed

    @property
    def folder(self) -> Path:
        """The folder of the chosen workspace."""
        return workspace_folder(self.chosen_folder)

    @property
    def workspace(self) -> Workspace:
        """The chosen workspace, not yet checked to exist."""
        from storage.db.workspace import Workspace

        ws = Workspace(self.folder)
        if ws.read_only and not (self._told or self.as_json):
            self._told = True
            print(say("app.read_only_line", place=ws.place), file=sys.stderr)  # noqa: T201
        return ws

    def project_slug(self) -> str:
        """Return the chosen project's slug, or the only project's.

        Raises UserError if there is none, or several and none was chosen.
        """
        from storage.projects import list_projects

        if self.project:
            return self.project
        slugs = [project.slug for project in list_projects(self.workspace)]
        if len(slugs) != 1:
            code = "project_unnamed" if slugs else "project_none"
            raise UserError(code, projects=", ".join(slugs))
        return slugs[0]

    @property
    def chosen(self) -> tuple[Workspace, str]:
        """The chosen workspace and its project. Raises UserError as `project_slug` does."""
        return self.workspace, self.project_slug()

    def emit(
        self, result: dict[str, Any] | list[Any], lines: Sequence[str], failed: bool = False
    ) -> None:
        """Print `result` as one JSON value under --json, else the human `lines`.

        Raises typer.Exit with code 3 if the work `failed` or ended early.
        """
        if self.as_json:
            print_json(result)
        else:
            console = _console()
            for line in lines:
                console.print(line, markup=False, soft_wrap=True)
        if failed:
            raise typer.Exit(EXIT_USER_ERROR)

    def run(self, label: str, work: Callable[..., Coroutine[Any, Any, Result]]) -> Result:
        """Run a background task in the foreground, with progress on standard error."""
        from services.background.tasks import watched

        with self.progress(label) as report:
            return watched(work, report)

    def progress(self, label: str) -> AbstractContextManager[Report]:
        """Return the context of long work, which yields its progress callback.

        A bar is drawn on standard error. If that is no terminal, and under --json, a line is
        written there instead, every ten seconds.
        """
        return lines(label) if self.as_json or not sys.stderr.isatty() else bar(label)


def _console(stderr: bool = False) -> Console:
    """Return a console for terminal output."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def new_state(workspace: Path | None, project: str | None, as_json: bool) -> State:
    """Return the state of this call; the project is looked up when it is needed.

    Registers the folder of retrieval methods in the workspace; none is loaded before it is used.
    """
    from retrieval.core.own import FOLDER, set_method_folder

    state = State(workspace, project, as_json)
    set_method_folder(state.folder / FOLDER)
    return state


def print_json(value: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print JSON on one line; characters that the terminal cannot encode are escaped."""
    out = _reserved.get() or sys.stdout
    text = json.dumps(value, ensure_ascii=False, default=str)
    try:
        text.encode(out.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, default=str)
    print(text, file=out)


@contextmanager
def captured_json(said: TextIO) -> Iterator[None]:
    """Capture the JSON that commands print within the block, and nothing else."""
    token = _reserved.set(said)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _reserved.reset(token)


@contextmanager
def only_json() -> Iterator[None]:
    """Reserve standard output for one JSON object: other prints go to standard error.

    A user's retrieval method, or a library that it uses, may print at any time.
    """
    with captured_json(_reserved.get() or sys.stdout):
        yield


def _report(error: UserError, as_json: bool, *lines: str) -> None:
    """Print an error: under --json itself on standard output, else `lines` on standard error."""
    if as_json:
        print_json(error.as_dict())
        return
    for line in lines:
        _console(stderr=True).print(line, markup=False, soft_wrap=True)


def report_user_error(error: UserError, as_json: bool) -> int:
    """Print a user error (under --json on standard output) and return its exit code."""
    place = error.where.render()
    what = f"Error: {place + ': ' if place else ''}{error.what()}"
    _report(error, as_json, what, f"Remedy: {error.remedy()}")
    return EXIT_USER_ERROR


def report_usage(error: Exception, as_json: bool) -> int:
    """Print a usage error found by Typer, and return the exit code."""
    if as_json:
        message = getattr(error, "format_message", error.__str__)()
        print_json(UserError("usage", message=message).as_dict())
    else:
        from typer.rich_utils import rich_format_error

        rich_format_error(error)  # type: ignore[arg-type]
    return EXIT_USAGE


def report_defect(defect: Exception, as_json: bool) -> int:
    """Print a defect of ours and its location, without a traceback; return the exit code."""
    frame = traceback.extract_tb(defect.__traceback__)[-1]
    said = UserError(
        "defect",
        problem=f"{type(defect).__name__}: {defect}",
        place=f"{Path(frame.filename).name}:{frame.lineno}",
    )
    _report(said, as_json, said.what(), said.remedy())
    return EXIT_DEFECT


def report_stop(as_json: bool) -> int:
    """Print that the command was stopped by hand and return the exit code."""
    _report(UserError("interrupted"), as_json, "Stopped.")
    return EXIT_INTERRUPTED


def leave_quietly() -> int:
    """Redirect standard output, whose reader has gone, to null; return the exit code."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_INTERRUPTED


def common_options_first(arguments: list[str]) -> list[str]:
    """Move --json, --workspace and --project before the command; those after ``--`` stay."""
    first: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == "--json" or word.startswith(("--workspace=", "--project=")):
            first.append(word)
        elif word in ("--workspace", "--project"):
            first += [word, *[value for value in [next(words, None)] if value is not None]]
        else:
            rest.append(word)
    return first + rest


def asks_for_json(arguments: list[str]) -> bool:
    """Return whether --json is among the arguments, before any ``--``."""
    return "--json" in arguments[: arguments.index("--") if "--" in arguments else None]
