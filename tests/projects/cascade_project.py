"""A project of augmented questions, and a scripted server that judges them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.people.members import add_person
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.layers import Criterion, starter
from corpus.model import Level, Statute, Tier, Unit
from services.cascade.running import CascadeDone, plan_cascade, run_cascade
from services.law.graph.citation_graph import build
from storage.cascade.results import questions
from storage.db.migrate import migrate
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.law.imports import keep_statutes
from storage.projects import create_project, find_project
from storage.tables.augmentation import AugmentedQuestion, CascadeRun, LayerResult
from tests.conftest import FakeClock
from tests.llm.server import Server
from tests.llm.serving import serving, to_the_end
from tests.projects.project_cache import kept

SLUG = "grants"
ACT, NOTICE = "연구혁신법", "사용기준"
HOSTILE = "<img src=x onerror=alert(1)> **bold** :material/home: $x$"
GOOD = "저희 대학 연구실의 분석 장비가 고장 났습니다. {n}만 원의 수리비를 연구비로 내도 됩니까?"
LISTING = "대학, 기업 및 정부출연연구기관은 수리비를 각각 어떻게 처리합니까? ({n}번 사례)"
SHORT = "수리비는?"
CHINESE = "저희 대학 연구실의 장비가 고장 났습니다. 修理費를 {n}만 원까지 연구비로 내도 됩니까?"


def law() -> list[Statute]:
    """Return an act with two articles, the second with a proviso, and a notice of one."""
    act = (
        "연구비는 정한 용도로 사용하여야 한다.",
        "승인을 받아야 한다. 다만, 긴급한 때에는 그러하지 아니하다.",
    )
    return [
        _statute(ACT, Tier.ACT, act),
        _statute(NOTICE, Tier.NOTICE, ("장비의 수리비는 직접비로 계상한다.",)),
    ]


def _statute(name: str, tier: Tier, texts: Sequence[str]) -> Statute:
    units = tuple(
        Unit(f"{name}_{n}조", name, Level.ARTICLE, f"제{n}조", "사용", text, n)
        for n, text in enumerate(texts, 1)
    )
    return Statute(name, name, "법률", tier, "ko", units)


def project(folder: Path, clock: FakeClock) -> tuple[Workspace, int]:
    """Return a workspace with the law and a researcher, without questions."""
    ws = Workspace(folder, clock)
    return ws, kept("grants", ws, lambda: _made(ws))


def _made(ws: Workspace) -> int:
    migrate(ws)
    create_project(ws, SLUG, "Grants")
    keep_statutes(ws, SLUG, law(), "law")
    build(ws, SLUG)
    return add_person(ws, SLUG, "Han Bora", "researcher").id


def add_questions(ws: Workspace, *texts: str, **more: Any) -> None:
    """Add a question for each text, asked for at L1 from the act's first article."""
    with ws.writing() as session:
        project_id = find_project(session, SLUG).id
        before = len(questions(session, project_id))
        for number, text in enumerate(texts, before + 1):
            session.add(augmented(project_id, ws, text, name=f"aug-{number:04d}", **more))


def augmented(
    project_id: int,
    ws: Workspace,
    text: str,
    units: Sequence[str] = (f"{ACT}_1조",),
    level: str = "L1",
    kind: str = "single_clause",
    language: str = "ko",
    answer: str = "",
    name: str = "aug-0001",
) -> AugmentedQuestion:
    """Return the row of a question; by default its answer cites the provisions."""
    cited = ", ".join(f"{unit.replace('_', ' 제')}" for unit in units)
    axes = {"type": kind, "difficulty": level, "facets": {}, "domain": "", "group": ""}
    return AugmentedQuestion(
        project_id=project_id,
        external_id=name,
        snapshot_id=1,
        axes_number=1,
        axes=axes,
        text=text,
        answer=answer or f"정한 용도라면 연구비로 낼 수 있습니다({cited}).",
        language=language,
        gold=[{"unit": unit, "pinpoint": "", "role": "anchor"} for unit in units],
        seed=0,
        at=ws.clock(),
    )


def run_of(
    session: Session,
    ws: Workspace,
    *said: tuple[int, str, str],
    layers: int = 1,
    reasons: Sequence[dict[str, Any]] = (),
) -> tuple[int, list[int]]:
    """Keep a run in which layers said this of questions: its id, and those of what they said.

    What they rejected was for these reasons.
    """
    project_id = session.get_one(AugmentedQuestion, said[0][0]).project_id if said else 1
    law = id_in_use(session, project_id) or 0
    run = CascadeRun(
        project_id=project_id, snapshot_id=law, layers_number=layers, model="m", at=ws.clock()
    )
    number = add_row(session, run)
    rows = (
        LayerResult(
            cascade_run_id=number,
            augmented_question_id=question,
            layer=layer,
            place=place,
            outcome=outcome,
            reasons=list(reasons) if outcome == "rejected" else [],
            at=ws.clock(),
        )
        for place, (question, layer, outcome) in enumerate(said, 1)
    )
    return number, [add_row(session, row) for row in rows]


CLOSING = f"""\
rules:
- key: repairs
  label: {{en: Repairs, ko: 수리비}}
  triggers:
  - {{words: [수리비], in: [question]}}
  add:
  - {{articles: [{NOTICE}_1조]}}
"""
"""Rules of closure by which every question about repairs also rests on the notice."""


def without(*layers: str) -> str:
    """Return the starter with these layers switched off."""
    text = starter()
    for layer in layers:
        head, found, rest = text.partition(f"- layer: {layer}\n  on: true")
        assert found, layer
        text = f"{head}- layer: {layer}\n  on: false{rest}"
    return text


def in_order(text: str, *layers: str) -> str:
    """Return the text with these layers in this order; the others stand where they stood."""
    head, *parts = re.split(r"^(?=- layer: )", text, flags=re.MULTILINE)
    named = {each.split()[2]: each for each in parts}
    turn = iter(layers)
    return head + "".join(named[next(turn) if each in layers else each] for each in named)


def set_layers(ws: Workspace, text: str) -> int:
    """Save the layers as the version that holds."""
    return CASCADE_LAYERS.save(ws, SLUG, text, "", CASCADE_LAYERS.edition(ws, SLUG).number)


def verdict(*fails: str, reason: str = "그렇습니다.") -> str:
    """Return what the judge replies: all criteria hold but these."""
    return json.dumps(
        {each: {"holds": each not in fails, "reason": reason} for each in Criterion},
        ensure_ascii=False,
    )


def judging(ws: Workspace, more: str = "") -> AbstractContextManager[Server]:
    """Return a scripted server that the workspace's roles use; all criteria hold without a rule."""
    return serving(ws, more, lambda _: verdict())


def judged(ws: Workspace, again: bool = False, stop: bool = False) -> CascadeDone:
    """Send the questions through the layers."""
    done: CascadeDone = to_the_end(run_cascade, ws, plan_cascade(ws, SLUG, again), stop=stop)
    return done
