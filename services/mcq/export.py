"""Export the questions with what people made of them, every vote, and the figures.

`questions.jsonl` holds the questions that people have checked (or all that they have not dropped),
as they stand, and `searchfiresafety.jsonl` the same as that data set has its questions; `all.jsonl`
every question with what became of it and the submissions that say so; `votes.jsonl` what models
answered; `report.json` the figures, of replies as they are written, and `report_likelihood.json`
those of the likeliest options, both with the pairs of models given; `law.json` how many questions
rest on law that was amended since. The same database gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.people.roles import Act, reading_as
from construction.mcq.model import Mcq
from construction.mcq.reading import published as published_row
from evaluation.mcq.pairs import ModelPair
from evaluation.mcq.votes import by_likelihood
from evaluation.replies.outcomes import READER
from services.law.watch import unconfirmed
from services.mcq.report import READINGS, McqReport, in_scope, mcq_report, named_pairs
from services.mcq.views import QuestionState, standing_questions, wordings_of
from storage.db.atomic_files import published
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_by_id
from storage.mcq.votes import VoteView, read_votes, votes
from storage.tasks import Task

FILES = (
    *("questions.jsonl", "searchfiresafety.jsonl", "all.jsonl", "votes.jsonl"),
    *("report.json", "report_likelihood.json", "law.json"),
)


@dataclass(frozen=True, slots=True)
class McqExport:
    """What an export came to; `files` are paths below `folder`.

    `law` says how many questions rest on law that was amended since (`services.law.watch`).
    """

    folder: str
    questions: int
    all: int
    votes: int
    law: Mapping[str, int]
    files: tuple[str, ...] = FILES


def export_mcqs(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    scope: str = "checked",
    by: int | None = None,
    pairs: Sequence[ModelPair] = (),
) -> McqExport:
    """Write the files into `folder`; when anything fails, it is as it was.

    `by` is the person who exports, None for the operator. Raises UserError for who may not, an
    unknown scope, pairs as `services.mcq.report.mcq_report` does, and a folder that cannot be
    written.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        found = standing_questions(session, project.id)
        cast = votes(session, project.id)
        names = {n: snapshot_by_id(session, n).name for n in {e.kept.snapshot_id for e in found}}
    report = mcq_report(ws, project_slug, by, scope, pairs)
    likely = mcq_report(ws, project_slug, by, scope, reading=READINGS[1])
    able = [pair for pair in named_pairs(pairs) if {pair.before, pair.after} <= _models(likely)]
    likely = mcq_report(ws, project_slug, by, scope, able, READINGS[1]) if able else likely
    law = unconfirmed(ws, project_slug, (Task.MCQ_SOLVABILITY,))
    chosen = [each for each in found if in_scope(each, scope)]
    with published(folder) as part:
        _write(part / "questions.jsonl", (_question(each.item) for each in chosen))
        _write(part / "searchfiresafety.jsonl", (published_row(_question(e.item)) for e in chosen))
        _write(part / "all.jsonl", (_lineage(each, names) for each in found))
        _write(part / "votes.jsonl", _votes(cast, found))
        _write_json(part / "report.json", report.as_dict())
        _write_json(part / "report_likelihood.json", likely.as_dict())
        _write_json(part / "law.json", law)
    return McqExport(str(folder), len(chosen), len(found), len(cast), law)


def _question(item: Mcq) -> dict[str, Any]:
    """Return a question as `construction.mcq.reading` reads it, with its provisions' texts."""
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


def _lineage(each: QuestionState, snapshots: Mapping[int, str]) -> dict[str, Any]:
    state, asked = each.state, each.kept.question
    return _question(each.item) | {
        "edges": list(asked.pair.types),
        "snapshot": snapshots[each.kept.snapshot_id],
        "prompt_version": each.kept.prompt_version,
        "made_at": each.kept.at.isoformat(),
        "source": dict(each.kept.source),
        "fate": state.fate.value,
        "causes": list(state.causes),
        "settled": state.settled,
        "annotation_ids": list(state.annotation_ids),
        "as_made": None if state.fix is None else _question(asked),
    }


def _votes(cast: Sequence[VoteView], found: Sequence[QuestionState]) -> Iterable[dict[str, Any]]:
    names = {each.id: each.item.id for each in found}
    for each in read_votes(cast, wordings_of(found)):
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
            "likeliest": _likeliest(vote),
            "prompt_version": vote.prompt_version,
            "present_wording": each.present,
            "at": vote.at.isoformat(),
        }


def _likeliest(vote: VoteView) -> int | None:
    """Return the likeliest option, counted from 1; None where there is none."""
    if vote.logprobs is None:
        return None
    option = by_likelihood(vote.logprobs, -1).option
    return None if option is None else option + 1


def _models(report: McqReport) -> set[str]:
    return {line.model for line in report.models}


def _write_json(file: Path, value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    file.write_text(text + "\n", encoding="utf-8", newline="\n")


def _write(file: Path, lines: Iterable[dict[str, Any]]) -> None:
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
