"""Names and order of answers that do not reveal the system.

Both are derived from the visible question and answer alone: recomputing them for suspected systems
reveals nothing. Identical answers to one question are numbered in order of import.
"""

from __future__ import annotations

from collections import Counter

from sqlmodel import Session, col, select

from normalization.hashing import text_hash
from storage.tables.judging import JudgeCase

_SHOWN = 4  # hexadecimal digits of the digest in a name


def blind_digests(session: Session, project_id: int) -> dict[int, str]:
    """Return a unique digest of every answer of a project, by answer id."""
    query = (
        select(JudgeCase.id, JudgeCase.external_id, JudgeCase.answer)
        .where(JudgeCase.project_id == project_id)
        .order_by(col(JudgeCase.id))
    )
    alike: Counter[tuple[str, str]] = Counter()
    found = {}
    for number, question, answer in session.exec(query):
        said = f"{question}\n{alike[question, answer]}\n{answer}"
        alike[question, answer] += 1
        found[number or 0] = text_hash(said)
    return found


def blind_name(external_id: str, digest: str) -> str:
    """Return the display name of an answer to this question."""
    return f"{external_id}·{digest[:_SHOWN]}"
