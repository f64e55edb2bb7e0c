"""Print how many functions, modules and SQL statements four acts pass: a label, a submission, an
export of gold and a run of BM25.

``python scripts/trace_act.py [ACT …] [--list] [--workspace DIR]`` does them in a copy of a
workspace with the sample project, which it makes where none is given. Each act is done twice, and
the second time counted: what is read once in a process is read by then.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from sqlalchemy import Engine, event
from sqlmodel import col, select

from annotation.mapping import commands as mapping
from services.gold.export import export_gold
from services.runs.retrieving import retrieve
from services.sample.loading import load_sample
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.tables.core import CandidateRow, CandidateSet, Item, Person

ROOT = Path(__file__).resolve().parent.parent
SLUG = "sample"
_PASSED_OVER = ("<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<module>")


@dataclass
class Trace:
    """What was passed: functions of ours as (file below the root, name), and SQL statements."""

    functions: dict[tuple[str, str], int] = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """The three figures of an act."""
        modules = {file for file, _ in self.functions}
        return {
            "functions": len(self.functions),
            "modules": len(modules),
            "statements": len(self.statements),
        }


@contextmanager
def traced() -> Iterator[Trace]:
    """Count what is done in the block by this thread."""
    trace, files = Trace(), dict[CodeType, str]()

    def passed(frame: FrameType, what: str, _: Any) -> None:
        """Count the call of a function of the product."""
        code = frame.f_code
        if what == "call" and code.co_name not in _PASSED_OVER:
            if code not in files:
                files[code] = _below_root(code.co_filename)
            if files[code]:
                name = files[code], code.co_qualname
                trace.functions[name] = trace.functions.get(name, 0) + 1

    def asked(_conn: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        """Keep an SQL statement."""
        trace.statements.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", asked)
    sys.setprofile(passed)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        event.remove(Engine, "before_cursor_execute", asked)


def _below_root(file: str) -> str:
    path = Path(file)
    if not path.is_relative_to(ROOT) or ".venv" in path.parts or path == Path(__file__):
        return ""
    return str(path.relative_to(ROOT))


def acts(ws: Workspace) -> dict[str, list[Callable[[], object]]]:
    """Return name → [act, the same again] for four acts, after the labelling that they build on."""
    with ws.reading() as session:
        ara, jun, haeun = (
            session.exec(select(Person.id).where(Person.name == name)).one() or 0
            for name in ("Kim Ara", "Park Jun", "Jung Haeun")
        )
        query = (
            select(Item.id, CandidateRow.unit_id)
            .join(CandidateSet, col(CandidateSet.item_id) == Item.id)
            .join(CandidateRow, col(CandidateRow.candidate_set_id) == CandidateSet.id)
            .order_by(col(Item.order), col(CandidateRow.rank))
        )
        units = dict[int, list[int]]()
        for item, unit in session.exec(query):
            units.setdefault(item or 0, []).append(unit)
    first, second, *others = list(units)[:8]
    for who in (ara, jun):  # there is gold of the others
        for item in others:
            mapping.label(ws, who, item, units[item][0], "accept")
            mapping.submit(ws, who, item, anyway=True)
    for item in (first, second):
        mapping.label(ws, haeun, item, units[item][0], "accept")
    folders = [ws.folder / name for name in ("first", "second")]
    submit = partial(mapping.submit, ws, haeun, confidence=4, anyway=True)
    return {
        "label": [
            partial(mapping.label, ws, haeun, first, unit, "reject") for unit in units[first][1:3]
        ],
        "submission": [partial(submit, item) for item in (first, second)],
        "export": [partial(export_gold, ws, SLUG, folder) for folder in folders],
        "bm25": [partial(retrieve, ws, SLUG, k=k) for k in (9, 11)],
    }


def measure(ws: Workspace, names: list[str]) -> dict[str, Trace]:
    """Carry out acts twice; return the second's trace of each in `names`, of all without any."""
    found = {}
    for name, (first, second) in acts(ws).items():
        first()
        with traced() as trace:
            second()
        if not names or name in names:
            found[name] = trace
    return found


def main() -> None:
    """Print the figures as JSON, and with ``--list`` every function and statement."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("act", nargs="*", help="label, submission, export, bm25; all by default")
    parser.add_argument("--list", action="store_true", help="print what was passed, too")
    parser.add_argument("--workspace", type=Path, help="one with the sample project; it is copied")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        home = Path(folder) / "workspace"
        if chosen.workspace is not None:
            shutil.copytree(chosen.workspace, home)
        workspace = Workspace(home)
        if chosen.workspace is None:
            migrate(workspace)
            load_sample(workspace)
        for name, trace in measure(workspace, chosen.act).items():
            print(json.dumps({"act": name} | trace.counts))  # noqa: T201
            passed = [f"  {n:6} {file} {what}" for (file, what), n in trace.functions.items()]
            lines = [*passed, *(f"  SQL {each}" for each in trace.statements)]
            if chosen.list:
                print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
