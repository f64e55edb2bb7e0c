"""A project whose law has delegation, exceptions, sanctions and a parallel group, and a scripted
server that writes a question of its own on any provisions that it is shown."""

from __future__ import annotations

import hashlib
import json
import random
import re
from contextlib import AbstractContextManager

from annotation.work.versioned_texts import PARALLEL_GROUPS
from corpus.model import Level, Statute, Tier, Unit
from services.augmentation.planning import WritingOptions, plan
from services.augmentation.writing import WritingDone, write
from services.law.graph.citation_graph import build
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.llm.server import Server
from tests.llm.serving import serving as served
from tests.llm.serving import to_the_end
from tests.projects.project_cache import kept

SLUG = "stores"
ACT, DECREE = "창고안전법", "창고안전법-시행령"
_ACT = {
    1: "창고를 여는 자는 대통령령으로 정하는 바에 따라 소방서장에게 신고하여야 한다. "
    "다만, 바닥면적이 작은 창고의 경우에는 그러하지 아니하다.",
    2: "창고의 관리자는 대통령령으로 정하는 주기에 따라 시설을 점검하고 그 결과를 적어야 한다.",
    3: "창고의 소유자는 점검 결과를 보고받은 날부터 손상된 시설을 지체 없이 고쳐야 한다.",
    4: "창고의 관리자는 위험한 물건을 받은 날에 그 종류와 양을 장부에 적고 보관하여야 한다.",
    5: "누구든지 창고의 비상구 앞에 물건을 쌓아 두어 지나는 사람을 막아서는 아니 된다.",
    10: "제1조를 위반하여 신고하지 아니한 자에게는 300만원 이하의 과태료를 부과한다.",
    13: "제4조를 위반하여 장부를 적지 아니한 자에게는 100만원 이하의 과태료를 부과하고 징수한다.",
    11: "대학의 장은 창고의 점검 비용을 해마다 삼월까지 정산하여 장관에게 보고하여야 한다.",
    12: "영리기관의 장은 창고의 점검 비용을 해마다 사월까지 정산하여 장관에게 보고하여야 한다.",
}
_DECREE = {
    1: "법 제1조에 따라 신고하려는 자는 창고를 열기 칠 일 전까지 신고서를 제출하여야 한다.",
    2: "법 제2조에 따른 점검은 반기마다 한 번 하며 그 결과는 세 해 동안 보관하여야 한다.",
}
GROUPS = f"""\
slots:
- {{key: university, label: {{en: University, ko: 대학}}}}
- {{key: company, label: {{en: Company, ko: 영리기관}}}}
groups:
- key: settlement
  label: {{en: Settlement, ko: 정산}}
  tier: act
  members:
  - {{slot: university, unit: {ACT}_11조}}
  - {{slot: company, unit: {ACT}_12조}}
"""
_WORDS = (
    *("창고", "지붕", "열쇠", "트럭", "장부", "비용", "현장", "점검", "서류", "기한", "담당"),
    *("이웃", "계약", "직원", "수리", "도면", "신고", "허가", "출구", "상자", "바닥", "보관"),
    *("통지", "보험", "공사", "야간", "교대", "안내", "전기", "배관", "경보", "입구", "차량"),
    *("반입", "반출", "재고", "목록", "임대", "이사", "폐업", "개업", "증축", "바람", "사다리"),
)


def law() -> list[Statute]:
    """Return the act and its decree."""
    return [
        Statute(ACT, "창고안전법", "법률", Tier.ACT, "ko", _units(ACT, _ACT)),
        Statute(
            DECREE, "창고안전법 시행령", "대통령령", Tier.DECREE, "ko", _units(DECREE, _DECREE)
        ),
    ]


def _units(statute: str, texts: dict[int, str]) -> tuple[Unit, ...]:
    return tuple(
        Unit(f"{statute}_{n}조", statute, Level.ARTICLE, f"제{n}조", "창고", text, n)
        for n, text in texts.items()
    )


def make(ws: Workspace, groups: bool = True) -> None:
    """Make the project with its law, its graph and its parallel group."""
    kept(("stores", groups), ws, lambda: _made(ws, groups))


def _made(ws: Workspace, groups: bool) -> None:
    migrate(ws)
    create_project(ws, SLUG, "Stores")
    keep_statutes(ws, SLUG, law(), "law")
    build(ws, SLUG)
    if groups:
        PARALLEL_GROUPS.save(ws, SLUG, GROUPS, "ours", 1)


def question_on(said: str) -> str:
    """Return a question that depends on all that was said, unlike that on anything else."""
    seed = hashlib.sha256(said.encode()).hexdigest()
    words = random.Random(seed).sample(_WORDS, 12)
    return f"저는 {' '.join(words)} 때문에 고민입니다. 이제 어떻게 해야 합니까?"


def writes(said: str, **changes: object) -> str:
    """Answer as a model does that writes what it was asked for."""
    named = re.findall(r"^\[\d+\] (.+)$", said, re.MULTILINE)
    values: dict[str, object] = {
        "question": question_on(said),
        "answer": f"다음에 따릅니다: {', '.join(named)}.",
    }
    return json.dumps(values | changes, ensure_ascii=False)


def serving(ws: Workspace, more: str = "") -> AbstractContextManager[Server]:
    """Return a scripted server that the workspace's roles use, and that writes what is asked."""
    return served(ws, more, writes)


def written(ws: Workspace, options: WritingOptions, stop: bool = False) -> WritingDone:
    """Have the questions of a plan written."""
    done: WritingDone = to_the_end(write, ws, plan(ws, SLUG, options), stop=stop)
    return done
