"""Preview of a law import: the rules of reading, counts, first units, what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from annotation.people.roles import Act, allow, reading_as
from corpus.compare.compare import law_change
from corpus.compare.model import LawChange
from corpus.importers.registry import AUTO, detect, only_file, read_statutes
from corpus.importers.statutes.merge import Meeting, added, known_ids, meeting
from corpus.importers.statutes.records import Note, Notes, Reading
from corpus.importers.table import ReadingRules, read_rules, table_columns
from corpus.jurisdiction import in_jurisdiction, jurisdiction_of
from corpus.model import Level, Statute, Unit
from corpus.progress import Progress
from errors import Where
from services.uploads import statutes_at
from storage.db.workspace import Workspace
from storage.law.corpus import count_units, load_statutes, snapshot_in_use, statute_titles
from storage.projects import project_by_slug


def saved_rules(ws: Workspace, project_slug: str, by: int | None = None) -> ReadingRules:
    """Return the rules saved for the project, or rules that say nothing.

    Raises UserError for an unknown project, a saved file that was damaged since, and for `by`
    (None: the operator) who may not import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    file = _file(ws, project_slug)
    return read_rules(file) if file.exists() else ReadingRules()


def save_rules(
    ws: Workspace, project_slug: str, rules: ReadingRules, by: int | None = None
) -> Path:
    """Save the rules for the project, in place of those it had; return the file.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not import
    law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    file = _file(ws, project_slug)
    file.parent.mkdir(exist_ok=True)
    partial = file.with_suffix(".partial")
    partial.write_text(rules.as_json(), encoding="utf-8")
    partial.replace(file)
    return file


def _file(ws: Workspace, project_slug: str) -> Path:
    project = project_by_slug(ws, project_slug)
    return ws.folder / "importing" / f"{project.slug}.json"


_NAME = 120  # characters of a snapshot's name that tells what was added


@dataclass(frozen=True, slots=True)
class InUse:
    """The snapshot in use: its number, its name and the semantic ids of its statutes."""

    id: int
    name: str
    statute_ids: frozenset[str]

    def meets(self, come: Iterable[Statute]) -> Meeting:
        """Return how statutes that come meet those in use."""
        known = known_ids(self.statute_ids, come)
        return meeting(self.statute_ids, [each.semantic_id for each in known])

    def with_added(self, name: str) -> str:
        """Return a name for this law with what came from `name`."""
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
_COMPARED = 60_000  # units of a law that is compared before it is kept, which takes a second or two
_LONG_CHARACTERS = 60_000  # the longest Korean article has about 40,000


@dataclass(frozen=True, slots=True)
class UnitGlance:
    """A unit at a glance: `text` is its beginning, `characters` the length of all of it."""

    semantic_id: str
    statute: str
    level: str
    label: str
    heading: str
    text: str
    characters: int
    parts: int
    links: int
    deleted: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would bring in. Nothing of it is kept.

    `levels` counts units by level, `tiers` statutes by authority tier; `problems` are the notes
    of the reader and what is odd about the whole, `jurisdictions` counts statutes by whose law they
    are, those of nobody under "". `in_use` is the law in use, None if there is
    none; `meeting` says how what would come meets it. `change` says how many statutes would differ
    if what comes took its place, `change_added` if it was added; None where there is no law in use
    and where that is so much that counting takes longer than people wait.
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
    in_use: InUse | None = None
    meeting: Meeting | None = None
    change: LawChange | None = None
    change_added: LawChange | None = None
    jurisdictions: dict[str, int] = field(default_factory=dict)

    def change_if(self, add: bool) -> LawChange | None:
        """Return how many statutes would differ."""
        return self.change_added if add else self.change

    def as_dict(self) -> dict[str, object]:
        """Return the preview for ``--json`` output."""
        return {
            "format": self.format,
            "statutes": self.statutes,
            "titles": list(self.titles),
            "units": self.units,
            "levels": self.levels,
            "tiers": {str(tier): count for tier, count in self.tiers.items()},
            "parts": self.parts,
            "links": self.links,
            "characters": self.characters,
            "first": [
                {"id": unit.semantic_id, "level": unit.level, "label": unit.label}
                | {"heading": unit.heading, "text": unit.text, "characters": unit.characters}
                for unit in self.first
            ],
            "problems": [note.render() for note in self.problems],
            "in_use": self.in_use and {"id": self.in_use.id, "name": self.in_use.name},
            "meeting": self.meeting and asdict(self.meeting),
            "change": self.change and asdict(self.change),
            "change_added": self.change_added and asdict(self.change_added),
            "jurisdictions": self.jurisdictions,
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
    """Read a source as :func:`services.law.importing.import_statutes` would, and keep nothing.

    `rules` are those saved for the project where none are given. Raises UserError for an unknown
    project or format, for whatever would make the import fail, and for `by` (None: the operator)
    who may not import law.
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


