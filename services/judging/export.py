"""Export of judges' verdicts, people's ratings and reviews, in the import formats."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.judging.forms import CATEGORIES, ESTIMATE, RATIONALE
from annotation.judging.state import CaseState, rated_correct, states
from annotation.people.roles import Act, reading_as
from services.bundle import publish_lines, zipped
from services.law.watch import unconfirmed
from storage.db.workspace import Workspace
from storage.judging import CaseView, VerdictView, standing_verdicts
from storage.tasks import Task

_Line = Mapping[str, Any]


def export_judging(
    ws: Workspace, project_slug: str, folder: Path, by: int | None = None
) -> dict[str, int]:
    """Write the files into a new folder; return the number of lines of each.

    ``cases.jsonl``, ``verdicts.jsonl`` and ``ratings.jsonl`` are in the import formats;
    ``reviews.jsonl`` has people's verdict on each answer with the rationale; ``law.json`` counts
    items on law amended since (`services.law.watch`). Equal content gives equal bytes. Raises
    UserError for `by` without permission, and for a folder that cannot be written.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        found = states(session, project.id)
        found.sort(key=lambda each: (each.case.external_id, each.case.system))
        standing = list(standing_verdicts(session, project.id).values())
        by_id = {each.id: each.case for each in found}
        files = {
            "cases.jsonl": [_case_line(each.case) for each in found],
            "verdicts.jsonl": sorted(
                (_verdict_line(row, by_id) for row in standing), key=lambda line: json.dumps(line)
            ),
            "ratings.jsonl": [line for each in found for line in _rating_lines(each)],
            "reviews.jsonl": [_review_line(each) for each in found],
        }
    law = unconfirmed(ws, project_slug, (Task.ANSWER_RATING, Task.JUDGE_REVIEW))
    files["law.json"] = [law]
    return publish_lines(folder, files)


def zipped_judging(ws: Workspace, project_slug: str, by: int | None = None) -> bytes:
    """Return the files of `export_judging` as one reproducible zip archive."""
    with tempfile.TemporaryDirectory(prefix="touchstone-judging-") as name:
        folder = Path(name) / "judging"
        export_judging(ws, project_slug, folder, by)
        return zipped(folder)


def _key(case: CaseView) -> dict[str, str]:
    """Return the fields that name an answer in a file."""
    return {"id": case.external_id, "system": case.system}


def _case_line(case: CaseView) -> _Line:
    names = ("question", "reference", "provisions", "kind", "language", "answer")
    about = {name: getattr(case, name) for name in names}
    return _key(case) | about | {"provisions": [dict(each) for each in case.provisions]}


def _verdict_line(row: VerdictView, known: Mapping[int, CaseView]) -> _Line:
    """Return a verdict line; unreadable ones have no verdict, so an import parses them again."""
    said: dict[str, Any] = _key(known[row.case_id]) | {"judge": row.judge, "kind": row.kind}
    if row.kind == "pairwise":
        other = None if row.other_case_id is None else known[row.other_case_id].system
        said |= {"other": other, "swapped": row.swapped}
    return said | {name: getattr(row, name) for name in ("verdict", "state", "raw", "prompt")}


def _rating_lines(each: CaseState) -> Iterable[_Line]:
    for said in each.ratings:
        rating = "correct" if rated_correct(said) else "incorrect"
        about = {"person": said.person, "rating": rating, "comment": said.comment}
        yield _key(each.case) | about


def _review_line(each: CaseState) -> _Line:
    """Return an answer's line of review; reviewer and rationale only where it was reviewed."""
    people, review = each.people, each.review
    line: dict[str, Any] = _key(each.case) | {
        "outcome": each.outcome.value,
        "correct": people,
        "verdicts": dict(sorted(each.verdicts.items())),
    }
    if review is not None:
        line |= {
            "reviewer": review.person,
            "estimate": review.answers.get(ESTIMATE, ""),
            "categories": review.answers.get(CATEGORIES) or [],
            "rationale": review.answers.get(RATIONALE) or "",
        }
    return line
