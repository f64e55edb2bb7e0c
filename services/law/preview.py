"""Preview of a law import: rules of reading, counts, first units, problems.

Preview of a question import: contents, labels, and labels found in the corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path

from annotation.people.roles import Act, allow, reading_as
from corpus.compare.compare import law_change
from corpus.compare.model import LawChange
from corpus.importers.beir import questions_in
from corpus.importers.registry import AUTO, detect, only_file, read_statutes
from corpus.importers.statutes.merge import Meeting, added, meeting, with_ids_in_use
from corpus.importers.statutes.records import Note, Notes, Reading
from corpus.importers.table import ReadingRules, read_rules, table_columns
from corpus.long_work import Progress
from corpus.model import Level, Statute, in_jurisdiction, jurisdiction_of
from errors import Where
from messages import say
from services.uploads import questions_at, statutes_at
from storage.db.workspace import Workspace
from storage.law.corpus import (
    count_units,
    load_statutes,
    snapshot_in_use,
    statute_titles,
    units_called,
)
from storage.projects import project_by_slug


def saved_rules(ws: Workspace, project_slug: str, by: int | None = None) -> ReadingRules:
    """Return the rules saved for the project, or empty rules.

    Raises UserError for an unknown project, a saved file that was damaged since, and for `by`
    (None: the operator) who may not import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    file = _rules_file(ws, project_slug)
    return read_rules(file) if file.exists() else ReadingRules()


def save_rules(
    ws: Workspace, project_slug: str, rules: ReadingRules, by: int | None = None
) -> Path:
    """Save the reading rules of the project, replacing earlier ones; return the file.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not import
    law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    file = _rules_file(ws, project_slug)
    file.parent.mkdir(exist_ok=True)
    partial = file.with_suffix(".partial")
    partial.write_text(rules.as_json(), encoding="utf-8")
    partial.replace(file)
    return file


def _rules_file(ws: Workspace, project_slug: str) -> Path:
    project = project_by_slug(ws, project_slug)
    return ws.folder / "importing" / f"{project.slug}.json"


_NAME = 120  # maximum length of a snapshot's name listing what was added


@dataclass(frozen=True, slots=True)
class InUse:
    """The snapshot in use: its number, its name and the semantic ids of its statutes."""

    id: int
    name: str
    statute_ids: frozenset[str]

    def meets(self, new: Iterable[Statute]) -> Meeting:
        """Compare new statutes with those in use: new, equal ids, replaced."""
        known = with_ids_in_use(self.statute_ids, new)
        return meeting(self.statute_ids, [each.semantic_id for each in known])

    def with_added(self, name: str) -> str:
        """Return a name for this law extended by `name`."""
        whole = f"{self.name} + {name}"
        return whole if len(whole) <= _NAME else f"{self.name.split(' + ')[0][:_NAME]} + … + {name}"


def law_in_use(ws: Workspace, project_slug: str, by: int | None = None) -> InUse | None:
    """Return the law in use, None before the first import.

    Raises UserError for an unknown project, and for `by` (None: the operator) of another one.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        found = snapshot_in_use(session, project.id)
        if found is None:
            return None
        return InUse(found.id, found.name, frozenset(statute_titles(session, found.id)))


FIRST = 10
_TEXT_CHARACTERS = 400
_COMPARED = 60_000  # largest law compared in a preview, which takes a second or two
_LONG_CHARACTERS = 60_000  # the longest Korean article has about 40,000


@dataclass(frozen=True, slots=True)
class UnitGlance:
    """Summary of a unit: `text` is its beginning, `characters` its full length."""

    semantic_id: str
    statute: str
    level: str
    label: str
    heading: str
    text: str
    characters: int
    parts: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would add; nothing is stored.

    `levels` counts units by level, `tiers` statutes by authority tier; `problems` are the reader's
    notes and oddities of the whole, `jurisdictions` counts statutes by jurisdiction, unstated ones
    under "". `in_use` is the law in use, None if there is none; `meeting` is the overlap with it.
    `change` says how many statutes would differ if the new ones replaced it, `change_added` if they
    were added; None without law in use, and where the law is too large to count quickly.
    """

    format: str
    statutes: int
    titles: tuple[str, ...]
    units: int
    levels: dict[str, int]
    tiers: dict[int, int]
    parts: int
    links: int
    characters: int
    first: tuple[UnitGlance, ...]
    problems: tuple[Note, ...]
    in_use: InUse | None
    meeting: Meeting | None
    change: LawChange | None = None
    change_added: LawChange | None = None
    jurisdictions: dict[str, int] = field(default_factory=dict)

    def change_if(self, add: bool) -> LawChange | None:
        """Return how many statutes would differ when adding or replacing; None if not counted."""
        return self.change_added if add else self.change

    def as_dict(self) -> dict[str, object]:
        """Return the preview for ``--json`` output."""
        shown = ("level", "label", "heading", "text", "characters")
        return asdict(replace(self, in_use=None)) | {
            "tiers": {str(tier): count for tier, count in self.tiers.items()},
            "first": [
                {"id": unit.semantic_id} | {name: getattr(unit, name) for name in shown}
                for unit in self.first
            ],
            "problems": [note.render() for note in self.problems],
            "in_use": self.in_use and {"id": self.in_use.id, "name": self.in_use.name},
        }


def preview_statutes(
    ws: Workspace,
    project_slug: str,
    path: Path,
    format: str = AUTO,  # noqa: A002  (the word that the command line uses)
    rules: ReadingRules | None = None,
    progress: Progress | None = None,
    by: int | None = None,
    jurisdiction: str = "",
) -> Preview:
    """Read a source as :func:`services.law.importing.import_statutes` would, storing nothing.

    `rules` default to those saved for the project. Raises UserError for an unknown project or
    format, for whatever would make the import fail, and for `by` (None: the operator) who may not
    import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    rules = rules or saved_rules(ws, project_slug)
    there = law_in_use(ws, project_slug)
    with statutes_at(path) as staged:
        name, reading = read_statutes(staged.path, format, rules, progress)
    said = in_jurisdiction(reading.statutes, jurisdiction_of(jurisdiction))
    reading = replace(reading, statutes=said)
    seen = preview_of(name, reading, there)
    return seen if there is None else _with_change(ws, seen, there, reading.statutes)


