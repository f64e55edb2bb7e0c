"""A project of linked provisions, and a scripted server that writes questions on them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from annotation.forms import form as form_commands
from annotation.people.members import add_person
from annotation.work import commands
from corpus.model import Level, Statute, Tier, Unit
from services.law.graph.citation_graph import build
from services.mcq.generation import GenerationOptions, generate, plan
from services.mcq.solving import Solved, SolvingOptions, plan_solving, solve
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from storage.subjects import item_of
from storage.tasks import Task
from tests.llm.server import Server, Step
from tests.llm.serving import serving, to_the_end
from tests.projects.project_cache import kept

SLUG = "paint"
ACT, DECREE = "도료안전법", "도료안전법-시행령"
MATTERS = (
    "도료를 저장하는 자",
    "용제를 옮기는 자",
    "붓을 만드는 자",
    "창고를 빌려주는 자",
    "배를 칠하는 자",
    "벽화를 그리는 자",
    "안료를 들여오는 자",
    "광택제를 파는 자",
    "도장 시설을 닫는 자",
    "폐도료를 태우는 자",
    "도료를 섞는 자",
    "시료를 보내는 자",
)
QUERIES = (
    "새 창고에 통을 들여놓은 지 사흘이 지났습니다. 언제까지 관청에 알려야 합니까?",
    "트럭으로 신나를 나르다가 길에서 멈췄습니다. 며칠 안에 보고해야 합니까?",
    "작업장에서 새 붓을 시험합니다. 시험 결과는 며칠 동안 간직합니까?",
    "이웃에게 빈 건물을 내주었습니다. 계약을 며칠 안에 등록합니까?",
    "어선의 바닥을 새로 칠하려고 합니다. 작업 며칠 전에 신청합니까?",
    "학교 담장에 그림을 그립니다. 끝난 뒤 며칠 안에 사진을 냅니까?",
    "외국에서 가루 색소를 샀습니다. 도착 후 며칠 안에 검사를 받습니까?",
    "매장에서 왁스를 진열했습니다. 며칠마다 재고를 적습니까?",
    "공장 문을 닫기로 했습니다. 며칠 전에 종업원에게 밝힙니까?",
    "못 쓰게 된 페인트를 소각합니다. 소각 며칠 전에 허락을 받습니까?",
    "두 가지 색을 섞어 새 제품을 냈습니다. 출시 며칠 전에 이름을 신고합니까?",
    "연구소에 견본을 부쳤습니다. 며칠 안에 확인서를 받습니까?",
)


def days(number: int) -> int:
    """Return the days that the decree's article of that number sets."""
    return 10 + number


_LEAVES = (
    "{who}는 대통령령으로 정하는 기간 안에 소방서장에게 신고하여야 한다. "
    "신고의 방법과 절차는 소방서장이 따로 정하여 알린다."
)
_SETS = '법 제{n}조에서 "대통령령으로 정하는 기간"이란 그 일이 있은 날부터 {days}일을 말한다.'


def law(pairs: int) -> list[Statute]:
    """Return an act of so many articles, each of which leaves a period to the decree."""
    numbers = range(1, pairs + 1)
    act = tuple(_unit(ACT, n, _LEAVES.format(who=MATTERS[n - 1])) for n in numbers)
    decree = tuple(_unit(DECREE, n, _SETS.format(n=n, days=days(n))) for n in numbers)
    return [
        Statute(ACT, "도료안전법", "법률", Tier.ACT, "ko", act),
        Statute(DECREE, "도료안전법 시행령", "대통령령", Tier.DECREE, "ko", decree),
    ]


def _unit(statute: str, number: int, text: str) -> Unit:
    label = f"제{number}조"
    return Unit(f"{statute}_{number}조", statute, Level.ARTICLE, label, "기간", text, number)


def written(number: int, **changes: object) -> str:
    """Return what a model writes on the pair of that number; the answer is its second option."""
    right = days(number)
    values: dict[str, object] = {
        "query": QUERIES[number - 1],
        "options": [f"{right + 7}일", f"{right}일", f"{right + 14}일", f"{right + 21}일"],
        "answer": 2,
        "explanation": "법은 기간을 시행령에 맡기고, 시행령이 그 기간을 정한다.",
    }
    return json.dumps(values | changes, ensure_ascii=False)


def make(ws: Workspace, pairs: int = 6) -> None:
    """Make the project with its law and graph."""
    kept(("paint", pairs), ws, lambda: _make(ws, pairs))


def _make(ws: Workspace, pairs: int) -> None:
    migrate(ws)
    create_project(ws, SLUG, "Paint")
    keep_statutes(ws, SLUG, law(pairs), "law")
    build(ws, SLUG)


def writes(server: Server, pairs: int, **by_number: str) -> None:
    """Let the server write a question for each pair; `by_number` (n1, n2 …) says otherwise."""
    for number in range(1, pairs + 1):
        text = by_number.get(f"n{number}", written(number))
        server.on(f"{days(number)}일을 말한다", Step(text=text))


def generated(ws: Workspace, pairs: int = 6) -> None:
    """Make the project and have its questions written."""
    kept(("generated questions", pairs), ws, lambda: _generate(ws, pairs))


def _generate(ws: Workspace, pairs: int) -> None:
    make(ws, pairs)
    with serving(ws) as server:
        writes(server, pairs)
        to_the_end(generate, ws, plan(ws, SLUG, GenerationOptions(number=pairs)))


def solved(ws: Workspace, answer: Callable[[str], str], **ask: Any) -> None:
    """Let a model solve the questions; `answer` is given all that it was told."""
    with serving(ws, says=answer):
        run_solving(ws, **ask)


def run_solving(ws: Workspace, **ask: Any) -> Solved:
    """Solve the questions with whatever models.toml names."""
    done: Solved = to_the_end(solve, ws, plan_solving(ws, SLUG, SolvingOptions(**ask)))
    return done


def knows(options: str) -> str:
    """Answer as somebody who abstains unless the decree is there."""
    sets = re.search(r"부터 (\d+)일을 말한다", options)
    if sets is None:
        return "5"
    found = re.search(rf"^(\d)\. {sets[1]}일$", options, re.MULTILINE)
    return found[1] if found else "5"


def people(ws: Workspace) -> tuple[int, int]:
    """Add two annotators and return their ids."""
    return tuple(add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben"))  # type: ignore[return-value]


def checks(ws: Workspace, mcq: int, *who: int, verdict: str = "keep", **more: Any) -> None:
    """Let people check a question, all with the same verdict."""
    with ws.reading() as session:
        item = item_of(session, Task.MCQ_SOLVABILITY, mcq) or 0
    said = {"alone_answerable": "no", "alone_choice": 4, "alone_sure": 4, "revealed": True}
    said |= {"both_answerable": "yes", "both_choice": 1, "both_sure": 4, "compared": True}
    said |= {"stored_right": "yes", "verdict": verdict} | more
    for person in who:
        for field, value in said.items():
            form_commands.answer(ws, person, item, field, value)
        commands.submit(ws, person, item)
