"""The provisions that a judged answer rests on: supplied with it, cited, and gold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sqlmodel import Session, col, select

from annotation.gold.derivation import read_evidence
from annotation.gold.resting import CitingText, Resting, Rests, Scope, TextKey, Via
from storage.tables.core import Item
from storage.tables.judging import JudgeCase

_TOGETHER = 500  # rows per query


class JudgingResting(Resting):
    """The reader of `annotation.gold.resting` for rated and reviewed answers."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions of each answer, the gold of its question, and its citing text.

        Annotators are not shown gold.
        """
        gold = {} if scope.blind else _gold(scope)
        laws = scope.decided_on(items)
        query = select(JudgeCase).where(JudgeCase.project_id == scope.project_id)
        rows = {row.id or 0: row for row in scope.session.exec(query)}
        found = []
        for each in items:
            number, row = each.id or 0, rows.get(each.subject_id or 0)
            if row is None:
                continue
            made = scope.law_at(row.at)
            found.append(
                Rests(
                    number,
                    units=tuple((unit, "gold") for unit in gold.get(row.question_id or 0, ())),
                    places=tuple(_places(row, made)),
                    texts=(CitingText(("case", row.id or 0), laws.get(number, 0)),),
                )
            )
        return found

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return question, official answer, provisions without id and answer, in parts."""
        found: dict[TextKey, Sequence[str]] = {}
        wanted = sorted({number for _, number in keys})
        for start in range(0, len(wanted), _TOGETHER):
            some = col(JudgeCase.id).in_(wanted[start : start + _TOGETHER])
            for row in session.exec(select(JudgeCase).where(some)):
                named = [e.get("label", "") for e in row.provisions if not e.get("unit")]
                found["case", row.id or 0] = (row.question, row.reference, *named, row.answer)
        return found


def _places(row: JudgeCase, made: int) -> Iterator[tuple[str, int, Via]]:
    for each in row.provisions:
        if each.get("unit"):
            yield each["unit"], made, "source"


def _gold(scope: Scope) -> dict[int, tuple[int, ...]]:
    """Return the gold units of each question, by its database id."""
    units = {each.item_id: each.units for each in read_evidence(scope.session, scope.project).bases}
    query = select(Item.id, Item.question_id).where(Item.project_id == scope.project_id)
    return {
        question: units[item or 0]
        for item, question in scope.session.exec(query)
        if question is not None and item in units
    }


RESTS = JudgingResting()
