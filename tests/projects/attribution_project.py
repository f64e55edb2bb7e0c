"""The lake's project with answers under two contexts, gold, and a judge that labels claims.

Article 1 and 3 are gold for q1, article 2 for q2; q3 is not settled. `FORM` and `FREE` were shown
articles 1 to 4 (oracle), `RETRIEVED` articles 1 and 4; `FILE` came from a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from services.attribution.claims import AskingDone, AttributionOptions, plan_splits, split_claims
from services.attribution.labelling import label_claims, plan_labels
from services.judging.items import keep_cases
from storage.db.workspace import Workspace
from storage.tables.answers import AnswerRun, ModelAnswer
from storage.tables.core import QuestionRow
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock
from tests.llm.server import Server, Step, scripted
from tests.llm.serving import to_the_end
from tests.projects.answer_rows import answer_run, judge_case
from tests.projects.project_cache import kept

FORM, FREE, RETRIEVED, FILE = "gpt by provision", "gpt free", "gpt bm25 by provision", "elsewhere"
OFFICIAL = "Boats need a lamp at night. Lamps are lit at dusk. See Article 1 of the Lake Act."
ORACLE = {"kind": "oracle", "k": 4, "seed": 0}
RUN = {"kind": "run", "k": 2, "run": "bm25"}
SAYS_LAMP, SAYS_DUSK, SAYS_RAFT = "Boats need a lamp.", "Lamps are lit at dusk.", "Rafts do not."
_FREE = f"{SAYS_LAMP} {SAYS_RAFT}\n[References] {{}}"


def unit(number: int, part: str = "") -> str:
    """Return the id of an article."""
    return f"lake-act_article-{number}{part}"


def make(folder: Path, clock: FakeClock) -> House:
    """Make the project; nothing is cut or labelled yet."""
    house = build(folder, clock, overlap=1)
    _answers(house)
    return house


def _answers(house: House) -> None:
    submit(house, house.ann, house.items[0], (1, 3))
    submit(house, house.ann, house.items[1], (2,))
    with house.ws.writing() as session:
        at = house.ws.clock()
        form = answer_run(at, FORM, ORACLE, "per_provision")
        free = answer_run(at, FREE, ORACLE, "free")
        retrieved = answer_run(at, RETRIEVED, RUN, "per_provision")
        session.add_all([form, free, retrieved])
        session.flush()
        made = partial(_answer, house.ws, session)
        stated = {unit(1): [SAYS_LAMP, SAYS_DUSK], unit(3, "(1)"): [SAYS_LAMP], unit(4): []}
        made(form, "q1", (1, 2, 3, 4), claims=stated)
        made(form, "q2", (1, 2, 3, 4), claims={unit(2): [SAYS_LAMP], unit(4): [SAYS_RAFT]})
        made(form, "q3", (1, 2, 3, 4), state="refused")
        made(free, "q1", (1, 2, 3, 4), text=_FREE.format(", ".join(map(unit, (1, 2, 3, 4)))))
        made(free, "q2", (1, 2, 3, 4), text=_FREE.format(f"{unit(2)}, {unit(5)}, no such id"))
        made(retrieved, "q1", (1, 4), claims={unit(4): [SAYS_RAFT], unit(5): [SAYS_RAFT]})
        made(retrieved, "q2", (1, 4), state="cut_off")
        _case(house.ws, session, FILE, "q1", "It does, by 「Lake Act」 Article 1 (1).")


def _answer(
    ws: Workspace,
    session: Session,
    run: AnswerRun,
    question: str,
    shown: tuple[int, ...],
    *,
    claims: Mapping[str, list[str]] | None = None,
    text: str = "Yes.",
    state: str = "answered",
) -> None:
    asked = session.exec(select(QuestionRow).where(QuestionRow.external_id == question)).one()
    said = state == "answered"
    row = ModelAnswer(
        answer_run_id=run.id or 0,
        question_id=asked.id or 0,
        state=state,
        raw=text,
        answer=text if said else "",
        claims=None if claims is None else dict(claims),
        context=[{"unit": unit(number), "label": "", "origin": "gold"} for number in shown],
        judge_case_id=_case(ws, session, run.system, question, text) if said else None,
        at=ws.clock(),
    )
    session.add(row)


def _case(ws: Workspace, session: Session, system: str, question: str, text: str) -> int:
    asked = f"Which boats need a lamp, case {question[1:]}?"
    told = {"question": asked, "reference": OFFICIAL, "answer": text}
    row = judge_case(ws.clock(), question, system, **told)
    keep_cases(session, 1, [row], ws.clock())
    return row.id or 0


@contextmanager
def judged_by(ws: Workspace) -> Iterator[Server]:
    """Yield a scripted server that plays every role; it has no rules yet."""
    with scripted() as server:
        server.plays(ws.folder, model="judge")
        yield server


def cuts(*claims: str) -> Step:
    """Return the reply of these claims."""
    return Step(text=json.dumps({"claims": claims}, ensure_ascii=False))


def labels(*of: tuple[list[int], list[int]]) -> Step:
    """Return the reply that labels claims: of each what it matches, and what in part."""
    said = [{"claim": n, "match": m, "partial": p} for n, (m, p) in enumerate(of, 1)]
    return Step(text=json.dumps({"labels": said}))


def script(server: Server) -> None:
    """Let the judge cut every answer, and label it.

    The official answers have two claims: that boats need a lamp at night, and when lamps are lit.
    """
    server.on("See Article 1 of the Lake Act", cuts("Boats need a lamp at night.", SAYS_DUSK))
    server.on("Answer:\nIt does", cuts("It does."))
    server.on(f"Answer:\n{SAYS_LAMP}", cuts(SAYS_LAMP, SAYS_RAFT))
    three = f"1. {SAYS_LAMP}\n2. {SAYS_DUSK}\n3. {SAYS_LAMP}"
    server.on(three, labels(([], [1]), ([2], []), ([], [1])))
    server.on(f"1. {SAYS_LAMP}\n2. {SAYS_RAFT}", labels(([], [1]), ([], [])))
    server.on(f"1. {SAYS_RAFT}\n2. {SAYS_RAFT}", labels(([], []), ([], [])))
    server.on("1. It does.", labels(([], [])))


def split(ws: Workspace, **options: Any) -> AskingDone:
    """Plan and cut."""
    plan = plan_splits(ws, SLUG, AttributionOptions(**options))
    done: AskingDone = to_the_end(split_claims, ws, plan)
    return done


def label(ws: Workspace, **options: Any) -> AskingDone:
    """Plan and label."""
    plan = plan_labels(ws, SLUG, AttributionOptions(**options))
    done: AskingDone = to_the_end(label_claims, ws, plan)
    return done


def labelled(folder: Path, clock: FakeClock) -> House:
    """Return the project with all claims cut and labelled."""
    ws = Workspace(folder, clock)
    return replace(kept("attributed", ws, lambda: _labelled(folder, clock)), ws=ws)


def _labelled(folder: Path, clock: FakeClock) -> House:
    house = make(folder, clock)
    with judged_by(house.ws) as server:
        script(server)
        split(house.ws)
        label(house.ws)
    (folder / "models.toml").unlink()  # the server is gone
    house.ws.engine.dispose()
    return replace(house, ws=None)  # type: ignore[arg-type]  # whoever copies it has another
