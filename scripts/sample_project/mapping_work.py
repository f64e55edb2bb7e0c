"""Citation mapping: two rounds in batches, disputes settled and open, a discussion, a draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from annotation.adjudication.disputes import decide, open_case
from annotation.adjudication.tasks import refer
from annotation.batches.commands import BatchPlan, close, make_batch
from annotation.batches.sampling import Choice
from annotation.guidelines.documents import read_document
from annotation.guidelines.editing import new_version
from annotation.work import threads
from scripts.sample_project.desk import Act, Desk, moment, read_yaml
from services.sample.people import SLUG
from storage.tasks import Task

_FIRST = (
    *("ko-01", "ko-04", "ko-05", "ko-07", "ko-09"),
    *("en-01", "en-02", "en-03", "en-06", "en-08"),
)
_SECOND = (
    *("ko-06", "ko-08", "ko-11", "ko-12", "ko-14", "ko-02", "ko-03", "ko-10", "ko-13"),
    *("en-05", "en-07", "en-09", "en-10", "en-04", "en-11", "en-12", "ko-15", "ko-16"),
)
_DEADLINE = moment("2026-12-18 17:00")
_RULE = {
    "en": "A provision that is cited without its text, such as an annex, counts like any other.",
    "ko": "별표처럼 글이 실리지 않은 조문도 인용되었으면 다른 조문과 똑같이 셉니다.",
}


def acts() -> Iterator[Act]:
    """Yield the work on citation mapping."""
    written = read_yaml("mapping.yaml")
    yield Act("2026-11-02 09:00", partial(_make_batch, name="First round", questions=_FIRST))
    yield Act("2026-11-06 14:30", _change_guideline)
    yield Act("2026-11-06 16:00", _second_batch)
    for session in written["sessions"]:
        yield Act(session["when"], partial(_work, session=session))
    for question, said in written["settled"].items():
        yield Act(said["when"], partial(_settle, question=question, said=said))
    yield Act(written["discussion"]["when"], partial(_talk, written=written["discussion"]))
    for session in written["drafts"]:
        yield Act(session["when"], partial(_work, session=session, send=False))


def _work(desk: Desk, session: Mapping[str, Any], send: bool = True) -> None:
    """Work through a person's questions, one after the other."""
    for question, said in session["questions"].items():
        desk.map_question(session["person"], question, said, send)


def _second_batch(desk: Desk) -> None:
    close(desk.ws, SLUG, 1, by=desk.person("Choi Yuna"))
    _make_batch(desk, "Second round", _SECOND, _DEADLINE)


def _make_batch(
    desk: Desk, name: str, questions: Sequence[str], deadline: datetime | None = None
) -> None:
    """Give questions to both annotators in a batch."""
    people = (desk.person("Kim Ara"), desk.person("Park Jun"))
    choice = Choice(external_ids=tuple(questions))
    plan = BatchPlan(name, people, choice, deadline=deadline)
    make_batch(desk.ws, SLUG, plan, by=desk.person("Choi Yuna"))


def _settle(desk: Desk, question: str, said: Mapping[str, Any]) -> None:
    """Decide a disputed question as the adjudicator."""
    item = desk.item(Task.CITATION_MAPPING, question)
    units = desk.units(said["accept"].split(), question[:2])
    seconds = float(desk.random.randint(60, 300))
    decide(desk.ws, desk.person("Lee Sora"), item, units, False, said["reason"], seconds)


def _change_guideline(desk: Desk) -> None:
    """Add a rule that the first disputes showed to be missing."""
    lead, task = desk.person("Choi Yuna"), Task.CITATION_MAPPING
    texts = {}
    for language, rule in _RULE.items():
        text = read_document(desk.ws, SLUG, "guideline", task, language, by=lead).text
        texts[language] = f"{text.rstrip()}\n\n{rule}\n"
    note = "Annexes without text, after en-01"
    new_version(desk.ws, SLUG, "guideline", task, texts, note, 1, by=lead)


def _talk(desk: Desk, written: Mapping[str, Any]) -> None:
    """Send a question back for discussion; both annotators write."""
    item, sora = desk.item(Task.CITATION_MAPPING, written["question"]), desk.person("Lee Sora")
    sides = open_case(desk.ws, sora, item).annotation_ids
    refer(desk.ws, sora, item, written["reason"], sides)
    before = None
    for said in written["messages"]:
        desk.think(200, 1500)
        before = threads.say(desk.ws, desk.person(said["person"]), item, said["text"], before)
