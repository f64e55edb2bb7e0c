"""Export of researched questions: gold passages with offsets, and research trails."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from sqlmodel import select

from annotation.adjudication.dispute_state import item_cases
from annotation.people.roles import Act, reading_as
from annotation.research import (
    DISPUTES,
    OUTCOME,
    PASSAGES,
    RULE,
    TERMS,
    TRAIL,
    Researched,
    question_in,
)
from annotation.work.submissions import Submission, complete
from evaluation.research import Passage, overlap
from services.law.watch import unconfirmed
from storage.db.atomic_files import published
from storage.db.workspace import Workspace
from storage.export.beir import write_lines
from storage.tables.core import Annotation, Snapshot
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class ResearchExport:
    """Summary of an export: questions with a gold passage, complete and disputed ones.

    `law` counts questions on law amended since.
    """

    folder: str
    gold: int
    complete: int
    disputed: int
    law: Mapping[str, int]
    files: tuple[str, ...] = ("passages.jsonl", "trails.jsonl", "law.json")


def export_research(
    ws: Workspace, slug: str, folder: Path, by: int | None = None
) -> ResearchExport:
    """Write gold passages and every trail into `folder`; on any failure it is unchanged.

    ``passages.jsonl`` has each question with final gold: agreed on by authority, or decided.
    Where people agree on the authorities and not on the words, the passages of the first person by
    name are gold, and the overlap is given. ``trails.jsonl`` has each submission with its rule, its
    queries with counts, what was opened, and its passages. The same database gives the same bytes.
    Raises UserError for `by` without permission, and a folder that cannot be written.
    """
    with reading_as(ws, slug, by, Act.EXPORT_GOLD) as (session, project, _):
        made = complete(session, project.id, Task.RESEARCH)
        cases = item_cases(session, project.id, Task.RESEARCH)
        gold, trails, disputed = list[dict[str, Any]](), list[dict[str, Any]](), 0
        for item_id, said in made.items():
            question = question_in(session, project.id, said[0].subject_id)
            trails += [_trail_line(each) for each in said]
            case = cases[item_id]
            if case.decision is None and DISPUTES.causes(case):
                disputed += 1
                continue
            decided = None if case.decision is None else case.decision.answers
            query = select(Snapshot.name).join(Annotation)
            law = session.exec(query.where(Annotation.id == said[0].annotation_id)).one()
            gold.append(_gold_line(question, said, decided, law))
    law_counts = unconfirmed(ws, slug, (Task.RESEARCH,))
    with published(folder) as part:
        write_lines(part / "passages.jsonl", gold)
        write_lines(part / "trails.jsonl", trails)
        text = json.dumps(law_counts, ensure_ascii=False, indent=1)
        (part / "law.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    return ResearchExport(str(folder), len(gold), len(made), disputed, law_counts)


def _gold_line(
    question: Researched,
    submissions: Sequence[Submission],
    decided: Mapping[str, Any] | None,
    law: str,
) -> dict[str, Any]:
    """Return a question with its gold passages and the annotators' overlap."""
    holds = submissions[0].answers if decided is None else decided
    pairs = [
        overlap(passages_of(one.answers), passages_of(other.answers))
        for one, other in combinations(submissions, 2)
    ]
    return {
        "id": question.external_id,
        "question": question.text,
        "choices": list(question.choices),
        "answer": question.answer,
        "language": question.language,
        "outcome": holds[OUTCOME],
        "rule": holds.get(RULE, ""),
        "passages": list(holds.get(PASSAGES, ())),
        "snapshot": law,
        "decided": decided is not None,
        "people": len(submissions),
        "overlap": [None if each is None else asdict(each) for each in pairs],
        "annotation_ids": [each.annotation_id for each in submissions],
    }


def _trail_line(submission: Submission) -> dict[str, Any]:
    """Return a submission with the searches that led to it."""
    return {
        "id": submission.external_id,
        "person": submission.person,
        "at": submission.at.isoformat(),
        "seconds": submission.seconds,
        "annotation_id": submission.annotation_id,
        "outcome": submission.answers[OUTCOME],
        "rule": submission.answers.get(RULE, ""),
        "terms": submission.answers.get(TERMS, ""),
        "trail": list(submission.answers.get(TRAIL, ())),
        "passages": list(submission.answers.get(PASSAGES, ())),
    }


def passages_of(answers: Mapping[str, Any]) -> list[Passage]:
    """Return the passages of a submission in the form for comparison."""
    return [
        Passage(f"{each['collection']}:{each['id']}", each["start"], each["quote"])
        for each in answers.get(PASSAGES, ())
    ]