def _with_change(ws: Workspace, seen: Preview, there: InUse, come: Sequence[Statute]) -> Preview:
    """Return the preview with how many statutes would differ, unless the law is too long."""
    with ws.reading() as session:
        if max(seen.units, count_units(session, there.id)) > _COMPARED:
            return seen
        law = load_statutes(session, there.id)
    both = added(law, come) if len({each.semantic_id for each in come}) == len(come) else ()
    return replace(
        seen,
        change=law_change(law, come),
        change_added=law_change(law, both) if both else None,
    )


def source_columns(path: Path, format: str = AUTO) -> list[str]:  # noqa: A002
    """Return the columns of a source that is read as a table; none for any other format.

    Raises UserError as reading it does.
    """
    with statutes_at(path) as staged:
        name = detect(staged.path) if format == AUTO else format
        return table_columns(only_file(staged.path, name)) if name == "table" else []


def preview_of(name: str, reading: Reading, there: InUse | None = None) -> Preview:
    """Return the preview of what was read in the format `name`; `there` is the law in use."""
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
        first=_first(statutes),
        jurisdictions=dict(sorted(Counter(each.jurisdiction for each in statutes).items())),
        problems=(*reading.notes, *_oddities(statutes)),
        in_use=there,
        meeting=there.meets(statutes) if there else None,
    )


def _first(statutes: Sequence[Statute]) -> tuple[UnitGlance, ...]:
    """Return the first units: of one statute, or the first of each when there are several."""
    pairs = [(statute, unit) for statute in statutes[:FIRST] for unit in statute.units[:FIRST]]
    if len(statutes) > 1:
        share = max(FIRST // len(statutes), 1)
        pairs = [(s, unit) for s in statutes[:FIRST] for unit in s.units[:share]]
    return tuple(_glance(statute, unit) for statute, unit in pairs[:FIRST])


def _glance(statute: Statute, unit: Unit) -> UnitGlance:
    return UnitGlance(
        semantic_id=unit.semantic_id,
        statute=statute.title,
        level=str(unit.level),
        label=unit.label,
        heading=unit.heading,
        text=unit.text[:_TEXT_CHARACTERS],
        characters=len(unit.text),
        parts=len(unit.parts),
        links=len(unit.links),
        deleted=unit.deleted,
    )


def _oddities(statutes: Sequence[Statute]) -> tuple[Note, ...]:
    notes = Notes()
    for statute in statutes:
        here = Where(statute.file or None)
        if statute.units and all(unit.deleted for unit in statute.units):
            notes.add("deleted_all", here, title=statute.title)
        for unit in statute.units:
            if len(unit.text) > _LONG_CHARACTERS and unit.level is not Level.ANNEX:
                notes.add("long_unit", here, label=unit.label, count=f"{len(unit.text):,}")
    return (*_bare_annexes(statutes), *notes.all())


def _bare_annexes(statutes: Sequence[Statute]) -> list[Note]:
    bare = sum(
        unit.text_missing and unit.level in (Level.ANNEX, Level.FORM)
        for statute in statutes
        for unit in statute.units
    )
    return [Note("annex_text", params=(("count", f"{bare:,}"),))] if bare else []
