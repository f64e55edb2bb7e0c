"""Items of attribution review: answers whose claims people judge, all of them or a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from annotation.attribution.suggestion_setting import (
    Suggestions,
    setting_called,
    setting_in,
    show_newest,
)
from annotation.people.roles import Act, reading_as, writing_as
from errors import UserError, Where
from normalization.hashing import seeded_hash
from storage.attribution.review import ClaimsBeside, compared_cases, newest_labels, of_answers
from storage.db.workspace import Workspace
from storage.judging.blind_names import blind_digests, blind_name
from storage.subjects import Subject, add_items, shown_items
from storage.tasks import Task

_TITLE = 200  # characters of a question in lists


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How many answers are items of review, and how many with claims are not.

    `empty` have no claim, so there is nothing to review. `added` became items just now.
    """

    items: int
    waiting: int
    empty: int
    added: int = 0


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """What could be made items, of which judges there are labels, and when labels are seen.

    `systems` have answers that could be made items.
    """

    counts: ReviewCounts
    judges: tuple[str, ...]
    suggestions: Suggestions
    systems: tuple[str, ...]


def review_settings(ws: Workspace, slug: str, by: int | None = None) -> ReviewSettings:
    """Return what could be reviewed. Raises UserError for who may not make items."""
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        judges = sorted({judge for _, judge in newest_labels(session, project.id)})
        counts = _counts(session, project.id)
        systems = {each.answer.system for each in _waiting(session, project.id, None)}
        held = setting_in(session, project.id)
        return ReviewSettings(counts, tuple(judges), held, tuple(sorted(systems)))


def make_review_items(
    ws: Workspace,
    slug: str,
    sample: int | None = None,
    seed: int = 0,
    suggestions: str | None = None,
    judge: str | None = None,
    systems: Collection[str] = (),
    each_system: bool = False,
    by: int | None = None,
) -> ReviewCounts:
    """Make an item of every answer that has claims and none yet, or of so many drawn by the seed.

    Of `systems` alone where some are named; with `each_system` so many are drawn of each, as a
    system's figure is corrected by its own answers.

    They come in the order in which they were drawn, so whatever people have reviewed, however far
    they come, is a random sample of the answers, and the order tells nothing of the system.
    `suggestions` says when the labels of `judge`, else of who labelled the answer last, are seen,
    in the items that are there, too, unless they are complete.
    Raises UserError for who may not, for no setting, for a judge without labels and for a system
    without answers.
    """
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        held = setting_in(session, project.id)
        setting = held if suggestions is None else setting_called(suggestions)
        if setting != held:
            show_newest(session, project.id, setting, ws.clock())
        labels = _labels(session, project.id, judge)
        _check(systems, compared_cases(session, project.id))
        waiting = _waiting(session, project.id, labels if judge is not None else None)
        waiting = [each for each in waiting if not systems or each.answer.system in systems]
        digests = blind_digests(session, project.id)
        ranked = sorted(
            waiting, key=lambda each: seeded_hash(seed, "attribution", _of(digests, each))
        )
        subjects = [
            Subject(each.number, _name(each, digests), each.answer.question[:_TITLE], {**shown})
            for each in _first(ranked, sample, each_system)
            for shown in ({"suggestions": str(setting), "labels": labels.get(each.number, 0)},)
        ]
        add_items(session, project.id, Task.ATTRIBUTION, subjects, ws.clock())
        return replace(_counts(session, project.id), added=len(subjects))


def _first(
    ranked: Sequence[ClaimsBeside], sample: int | None, each_system: bool
) -> list[ClaimsBeside]:
    """Return the first so many, of each system where that is wanted; all without a number."""
    taken: Counter[str] = Counter()
    found = []
    for each in ranked:
        group = each.answer.system if each_system else ""
        if sample is None or taken[group] < sample:
            taken[group] += 1
            found.append(each)
    return found


def _check(systems: Collection[str], there: Sequence[ClaimsBeside]) -> None:
    known = sorted({each.answer.system for each in there})
    for name in systems:
        if name not in known:
            named = ", ".join(known) or "–"
            raise UserError("attribution_system", Where(field="system"), system=name, known=named)


def _counts(session: Session, project_id: int) -> ReviewCounts:
    newest = of_answers(compared_cases(session, project_id)).values()
    return ReviewCounts(
        len(shown_items(session, project_id, Task.ATTRIBUTION)),
        len(_waiting(session, project_id, None)),
        sum(not each.predicted for each in newest),
    )


def _waiting(
    session: Session, project_id: int, labelled: Mapping[int, int] | None
) -> list[ClaimsBeside]:
    """Return a case of each answer that has claims and no item; of `labelled` ones alone, if given.

    An answer that a judge cut anew is an item again only where that judge is asked for.
    """
    cases = compared_cases(session, project_id)
    items = {each.subject_id for each in shown_items(session, project_id, Task.ATTRIBUTION)}
    if labelled is not None:
        found = of_answers(each for each in cases if each.number in labelled).values()
        return [each for each in found if each.predicted and each.number not in items]
    there = {each.answer.id for each in cases if each.number in items}
    found = of_answers(cases).values()
    return [each for each in found if each.predicted and each.answer.id not in there]


def _labels(session: Session, project_id: int, judge: str | None) -> dict[int, int]:
    """Return the row of labels that each case shows: of the judge named, else the newest."""
    rows = newest_labels(session, project_id)
    judges = sorted({name for _, name in rows})
    if judge is not None and judge not in judges:
        known = ", ".join(judges) or "–"
        raise UserError("attribution_judge", Where(field="judge"), judge=judge[:80], known=known)
    chosen = [(case, row) for (case, name), row in rows.items() if judge in (None, name)]
    return {case: row.id or 0 for case, row in sorted(chosen, key=lambda each: each[1].id or 0)}


def _name(case: ClaimsBeside, digests: Mapping[int, str]) -> str:
    """Return what people call an item: nothing of it tells which system answered."""
    return blind_name(case.answer.external_id, _of(digests, case))


def _of(digests: Mapping[int, str], case: ClaimsBeside) -> str:
    return digests[case.answer.id or 0]
