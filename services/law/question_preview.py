"""Preview of a question import: contents, labels, and labels found in the corpus."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from annotation.people.roles import Act, allow, reading_as
from corpus.importers.beir import questions_in
from corpus.importers.statutes.records import Note, Notes
from corpus.model import Question
from messages import say
from services.uploads import questions_at
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_in_use, units_called

_ABSENT = 5  # ids named in the preview


@dataclass(frozen=True, slots=True)
class QuestionPreview:
    """What an import of questions would add; nothing is stored.

    `answers` counts questions with an official answer, `citing` those whose file lists citations.
    `labelled` are questions with source labels, `pairs` the question-unit pairs, by grade in
    `grades` (1 where the file has none), and `ids` the distinct units. Of these `in_corpus` are in
    the law in use, None without one; `absent` are the first of the others.
    """

    questions: int
    answers: int
    citing: int
    labelled: int
    pairs: int
    grades: dict[int, int]
    ids: int
    in_corpus: int | None
    absent: tuple[str, ...]
    notes: tuple[Note, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the preview for ``--json`` output."""
        return asdict(self) | {"notes": [note.render() for note in self.notes]}

    def lines(self, language: str = "en") -> list[str]:
        """Return the preview as sentences."""
        counts = asdict(self) | {"grades": ", ".join(f"{g}: {n:,}" for g, n in self.grades.items())}
        lines = [say("preview.questions.held", language, **counts)]
        lines.append(
            say(f"preview.questions.{'labels' if self.pairs else 'none'}", language, **counts)
        )
        if self.pairs:
            known = "no_law" if self.in_corpus is None else "known"
            lines.append(say(f"preview.questions.{known}", language, **counts))
        if self.absent:
            named = ", ".join(self.absent)
            lines.append(say("preview.questions.absent", language, names=named))
        kept = say("preview.questions.kept", language)
        return [*lines, *(note.render(language) for note in self.notes), kept]


def preview_questions(
    ws: Workspace, project_slug: str, path: Path, by: int | None = None
) -> QuestionPreview:
    """Read questions as `services.law.importing.import_questions` would, storing nothing.

    Raises UserError for whatever would make reading them fail, for an unknown project, and for `by`
    (None: the operator) who may not import questions.
    """
    allow(ws, project_slug, by, Act.IMPORT_QUESTIONS)
    notes = Notes()
    with questions_at(path) as staged:
        questions = questions_in(staged.path, notes)
    labels = [_grades(question) for question in questions]
    ids = dict.fromkeys(unit for each in labels for unit in each)
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        law = snapshot_in_use(session, project.id)
        there = None if law is None else units_called(session, law.id, ids)
    absent = [] if there is None else [unit for unit in ids if unit not in there]
    grades = Counter(grade for each in labels for grade in each.values())
    return QuestionPreview(
        questions=len(questions),
        answers=sum(bool(each.answer.strip()) for each in questions),
        citing=sum(bool(each.citation_strings) for each in questions),
        labelled=sum(map(bool, labels)),
        pairs=sum(map(len, labels)),
        grades=dict(sorted(grades.items())),
        ids=len(ids),
        in_corpus=None if there is None else len(ids) - len(absent),
        absent=tuple(absent[:_ABSENT]),
        notes=notes.all(),
    )


def _grades(question: Question) -> dict[str, int]:
    return dict(question.grades) or dict.fromkeys(question.gold_ids, 1)
