"""Adoption of a published benchmark: its documents as law, its questions, its labels as gold.

The labels are the gold set ``source`` (`services.gold.gold_set`), and nobody's decision.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.benchmarks.rows import ENDINGS
from corpus.importers.benchmark import Adopted, read_adopted
from corpus.long_work import Progress, in_bulk
from corpus.model import in_jurisdiction, jurisdiction_of
from errors import UserError, Where
from messages import catalogue, say
from services.law.importing import add_law, keep_law
from services.law.preview import law_in_use
from services.uploads import statutes_at
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile
from storage.law.catalogues import units_of_labels
from storage.law.corpus import units_called
from storage.law.imports import QuestionReport, keep_questions


@dataclass(frozen=True, slots=True)
class AdoptionReport:
    """What came in of a benchmark: name with release, hash, law, questions and labels.

    `units` are those of its documents. `labels` are its pairs of relevance, in `labelled`
    questions; `outside` of them name no unit of the law in use and count as missed. `left_out`
    counts by reason what did not come in, and `first` names one of each.
    """

    name: str
    sha256: str
    units: int
    questions: int
    new: int
    labelled: int
    labels: int
    outside: int
    left_out: dict[str, int]
    first: dict[str, str]

    def lines(self, language: str = "en") -> list[str]:
        """Return the report as lines."""
        counts = {name: f"{value:,}" for name, value in asdict(self).items() if name in _COUNTED}
        told = [say("adoption.done", language, name=self.name, sha256=self.sha256, **counts)]
        if self.outside:
            told.append(say("adoption.outside", language, **counts))
        for reason, count in sorted(self.left_out.items()):
            key = f"fault.{reason}" if f"fault.{reason}" in catalogue() else _REFUSED
            about = {"count": f"{count:,}", "first": self.first[reason]}
            told.append(say("adoption.left_out", language, reason=say(key, language), **about))
        return told


_REFUSED = "fault.question_refused"
_COUNTED = ("units", "questions", "new", "labelled", "labels", "outside")


def adopt(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Progress | None = None,
    *,
    release: str = "",
    jurisdiction: str = "",
    by: int | None = None,
) -> AdoptionReport:
    """Import a published benchmark: a folder, a file or an archive that `read_benchmark` knows.

    Its documents are added to the law in use; without documents its labels are of that law.
    `release` is its version where it states none, `jurisdiction` that of what states none. Adopting
    again completes what was interrupted and changes nothing else. `by` is the importer, None for
    the operator. Raises UserError for `by` without permission, for what is no benchmark, without a
    question, and for a question that the project has with other content.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    allow(ws, project_slug, by, Act.IMPORT_QUESTIONS)
    of = jurisdiction_of(jurisdiction)
    with in_bulk():
        with statutes_at(path, kinds=ENDINGS) as staged:
            found = read_adopted(staged.path, release, progress)
        if not found.questions:
            raise UserError("import_empty", Where(file=found.name), kind="question")
        if found.statutes:  # the project's first law, or added to that in use
            statutes, there = in_jurisdiction(found.statutes, of), law_in_use(ws, project_slug)
            if there is None:
                keep_law(ws, project_slug, statutes, found.name, progress, by=by)
            else:
                add_law(ws, project_slug, there, statutes, found.name, progress, by)
    questions = in_jurisdiction(found.questions, of)
    file = BroughtFile("questions", found.name, found.sha256, by)
    kept = keep_questions(ws, project_slug, questions, found.name, file)
    return _adoption_report(ws, project_slug, found, kept)


def _adoption_report(
    ws: Workspace, project_slug: str, found: Adopted, kept: QuestionReport
) -> AdoptionReport:
    """Report an adopted benchmark: its size, and gold that its law lacks."""
    gold = [each.gold_ids for each in found.questions if each.gold_ids]
    labels = [label for some in gold for label in some]
    law, named = law_in_use(ws, project_slug), dict[str, str]()
    if law is not None:  # labels are read as gold sets read them
        with ws.reading() as session:
            named = units_of_labels(session, law.id, {*labels})
            there = units_called(session, law.id, {*named.values()})
        named = {label: unit for label, unit in named.items() if unit in there}
    return AdoptionReport(
        name=found.name,
        sha256=found.sha256,
        units=sum(len(each.units) for each in found.statutes),
        questions=len(found.questions),
        new=kept.new,
        labelled=len(gold),
        labels=len(labels),
        outside=sum(label not in named for label in labels),
        left_out=dict(found.left_out.counts),
        first=found.left_out.first,
    )
