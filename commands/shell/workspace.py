"""Commands about the workspace itself: init, serve, status, check, project, backup, restore."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS
from commands.shell.options import id_of_person
from commands.shell.reports import Language, Output, check_output, report_lines
from commands.shell.state import EXIT_USER_ERROR, State, report_user_error
from errors import UserError, Where
from storage.db.location import DATABASE_FILE

if TYPE_CHECKING:
    from storage.db.workspace import Workspace


ROOT = Path(__file__).resolve().parents[2]
_LIST = "list"  # a project name that lists the projects instead
_LOST = {
    "amended": "the law was amended since",
    "no_candidates": "candidates from the law in use are lacking",
}


@COMMANDS.command("init")
def init(
    state: State,
    sample: Annotated[
        bool,
        option("Load the sample project, where people have worked for three weeks.", "--sample"),
    ] = False,
    fresh: Annotated[
        bool, option("With --sample: load it with nothing decided.", "--fresh")
    ] = False,
) -> None:
    """Create the workspace, or bring an older one up to date. Safe to repeat.

    One that may only be read is opened where it is up to date, and nothing is written. A workspace
    that has a project already keeps it, and gets no sample.
    """
    from services.sample.loading import load_sample, load_worked_sample
    from storage.db.migrate import migrate

    applied = migrate(state.workspace)
    lines = [
        f"Workspace: {state.folder}",
        f"Migrations applied: {', '.join(applied) if applied else 'none, it is up to date'}",
    ]
    result: dict[str, object] = {"workspace": str(state.folder), "applied": applied}
    if sample:
        with state.progress("Loading the sample project") as report:
            if fresh:
                loaded = load_sample(state.workspace, report)
            else:
                loaded = load_worked_sample(state.workspace)
        result["sample"] = loaded
        lines.append("Sample project: " + ("loaded" if loaded else "kept as it is"))
    state.emit(result, lines)


@COMMANDS.command("project")
def project(
    state: State,
    name: Annotated[
        str,
        argument(
            "Short name: letters, digits and hyphens; or list, to name the projects there are."
        ),
    ],
    title: Annotated[str, option("Title shown in the app.")] = "",
    overlap: Annotated[int, option("Independent submissions wanted for each item, 1 to 5.")] = 2,
    administrator: Annotated[
        str,
        option(
            "Account that manages it where people sign in; also of a project there is.",
            metavar="LOGIN",
        ),
    ] = "",
) -> None:
    """Create a project, or list the projects of the workspace."""
    from annotation.people.accounts import make_administrator, require_usable
    from storage.projects import create_project, list_projects

    if name == _LIST:
        found = list_projects(state.workspace)
        lines = [f"{each.slug:<24} {each.title}" for each in found]
        projects = [{"project": each.slug, "title": each.title} for each in found]
        state.emit({"projects": projects}, lines or ["No project."])
        return
    made: dict[str, object] = {"project": name}
    lines = []
    if administrator:
        require_usable(state.workspace, administrator)  # before a project is made for nobody
    if not administrator or name not in {each.slug for each in list_projects(state.workspace)}:
        create_project(state.workspace, name, title or name, overlap)
        lines, made = [f"Created project {name}."], made | {"overlap": overlap}
    if administrator:
        make_administrator(state.workspace, name, administrator)
        lines += [f"{administrator} is its administrator."]
        made |= {"administrator": administrator}
    state.emit(made, lines)


@COMMANDS.command("modules")
def modules(
    state: State,
    on: Annotated[
        list[str] | None, option("A module to switch on; may be repeated.", "--on")
    ] = None,
    off: Annotated[
        list[str] | None, option("A module to switch off; may be repeated.", "--off")
    ] = None,
    by: Annotated[str, option("Who switches them: the name of a lead.")] = "",
) -> None:
    """List the modules of the project, or switch some on or off.

    A module that is on takes a place in the sidebar. One in use stays on.
    """
    from annotation.start.modules import Module, switch_modules
    from annotation.start.modules import modules as modules_of

    if on or off:
        chosen = (modules_of(*state.chosen).chosen | {*(on or ())}) - {*(off or ())}
        switch_modules(state.workspace, id_of_person(state, by, "by"), chosen)
    found = modules_of(*state.chosen)
    told = {
        str(each): "in use" if each in found.in_use else "on" if each in found.chosen else "off"
        for each in Module
    }
    state.emit({"modules": told}, [f"{name:<12} {how}" for name, how in told.items()])


@COMMANDS.command("status")
def status(state: State, output: Output = None, language: Language = "en") -> None:
    """Say what to do next, what the project holds, and how far people have come: its overview."""
    from annotation.gold.derivation import count_gold, derive
    from services.law.overview import overview as held_by
    from services.overview.report import agreement_lines, overview
    from services.overview.words import as_report

    check_output(output)
    ws, slug = state.workspace, state.project_slug()
    held, found = held_by(ws, slug), overview(ws, slug)
    report = as_report(found, agreement_lines(ws, slug, found.tasks), language)
    items = [item for item in derive(ws, slug) if item.inherited is None]
    counts = {"questions": held.questions, "items": held.items, "ready": held.ready}
    if found.questions.inheriting:
        counts["inheriting"] = found.questions.inheriting
    lost = {
        reason: sorted(item.external_id for item in items if reason in item.pending)
        for reason in ("amended", "no_candidates")
    }
    law, said = _law(ws, held.snapshot_id)
    first, *rest = report_lines(report, output)
    held_lines = [*said, *(f"{name}: {count}" for name, count in counts.items())]
    lost_lines = [
        f"pending as {why}: {len(lost[reason])} ({', '.join(lost[reason])})"
        for reason, why in _LOST.items()
        if lost[reason]
    ]
    outcomes = sorted(count_gold(items).outcomes.items())
    result: dict[str, object] = {
        "project": slug,
        **counts,
        "outcomes": {str(name): count for name, count in outcomes},
        **lost,
        "to_check": found.in_doubt.as_dict(),
        "overview": report.as_json(),
    }
    snapshots = [
        {"id": line.id, "name": line.name, "in_use": line.in_use} for line in held.snapshots
    ]
    told = [f"project: {slug}", first, *held_lines, *rest, *lost_lines]
    state.emit({**result, **law, "snapshots": snapshots}, told)


def _law(ws: Workspace, snapshot_id: int | None) -> tuple[dict[str, int], list[str]]:
    """Return the contents of the snapshot in use, as counts and as lines."""
    from services.law.overview import graph_counts, law_counts

    if snapshot_id is None:
        return {}, ["no statutes yet"]
    held, graph = law_counts(ws, snapshot_id), graph_counts(ws, snapshot_id)
    law = {"statutes": held.statutes, "units": held.units}
    if graph is not None:
        law |= {"edges": graph.edges, "references": graph.references}
    return law, [f"snapshot in use: {snapshot_id}", *(f"{name}: {n}" for name, n in law.items())]


@COMMANDS.command("check")
def check(state: State) -> None:
    """Prove that the derived gold equals a replay of what people did."""
    from annotation.check.project import check as find_problems

    with state.progress("Checking"):
        problems = find_problems(*state.chosen)
    lines = [f"{problem} {problem.remedy()}" for problem in problems]
    if not problems:
        state.emit({"problems": []}, ["No problem found."])
        return
    failed = UserError("check_failed", count=len(problems))
    state.emit(failed.as_dict() | {"problems": [each.as_dict() for each in problems]}, lines)
    raise typer.Exit(EXIT_USER_ERROR if state.as_json else report_user_error(failed, False))


@COMMANDS.command("serve")
def serve(
    state: State,
    port: Annotated[int, option("Port on this machine.", min=1, max=65_535)] = 8501,
    team: Annotated[
        bool, option("People sign in; needed to serve other machines.", "--team")
    ] = False,
    address: Annotated[
        str, option("Address to listen on; other than this machine only with --team.")
    ] = "127.0.0.1",
    host_name: Annotated[
        list[str] | None,
        option(
            "A name that people type to reach the app, beside localhost and --address; "
            "may be repeated, and adds to $TOUCHSTONE_HOSTS. Under any other it is refused."
        ),
    ] = None,
) -> None:
    """Serve the app on http://localhost:PORT, for this machine only unless in team mode."""
    from serving.budget import budget
    from serving.hosts import HOSTS_VARIABLE, allowed_names, given_names

    hosts = [*given_names(), *(host_name or [])]
    allowed_names(hosts), budget()  # raise before anything is served
    if not team and address not in ("127.0.0.1", "::1", "localhost"):
        raise UserError("serve_open", Where(field="--address"), address=address)
    if _port_taken(port):
        raise UserError("port_taken", port=port)
    _migrate(state)
    if team:
        from annotation.people.accounts import list_accounts

        if not list_accounts(state.workspace):
            raise UserError("serve_nobody")
    typer.echo(f"Serving on http://{address}:{port} (stop with Ctrl+C)", err=True)
    environment = os.environ | {
        "TOUCHSTONE_WORKSPACE": str(state.folder.resolve()),
        "TOUCHSTONE_MODE": "team" if team else "single",
        HOSTS_VARIABLE: ",".join(hosts),
    }
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "server.py")]
    command += ["--server.port", str(port), "--server.address", address]
    raise typer.Exit(max(run_until_stopped(command, environment, _settings_home()), 0))


