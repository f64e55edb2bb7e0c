"""Prompts of judges, and the prompts behind stored verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sqlmodel import Session, col, select

from annotation.judging.answer_views import BlindCase, JudgeVerdict, OpenCase
from annotation.people.roles import Act, require
from llm.prompts.prompt_files import PACKAGED, Prompt, read_prompt
from storage.db.workspace import Workspace
from storage.judging import CaseView
from storage.tables.models import PromptText

BINARY, PAIRWISE = "judge_binary", "judge_pairwise"  # ids of prompts
_NOTHING = {"en": "(none given)", "ko": "(없음)"}
Answered = BlindCase | CaseView  # inputs of a judge
_NAME = re.compile(r"(\w+)\.(\w+)@[\w-]+")  # as `llm.prompts.prompt_files.Prompt.name` writes it


def binary_values(case: Answered) -> dict[str, str]:
    """Return the prompt values for asking whether an answer is correct."""
    return {"question": case.question, "reference": case.reference, "answer": case.answer}


def pairwise_values(case: Answered, other: str | None, swapped: bool) -> dict[str, str]:
    """Return the prompt values for asking which of two answers is better.

    `other` is another system's answer, None for the official one; `swapped` puts it first.
    """
    shown = [case.answer, case.reference if other is None else other]
    if swapped:
        shown.reverse()
    documents = provisions_text(case.provisions, case.language)
    named = {"answer_a": shown[0], "answer_b": shown[1]}
    return {"question": case.question, "documents": documents, **named}


def prompts_of_verdicts(ws: Workspace, person_id: int, case: OpenCase) -> list[str]:
    """Return, for each verdict of a case, the prompt its judge got.

    Empty where unknown: the verdict was imported, or the prompt's wording is gone. Raises UserError
    for a person who may not review.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.REVIEW_JUDGE)
        wordings = _wordings(session, who.project_id, {verdict.prompt for verdict in case.verdicts})
    return [
        _prompt_of_verdict(case, verdict, wordings.get(verdict.prompt)) for verdict in case.verdicts
    ]


def _prompt_of_verdict(case: OpenCase, verdict: JudgeVerdict, wording: Prompt | None) -> str:
    """Return the prompt that a verdict answered, "" if its wording is unknown."""
    if wording is None:
        return ""
    if verdict.kind == "pairwise":
        values = pairwise_values(case, verdict.other_answer, verdict.swapped)
    else:
        values = binary_values(case)
    return "\n\n".join(message.text for message in wording.messages(values))


def _wordings(session: Session, project_id: int, names: Iterable[str]) -> dict[str, Prompt]:
    """Return the prompts of these names, among the packaged ones and all project versions."""
    found: dict[str, Prompt] = {}
    for name in sorted(names):
        parts = _NAME.fullmatch(name)
        if parts is not None:
            for text in _prompt_texts(session, project_id, parts[1], parts[2]):
                wording = read_prompt(text, name)
                found.setdefault(wording.name, wording)
    return found


def _prompt_texts(session: Session, project_id: int, prompt_id: str, language: str) -> list[str]:
    """Return every text of a prompt: the packaged one and the project's versions."""
    query = select(PromptText.text).where(
        PromptText.project_id == project_id,
        PromptText.prompt_id == prompt_id,
        PromptText.language == language,
    )
    packaged = PACKAGED.text(prompt_id, language)
    own = list(session.exec(query.order_by(col(PromptText.number))))
    return own if packaged is None else [packaged, *own]


def provisions_text(provisions: Iterable[Mapping[str, str]], language: str) -> str:
    """Format provisions for a prompt, each under its label; without any, say so."""
    texts = [
        "\n".join(part for part in (provision.get("label", ""), provision["text"]) if part)
        for provision in provisions
    ]
    return "\n\n".join(texts) or _NOTHING[language]
