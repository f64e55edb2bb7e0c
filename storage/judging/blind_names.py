"""Names and order of answers for people who are not to know which system gave them.

Both come from what is seen alone, the question and the answer: whoever computes them anew for the
systems that they suspect learns nothing. Answers alike to one question are told apart by the order
in which they came.
"""

from __future__ import annotations

from collections import Counter

from sqlmodel import Session, col, select

from normalization.hashing import text_hash
from storage.tables.judging import JudgeCase

_SHOWN = 4  # hexadecimal digits of a digest in a name


def blind_digests(session: Session, project_id: int) -> dict[int, str]:
    """Return a digest of every answer of a project, by its id, that no other answer has."""
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
    """Return what people call an answer to this question."""
    return f"{external_id}·{digest[:_SHOWN]}"
