"""Export of multiple-choice questions with people's decisions, all votes, and the figures.

`questions.jsonl` holds the questions that people have checked (or all not dropped), in their
current wording, and `searchfiresafety.jsonl` the same in that data set's format; `all.jsonl` every
question with its outcome and the submissions behind it; `votes.jsonl` the models' answers;
`report.json` the figures by text replies, and `report_likelihood.json` those by likeliest options,
both with the given pairs of models; `law.json` the number of questions on law amended since. The
same database gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.people.roles import Act, reading_as
from construction.mcq.model import Mcq
from construction.mcq.model import published as published_row
from evaluation.mcq.safety import ModelPair
from evaluation.mcq.votes import by_likelihood
from evaluation.replies.outcomes import READER
from evaluation.tables import json_lines
from services.law.watch import unconfirmed
from services.mcq.report import READINGS, in_scope, mcq_report, named_pairs
from services.mcq.report_tables import as_report
from services.mcq.views import QuestionState, standing_questions, wordings_of
from storage.db.atomic_files import published
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_by_id
from storage.mcq.votes import VoteView, read_votes, votes
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class McqExport:
    """Summary of an export; `files` are paths below `folder`.

    `law` counts questions on law amended since (`services.law.watch`).
    """

    folder: str
    questions: int
    all: int
    votes: int
    law: Mapping[str, int]
    files: tuple[str, ...]


def export_mcqs(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    scope: str = "checked",
    by: int | None = None,
    pairs: Sequence[ModelPair] = (),
) -> McqExport:
    """Write a project's questions, votes and reports into `folder`; on any failure it is unchanged.

    `by` is the exporter, None for the operator. Raises UserError for `by` without permission, an
    unknown scope, pairs as `services.mcq.report.mcq_report` does, and a folder that cannot be
    written.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        found = standing_questions(session, project.id)
        cast = votes(session, project.id)
        names = {n: snapshot_by_id(session, n).name for n in {e.kept.snapshot_id for e in found}}
    report = mcq_report(ws, project_slug, by, scope, pairs)
    likely = mcq_report(ws, project_slug, by, scope, reading=READINGS[1])
    there = {line.model for line in likely.models}
    able = [pair for pair in named_pairs(pairs) if {pair.before, pair.after} <= there]
    likely = mcq_report(ws, project_slug, by, scope, able, READINGS[1]) if able else likely
    law = unconfirmed(ws, project_slug, (Task.MCQ_SOLVABILITY,))
    chosen = [each for each in found if in_scope(each, scope)]
    lines = {
        "questions.jsonl": (_question_json(each.item) for each in chosen),
        "searchfiresafety.jsonl": (published_row(_question_json(each.item)) for each in chosen),
        "all.jsonl": (_lineage_json(each, names) for each in found),
        "votes.jsonl": _vote_lines(cast, found),
    }
    values = {
        "report.json": as_report(report, "en").as_json(),
        "report_likelihood.json": as_report(likely, "en").as_json(),
        "law.json": law,
    }
    texts = {name: json_lines(rows) for name, rows in lines.items()} | {
        name: json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        for name, value in values.items()
    }
    with published(folder) as part:
        for name, text in texts.items():
            (part / name).write_text(text, encoding="utf-8", newline="\n")
    counts = len(chosen), len(found), len(cast)
    return McqExport(str(folder), *counts, law, tuple(texts))


def _question_json(item: Mcq) -> dict[str, Any]:
    """Return a question in the format of `construction.mcq.model`, with provision texts."""
    return {
        "id": item.id,
        "query": item.query,
        "options": list(item.options),
        "answer": item.answer,
        "explanation": item.explanation,
        "a": item.pair.source.unit_id,
        "b": item.pair.target.unit_id,
        "a_text": item.pair.source.shown,
        "b_text": item.pair.target.shown,
        "language": item.pair.source.language,
    }


def _lineage_json(each: QuestionState, snapshots: Mapping[int, str]) -> dict[str, Any]:
    """Return a question with its outcome, the submissions behind it and its first wording."""
    state, asked = each.state, each.kept.question
    return _question_json(each.item) | {
        "edges": list(asked.pair.types),
        "snapshot": snapshots[each.kept.snapshot_id],
        "prompt_version": each.kept.prompt_version,
        "made_at": each.kept.at.isoformat(),
        "source": dict(each.kept.source),
        "fate": state.fate.value,
        "causes": list(state.causes),
        "settled": state.settled,
        "annotation_ids": list(state.annotation_ids),
        "as_made": None if state.fix is None else _question_json(asked),
    }


def _vote_lines(
    cast: Sequence[VoteView], questions: Sequence[QuestionState]
) -> Iterable[dict[str, Any]]:
    """Yield the line of each vote, read by the present rules."""
    names = {each.id: each.item.id for each in questions}
    for each in read_votes(cast, wordings_of(questions)):
        vote, reading = each.vote, each.reading
        yield {
            "id": names[vote.mcq_id],
            "setting": vote.setting,
            "server": vote.server,
            "model": vote.model,
            "repeat": vote.repeat,
            "outcome": reading.outcome.value,
            "choice": reading.option,
            "rule": reading.rule,
            "quote": reading.quote,
            "reader": READER,
            "state": vote.state,
            "finish_reason": vote.finish_reason,
            "raw": vote.raw,
            "logprobs": None if vote.logprobs is None else list(vote.logprobs),
            "likeliest": _likeliest_option(vote),
            "prompt_version": vote.prompt_version,
            "present_wording": each.present,
            "at": vote.at.isoformat(),
        }


def _likeliest_option(vote: VoteView) -> int | None:
    """Return the option most likely by log-probability, counted from 1; None without them."""
    if vote.logprobs is None:
        return None
    option = by_likelihood(vote.logprobs, -1).option
    return None if option is None else option + 1