def _settings_home() -> Path:
    """Return the working folder of the server, where .streamlit is found."""
    return ROOT if (ROOT / ".streamlit").is_dir() else ROOT / "serving"  # a checkout, or installed


def _migrate(state: State) -> None:
    """Migrate the database, unless a quick check finds its file up to date."""
    from storage.db.schema import is_current

    if os.environ.get("DATABASE_URL") or not is_current(state.folder / DATABASE_FILE):
        from storage.db.migrate import migrate

        migrate(state.workspace)


def _port_taken(port: int) -> bool:
    """Return True if another process uses the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def run_until_stopped(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> int:
    """Run `command` in `folder` until it ends; return its exit code.

    A service manager, or `kill`, ends this process alone: its SIGTERM is passed on, or the server
    would keep running and keep its port. Ctrl+C reaches both by itself.
    """
    started: list[subprocess.Popen[bytes]] = []
    asked = False

    def pass_on(_number: int, _frame: object) -> None:
        """Pass a signal on to the servers."""
        nonlocal asked
        asked = True
        for server in started:
            server.terminate()

    # Before the server exists, which could outlive this process.
    before = signal.signal(signal.SIGTERM, pass_on)
    try:
        server = subprocess.Popen(command, env=dict(environment), cwd=folder)  # noqa: S603
        started.append(server)
        if asked:  # during the start
            server.terminate()
        while True:
            with suppress(KeyboardInterrupt):
                return server.wait()
    finally:
        signal.signal(signal.SIGTERM, before)


@COMMANDS.command("backup")
def backup(
    state: State,
    file: Annotated[Path, argument("File to write; it must not be there yet.")],
) -> None:
    """Write the whole database to one file. People may go on working meanwhile."""
    from services.backup import back_up

    with state.progress("Backing up"):
        made = back_up(state.workspace, file)
    rows = sum(made.rows.values())
    result = {"file": str(file), "rows": made.rows, "sha256": made.sha256, "size": made.size}
    lines = [f"Backup: {file} ({rows:,} rows, {file.stat().st_size:,} bytes)"]
    state.emit({**result, "revision": made.revision}, [*lines, f"SHA-256 inside: {made.sha256}"])


@COMMANDS.command("restore")
def restore(
    state: State,
    file: Annotated[Path, argument("A file that backup wrote, on either database.")],
    replace: Annotated[
        bool,
        option("Also where the workspace is in use; the old is kept.", "--replace"),
    ] = False,
) -> None:
    """Check a backup and put it back, on the database that the workspace is set to."""
    from services.backup import restore as put_back

    with state.progress("Restoring"):
        done = put_back(state.workspace, file, replace)
    lines = [f"Restored: {', '.join(done.projects) or 'no project'} (of {done.manifest.made_at})"]
    if done.aside is not None:
        lines.append(f"What was there before is kept in: {done.aside}")
    result = {"projects": list(done.projects), "made_at": done.manifest.made_at}
    aside = None if done.aside is None else str(done.aside)
    state.emit({**result, "rows": done.manifest.rows, "aside": aside}, lines)
