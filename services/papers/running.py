"""Making what a paper's tables need, and keeping what its commands reported.

What was reported is kept in the workspace folder, with the state of the data that it was made of:
work that was stopped goes on where it was, and nothing is made twice while the data is the same.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Literal

from annotation.people.roles import Act, allow
from errors import UserError, did_you_mean
from llm.batch import Progress, Stop
from llm.local.stand_in import VARIABLE
from services.background.tasks import STOPPED, BackgroundTask, TaskKind, start
from services.papers.needs import Needs
from services.papers.recipes import FOLDER, PLACE, Recipe, Step, recipe
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace

Execute = Callable[[Sequence[str]], Mapping[str, Any]]
"""Runs a command of Touchstone by its words and returns its JSON, also that of its error."""
Told = Callable[[int, int, str], None]
"""Takes how many commands are done, of how many, and the one that is next."""
State = Literal["done", "not_run", "failed"]

_PROGRAM = FOLDER.parent / "touchstone.py"
_FOLDER, _FILE = "papers", "reported.json"
_LOOK = 0.2  # seconds between two looks whether it was stopped


@dataclass(frozen=True, slots=True)
class Reported:
    """What a command came to: its JSON, what it lacked (`not_run`), or why it failed."""

    state: State
    result: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PaperRun:
    """What the commands of a paper came to in a project, by step and by command of a report.

    `stand_in` is True where missing models were replaced by stand-ins, `lacked` is what was missing
    then; `version` is the state of the project's data after the last command.
    """

    stand_in: bool = False
    version: str = ""
    lacked: tuple[str, ...] = ()
    steps: Mapping[str, Reported] = field(default_factory=dict)
    reports: Mapping[str, Reported] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[str, ...]:
        """The steps that failed, in whole or in part."""
        return tuple(name for name, each in self.steps.items() if each.state == "failed")


def start_paper(
    ws: Workspace, slug: str, name: str, stand_in: bool = False, by: int | None = None
) -> BackgroundTask[PaperRun]:
    """Start a paper in the background; each command runs in a process of its own.

    A stop ends the command that is running. Raises UserError as :func:`run_paper` does, and while
    it is already running.
    """
    allow(ws, slug, by, Act.MAKE_ITEMS)
    found = recipe(name)

    async def work(progress: Progress, stop: Stop) -> PaperRun:
        """Run the paper."""

        def told(done: int, total: int, _: str) -> None:
            """Set the progress."""
            progress.done, progress.total = done, total

        execute = partial(_in_process, ws, slug, stand_in, stop)
        return run_paper(ws, slug, found, execute, told, stand_in=stand_in, by=by)

    total = len(found.steps) + len(tuple(found.commands))
    return start(ws, slug, TaskKind.PAPER, work, name=found.title, by=by, total=total)


def _in_process(
    ws: Workspace, slug: str, stand_in: bool, stop: Stop, words: Sequence[str]
) -> Mapping[str, Any]:
    """Run a command in its own process; return its JSON. Raises UserError once `stop` is set."""
    first = [sys.executable, str(_PROGRAM), "--json", "--workspace", str(ws.folder)]
    seen = {**os.environ, **({VARIABLE: "1"} if stand_in else {})}
    with subprocess.Popen(  # noqa: S603  (words of a packaged recipe, no shell)
        [*first, "--project", slug, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=seen,
    ) as running:
        said = None
        while said is None:
            if stop.is_set():
                running.terminate()
                raise UserError(STOPPED)
            with suppress(subprocess.TimeoutExpired):
                said, _ = running.communicate(timeout=_LOOK)
    try:
        found = json.loads(said)
    except ValueError:
        return UserError("paper_command", command=" ".join(words)).as_dict()
    return with_exit_error(found, running.returncode, words)


def with_exit_error(found: Any, code: object, words: Sequence[str]) -> Mapping[str, Any]:
    """Return a command's report, with an error if its exit code is not 0 and it names none."""
    told = dict(found) if isinstance(found, Mapping) else {"found": found}
    if not code or "error" in told:
        return told
    why = told.get("reason") or told.get("end") or ""
    return told | UserError("paper_early", command=" ".join(words), why=why).as_dict()


def last_run(ws: Workspace, slug: str, name: str, by: int | None = None) -> PaperRun:
    """Return the results of the last run; empty if the paper was not run in this project.

    Raises UserError for `by` (None: the operator) who does not see scores.
    """
    allow(ws, slug, by, Act.SEE_SCORES)
    return _stored(ws, slug, name)


