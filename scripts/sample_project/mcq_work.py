"""Multiple-choice questions: more of them, replies of two models, and what people say of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from annotation.mcq.state import DISPUTES
from evaluation.mcq.votes import Setting
from scripts.sample_project.desk import WORK, Act, Desk, read_yaml
from services.mcq.importing import import_mcqs, import_votes
from services.sample.people import SLUG
from storage.tasks import Task

_STEPS = {"alone": "revealed", "both": "compared"}  # and the field that closes each


def acts() -> Iterator[Act]:
    """Yield the work on multiple-choice questions."""
    written = read_yaml("mcq.yaml")
    yield Act("2026-11-05 15:00", _bring_questions)
    yield Act("2026-11-11 16:30", partial(_bring_votes, written=written["votes"]))
    for session in written["reviews"]:
        yield Act(session["when"], partial(_review, session=session))
    for name, said in written["settled"].items():
        yield Act(said["when"], partial(_settle, name=name, said=said))


def _bring_questions(desk: Desk) -> None:
    import_mcqs(desk.ws, SLUG, WORK / "mcqs.jsonl", by=desk.person("Han Bora"))


def _bring_votes(desk: Desk, written: Mapping[str, Mapping[str, str]]) -> None:
    """Bring in the replies of both models under the four settings."""
    rows = [
        {"id": question, "setting": setting, "model": model, **_reply(said)}
        for model, questions in written.items()
        for question, replies in questions.items()
        for setting, said in zip(Setting, replies.replace('"', "").split(), strict=True)
    ]
    file = desk.files / "mcq_votes.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    import_votes(desk.ws, SLUG, file, by=desk.person("Han Bora"))


def _reply(said: str) -> dict[str, Any]:
    """Return a vote as imported."""
    return {"raw": "I cannot decide."} if said == "-" else {"choice": int(said), "raw": said}


def _review(desk: Desk, session: Mapping[str, Any]) -> None:
    """Review questions as one person."""
    for name, said in session["items"].items():
        item = desk.item(Task.MCQ_SOLVABILITY, name)
        desk.answer(session["person"], item, _answers(said), said)


def _answers(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's fields from the short form of ``mcq.yaml``."""
    answers: dict[str, Any] = {}
    for step, closing in _STEPS.items():
        answerable, choice, sure = said[step].split()
        answers |= {f"{step}_answerable": answerable, f"{step}_choice": int(choice) - 1}
        answers |= {f"{step}_sure": int(sure), closing: True}
    answers["stored_right"], answers["verdict"] = said["last"].split()
    return answers | {key: said[key] for key in ("cause", "reason") if key in said}


def _settle(desk: Desk, name: str, said: Mapping[str, Any]) -> None:
    """Decide a disputed question."""
    decision = {key: said[key] for key in ("verdict", "cause") if key in said}
    item = desk.item(Task.MCQ_SOLVABILITY, name)
    DISPUTES.decide(desk.ws, desk.person("Lee Sora"), item, decision, said["reason"])