def _with_change(ws: Workspace, preview: Preview, in_use: InUse, new: Sequence[Statute]) -> Preview:
    """Add the number of statutes that would differ, unless the law is too large."""
    with ws.reading() as session:
        if max(preview.units, count_units(session, in_use.id)) > _COMPARED:
            return preview
        law = load_statutes(session, in_use.id)
    both = added(law, new) if len({each.semantic_id for each in new}) == len(new) else ()
    change_added = law_change(law, both) if both else None
    return replace(preview, change=law_change(law, new), change_added=change_added)


def source_columns(path: Path, format: str) -> list[str]:  # noqa: A002
    """Return the columns of a source read as a table; empty for any other format.

    Raises UserError as reading it does.
    """
    with statutes_at(path) as staged:
        name = detect(staged.path) if format == AUTO else format
        return table_columns(only_file(staged.path, name)) if name == "table" else []


def preview_of(name: str, reading: Reading, there: InUse | None) -> Preview:
    """Return the preview of statutes read in the format `name`; `there` is the law in use."""
    statutes = reading.statutes
    units = [unit for statute in statutes for unit in statute.units]
    levels = Counter(unit.level for unit in units)
    tiers = Counter(int(statute.tier) for statute in statutes)
    return Preview(
        format=name,
        statutes=len(statutes),
        titles=tuple(statute.title for statute in statutes[:FIRST]),
        units=len(units),
        levels={str(level): levels[level] for level in Level if levels[level]},
        tiers={tier: tiers[tier] for tier in sorted(tiers)},
        parts=sum(len(unit.parts) for unit in units),
        links=sum(len(unit.links) for unit in units),
        characters=sum(len(unit.text) for unit in units),
        first=_first_units(statutes),
        jurisdictions=dict(sorted(Counter(each.jurisdiction for each in statutes).items())),
        problems=(*reading.notes, *_oddities(statutes)),
        in_use=there,
        meeting=there.meets(statutes) if there else None,
    )


def _first_units(statutes: Sequence[Statute]) -> tuple[UnitGlance, ...]:
    """Return the first units of the only statute, or some of each when there are several."""
    share = max(FIRST // max(len(statutes), 1), 1)
    glances = (
        UnitGlance(
            semantic_id=unit.semantic_id,
            statute=statute.title,
            level=str(unit.level),
            label=unit.label,
            heading=unit.heading,
            text=unit.text[:_TEXT_CHARACTERS],
            characters=len(unit.text),
            parts=len(unit.parts),
        )
        for statute in statutes[:FIRST]
        for unit in statute.units[:share]
    )
    return tuple(islice(glances, FIRST))


def _oddities(statutes: Sequence[Statute]) -> tuple[Note, ...]:
    """Return notes on unusual statutes: all deleted, very long units, bare annexes."""
    notes, bare = Notes(), 0
    for statute in statutes:
        here = Where(statute.file or None)
        if statute.units and all(unit.deleted for unit in statute.units):
            notes.add("deleted_all", here, title=statute.title)
        for unit in statute.units:
            bare += unit.text_missing and unit.level in (Level.ANNEX, Level.FORM)
            if len(unit.text) > _LONG_CHARACTERS and unit.level is not Level.ANNEX:
                notes.add("long_unit", here, label=unit.label, count=f"{len(unit.text):,}")
    without_text = [Note("annex_text", params=(("count", f"{bare:,}"),))] if bare else []
    return (*without_text, *notes.all())


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
    notes: tuple[Note, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the preview for ``--json`` output."""
        return asdict(self) | {"notes": [note.render() for note in self.notes]}

    def lines(self, language: str = "en") -> list[str]:
        """Return the preview as sentences."""
        counts = asdict(self) | {"grades": ", ".join(f"{g}: {n:,}" for g, n in self.grades.items())}
        names = ["held", "labels" if self.pairs else "none"]
        names += ["no_law" if self.in_corpus is None else "known"] if self.pairs else []
        lines = [say(f"preview.questions.{name}", language, **counts) for name in names]
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
    labels = [dict(each.grades) or dict.fromkeys(each.gold_ids, 1) for each in questions]
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