def run_paper(
    ws: Workspace,
    slug: str,
    paper: Recipe,
    execute: Execute,
    told: Told = lambda *_: None,
    *,
    stand_in: bool = False,
    only: Collection[str] = (),
    by: int | None = None,
) -> PaperRun:
    """Run the steps of a paper, or `only` those named, and its reports; return what they came to.

    What was made of the same data is kept. A command that fails, or lacks something, keeps no other
    from running. Raises UserError for `by` (None: the operator) who may not run methods, and for a
    step that the paper has not.
    """
    allow(ws, slug, by, Act.MAKE_ITEMS)
    known = [step.step for step in paper.steps]
    if unknown := sorted({*only}.difference(known)):
        meant = did_you_mean(unknown[0], known)
        raise UserError("paper_step_unknown", step=unknown[0], known=", ".join(known), meant=meant)
    steps = [step for step in paper.steps if not only or step.step in only]
    before = _stored(ws, slug, paper.name)
    real = Needs(ws, slug)
    lacked = tuple(each for each in paper.stand_in_needs if not real.met(each)) if stand_in else ()
    if (before.stand_in, before.lacked) != (stand_in, lacked):
        before = PaperRun(stand_in, lacked=lacked)
    run, needs = _Run(ws, slug, paper, before, execute), Needs(ws, slug, stand_in=stand_in)
    commands = tuple(paper.commands)
    total = len(steps) + len(commands)
    for at, step in enumerate(steps):
        told(at, total, step.step)
        run.take_step(step, needs.lacking(step.needs))
    for at, command in enumerate(commands, len(steps)):
        told(at, total, command)
        run.take_report(command)
    return run.found


class _Run:
    """A run under way; what is found is stored after each command."""

    def __init__(
        self, ws: Workspace, slug: str, paper: Recipe, before: PaperRun, execute: Execute
    ) -> None:
        self._ws, self._slug, self._paper, self._execute = ws, slug, paper, execute
        self.found = before
        self._same = before.version == self._version()  # what was made is still true of the data

    def take_step(self, step: Step, lacking: str) -> None:
        """Run a step, or note what it lacks; up-to-date steps are kept."""
        if not self._is_kept(self.found.steps.get(step.step)):
            made = (
                Reported("not_run", reason=lacking) if lacking else self._run_command(step.command)
            )
            self._keep(steps={**self.found.steps, step.step: made})

    def take_report(self, command: str) -> None:
        """Run the command of a report, unless it is up to date."""
        if not self._is_kept(self.found.reports.get(command)):
            self._keep(reports={**self.found.reports, command: self._run_command(command)})

    def _is_kept(self, known: Reported | None) -> bool:
        """Return True if a command was done on the present data."""
        return known is not None and known.state == "done" and self._same

    def _run_command(self, command: str) -> Reported:
        """Run a command; return its report or error, or that of the step whose result it lacks."""
        for name, of in PLACE.findall(command):
            needed = self.found.steps.get(name, Reported("not_run"))
            if needed.reason and of not in needed.result:
                return Reported(needed.state, reason=needed.reason)
        try:
            words = [self._filled(word) for word in shlex.split(command)]
            found = dict(self._execute(words))
        except UserError as error:
            if error.code == STOPPED:  # nothing came of it: it is run again
                raise
            found = error.as_dict()
        failed = "error" in found
        return Reported("failed" if failed else "done", found, str(found["what"]) if failed else "")

    def _filled(self, word: str) -> str:
        """Return a word with what earlier steps reported in its places."""

        def value(place: re.Match[str]) -> str:
            """Return the value of a placeholder in a command."""
            name, of = place.groups()
            if name == "here":
                return str(self._paper.folder)
            if name == "new":
                return str(_unused(_file(self._ws, self._slug, self._paper.name).parent))
            made = self.found.steps.get(name, Reported("not_run"))
            if of not in made.result:
                raise UserError("paper_step_lacking", step=name)
            found = made.result[of]
            return str(found[0] if isinstance(found, list) and len(found) == 1 else found)

        return PLACE.sub(value, word)

    def _version(self) -> str:
        """Return a token that changes with the database."""
        from storage.tables.every import newest_rows

        with self._ws.reading() as session:
            return newest_rows(session)

    def _keep(self, **changed: Any) -> None:
        """Store the changed results."""
        version = self._version()
        self._same = self._same and version == self.found.version
        self.found = replace(self.found, version=version, **changed)
        file = _file(self._ws, self._slug, self._paper.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        with published_file(file) as part:
            part.write_text(
                json.dumps(asdict(self.found), ensure_ascii=False, default=str), "utf-8"
            )


def _stored(ws: Workspace, slug: str, name: str) -> PaperRun:
    """Read the stored results of a paper; empty if there are none."""
    try:
        found = json.loads(_file(ws, slug, name).read_text("utf-8"))
        steps, reports = (
            {key: Reported(**value) for key, value in found[part].items()}
            for part in ("steps", "reports")
        )
        lacked = tuple(map(str, found["lacked"]))
        return PaperRun(bool(found["stand_in"]), str(found["version"]), lacked, steps, reports)
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or of another shape
        return PaperRun()


def _unused(folder: Path) -> Path:
    """Return the first free path `made-N` in a folder."""
    return next(each for each in (folder / f"made-{n}" for n in count(1)) if not each.exists())


def _file(ws: Workspace, slug: str, name: str) -> Any:
    """Return the file of a paper's results."""
    return ws.folder / _FOLDER / slug / name / _FILE
