"""The provisions that the tags of a court case rest on: cited by the judgment or the codebook.

A case cites in its file's list of provisions and in its text; the codebook in the labels and
explanations of the answered sub-factors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlmodel import Session, col, select

from annotation.forms.submissions import answers_in
from annotation.gold.resting import CitingText, Resting, Rests, Scope, TextKey
from annotation.tagging.codebook import book_of
from annotation.work.submissions import stands
from construction.tagging.codebook import Factor, SubFactor
from storage.tables.cases import CourtCase
from storage.tables.core import Item
from storage.tasks import Task, of_task

_CASE = "case"
_BOOK = "codebook"  # followed by its version and the sub-factor
_TOGETHER = 200  # texts per query


class TaggingResting(Resting):
    """The reader of `annotation.gold.resting` for tagged court cases."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the citing texts: each case, and the codebook on the answered sub-factors."""
        laws = scope.decided_on(items)
        _, version = book_of(scope.session, scope.project_id)
        asked = _answered_sub_factors(scope)
        found = []
        for each in items:
            number = each.id or 0
            law = laws.get(number, 0)
            texts = [CitingText((_CASE, each.subject_id or 0), law)]
            texts += [
                CitingText((f"{_BOOK} {version} {key}", scope.project_id), law, "codebook")
                for key in sorted(asked.get(number, ()))
            ]
            found.append(Rests(number, texts=tuple(texts)))
        return found

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return the provisions and text of each case, and the codebook's texts."""
        found: dict[TextKey, Sequence[str]] = {}
        wanted = sorted(number for kind, number in keys if kind == _CASE)
        for start in range(0, len(wanted), _TOGETHER):
            some = col(CourtCase.id).in_(wanted[start : start + _TOGETHER])
            query = select(CourtCase.id, CourtCase.provisions, CourtCase.text).where(some)
            for number, provisions, text in session.exec(query):
                found[_CASE, number or 0] = (*provisions, text)
        books: dict[int, dict[str, Sequence[str]]] = {}
        for kind, project_id in keys:
            if kind != _CASE:
                if project_id not in books:
                    books[project_id] = _texts_by_sub_factor(session, project_id)
                found[kind, project_id] = books[project_id].get(kind.split(" ", 2)[2], ())
        return found


def _answered_sub_factors(scope: Scope) -> dict[int, set[str]]:
    """Return the sub-factors answered in submissions that the reader may see, by item."""
    rows = scope.current_submissions(Task.FACTOR_TAGGING)
    here = of_task(scope.project_id, Task.FACTOR_TAGGING)
    found: dict[int, set[str]] = {}
    for number, said in answers_in(scope.session, here, stands()).items():
        if number in rows:
            found.setdefault(rows[number][0], set()).update(said)
    return found


def _texts_by_sub_factor(session: Session, project_id: int) -> dict[str, Sequence[str]]:
    """Return the codebook's texts on each sub-factor, its factor and options, in parts."""
    book, _ = book_of(session, project_id)
    return {sub.key: _parts(factor, sub) for factor in book.factors for sub in factor.sub_factors}


def _parts(factor: Factor, sub: SubFactor) -> tuple[str, ...]:
    """Return the texts on a sub-factor, in each language, deduplicated."""
    said = [factor.label, factor.help, sub.label, sub.help]
    said += [by for option in sub.options for by in (option.label, option.help)]
    return tuple(dict.fromkeys(word for by in said for word in by.values() if word))


RESTS = TaggingResting()
