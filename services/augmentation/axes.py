"""Effects that a changed axes text would have on existing questions.

Difficulty level of written answers, by the rubric on the provisions they cite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlmodel import Session

from annotation.people.roles import Act, reading_as
from annotation.work.editions import clean, line_diff
from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import Axes, parse
from construction.augmentation.governing import group_slots
from construction.augmentation.rubric import ReferenceSet, difficulty, reference_set
from normalization.grouping import grouped
from storage.augmentation.provisions import cited_units, provisions_named
from storage.augmentation.questions import QuestionView, questions
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot, units_called
from storage.law.parallel_groups import declaration_in


def reference_sets(
    session: Session, project_id: int, axes: Axes, questions: Iterable[QuestionView]
) -> dict[int, ReferenceSet]:
    """Return, by question id, the rubric's view of the provisions that the question's answer cites.

    Provisions are of the law that it was written on. A type removed from the axes is neither
    conditional nor joins facets.
    """
    groups = group_slots(declaration_in(session, project_id), axes.groups)
    found = {}
    for snapshot_id, some in grouped((each.snapshot_id, each) for each in questions).items():
        cited = cited_units(session, snapshot_id, some)
        units = {unit for each in cited.values() for unit in each}
        known = provisions_named(session, snapshot_id, units)
        for question in some:
            found[question.id] = reference_set(
                [known[unit] for unit in cited[question.id] if unit in known],
                axes.rubric,
                **axes.traits(str(question.axes.get("type"))),
                groups=groups,
            )
    return found


def computed_levels(
    session: Session, project_id: int, axes: Axes, questions: Iterable[QuestionView]
) -> dict[int, str]:
    """Return the level of each question's answer by id, "" where it cites no provision."""
    return {
        number: difficulty(seen, axes.rubric) if seen.references else ""
        for number, seen in reference_sets(session, project_id, axes, questions).items()
    }


@dataclass(frozen=True, slots=True)
class Lost:
    """A question whose value on an axis would be removed, such as ``facets.geography.abroad``."""

    external_id: str
    place: str


@dataclass(frozen=True, slots=True)
class Relevelled:
    """A question that would get another level from the rubric."""

    external_id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Effects of replacing the project's axes.

    Places are named ``types.single_clause``, ``facets.geography.abroad`` and so on; `changed` are
    places with the same name and another content. `lost` are questions that keep a value removed
    from the axes: they stay as they are. `unknown` are anchors that the law in use lacks and
    undeclared groups. `diff` compares the texts line by line, "" where they are equal.
    """

    new: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]
    lost: tuple[Lost, ...]
    relevelled: tuple[Relevelled, ...]
    unknown: tuple[str, ...]
    diff: str


def changes(ws: Workspace, slug: str, text: str, by: int | None = None) -> Changes:
    """Return the effects of replacing the project's axes by `text`, without doing it.

    Raises UserError, with the line, for an invalid text, for `by` without permission, and for a
    project without law.
    """
    text = clean(text)
    new = parse(text)
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        before = AXES.text_in(session, project.id)[1]
        old = parse(before)
        made = questions(session, project.id)
        relevelled = tuple(_relevelled(session, project.id, made, old, new))
        unknown = _unknown_names(session, project.id, required_snapshot(session, project).id, new)
    was, will = dict(_places(old)), dict(_places(new))
    return Changes(
        new=tuple(place for place in will if place not in was),
        gone=tuple(place for place in was if place not in will),
        changed=tuple(place for place in will if place in was and will[place] != was[place]),
        lost=tuple(_lost_questions(made, new, declared=set(was))),
        relevelled=relevelled,
        unknown=unknown,
        diff=line_diff(before, text),
    )


def _places(axes: Axes) -> Iterator[tuple[str, object]]:
    """Yield every entry of the axes: its path and content."""
    for facet in axes.facets:
        yield f"facets.{facet.key}", dict(facet.label)
        for value in facet.values:
            yield f"facets.{facet.key}.{value.key}", dict(value.label)
    for kind in axes.types:
        said = kind.label, kind.about, kind.demands, kind.conditional, kind.facets
        yield f"types.{kind.key}", said
    for level in axes.levels:
        yield f"levels.{level.key}", (level.label, level.about)
    for name in axes.rubric.__slots__:
        yield f"rubric.{name}", getattr(axes.rubric, name)
    for domain in axes.domains:
        yield f"domains.{domain.key}", (domain.label, domain.anchors, domain.statutes)
    for group in axes.groups:
        yield f"groups.{group}", group


def _question_places(question: QuestionView) -> Iterator[str]:
    """Yield the axis places of a question."""
    axes = question.axes
    yield f"types.{axes['type']}"
    for facet, value in axes["facets"].items():
        yield f"facets.{facet}.{value}"
    if axes["domain"]:
        yield f"domains.{axes['domain']}"
    if axes["group"]:
        yield f"groups.{axes['group']}"


def _lost_questions(questions: list[QuestionView], new: Axes, declared: set[str]) -> Iterator[Lost]:
    """Yield the questions that use an entry which the new axes lack."""
    there = {place for place, _ in _places(new)}
    for question in questions:
        for place in _question_places(question):
            # A group is of the parallel groups; the axes lose it only where they named it.
            unnamed = place.startswith("groups.") and place not in declared and not new.groups
            if place not in there and not unnamed:
                yield Lost(question.external_id, place)


def _relevelled(
    session: Session, project_id: int, questions: list[QuestionView], old: Axes, new: Axes
) -> Iterator[Relevelled]:
    """Yield the questions whose computed level differs by the new rubric."""
    if (old.rubric, old.types, old.groups) == (new.rubric, new.types, new.groups):
        return
    before, after = (computed_levels(session, project_id, axes, questions) for axes in (old, new))
    for question in questions:
        if before[question.id] != after[question.id]:
            yield Relevelled(question.external_id, before[question.id], after[question.id])


def _unknown_names(
    session: Session, project_id: int, snapshot_id: int, axes: Axes
) -> tuple[str, ...]:
    """Return the anchor units and groups that the axes name but the law lacks."""
    anchors = [unit for domain in axes.domains for unit in domain.anchors]
    there = units_called(session, snapshot_id, anchors)
    groups = {group.key for group in declaration_in(session, project_id).groups}
    return (
        *(unit for unit in anchors if unit not in there),
        *(key for key in axes.groups if key not in groups),
    )
