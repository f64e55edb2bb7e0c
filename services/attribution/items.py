"""Items of attribution review: answers whose claims people judge, all or a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from annotation.attribution.suggestion_setting import setting_in, show_newest
from annotation.forms.suggestions import Suggestions, setting_called
from annotation.people.roles import Act, reading_as, writing_as
from errors import Where, require_known
from normalization.hashing import seeded_hash
from storage.attribution.review import ClaimsBeside, compared_cases, newest_labels, of_answers
from storage.db.workspace import Workspace
from storage.judging import blind_digests, blind_name
from storage.subjects import Subject, add_items, shown_items
from storage.tasks import Task

_TITLE = 200  # characters of a question in lists


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """Numbers of answers that are review items, and of those with claims that are not.

    `empty` have no claim, so nothing to review. `added` became items just now.
    """

    items: int
    waiting: int
    empty: int
    added: int = 0


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Answers available for review, judges with labels, and when labels are shown.

    `systems` have answers that could become items.
    """

    counts: ReviewCounts
    judges: tuple[str, ...]
    suggestions: Suggestions
    systems: tuple[str, ...]


def review_settings(ws: Workspace, slug: str, by: int | None = None) -> ReviewSettings:
    """Return counts, judges, setting and systems of reviews. Raises UserError if not permitted."""
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
    """Make an item of every answer with claims that is none yet, or of a random sample.

    Of `systems` only, if named; with `each_system` the sample size is per system, as a system's
    figure is corrected by its own answers. Items are queued in the order drawn, so whatever people
    have reviewed so far is a random sample of the answers, and the order reveals nothing about the
    system. `suggestions` says when the labels of `judge`, else of the last one to label the answer,
    are shown, also in existing items that are not complete. Raises UserError for `by` without
    permission, for an unknown setting, for a judge without labels and for a system without answers.
    """
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        held = setting_in(session, project.id)
        setting = held if suggestions is None else setting_called(suggestions)
        if setting != held:
            show_newest(session, project.id, setting, ws.clock())
        labels = _shown_labels(session, project.id, judge)
        known = sorted({e.answer.system for e in compared_cases(session, project.id)})
        for name in systems:
            require_known("attribution_system", known, Where(field="system"), system=name)
        waiting = _waiting(session, project.id, labels if judge is not None else None)
        waiting = [each for each in waiting if not systems or each.answer.system in systems]
        digests = blind_digests(session, project.id)
        ranked = sorted(
            waiting, key=lambda each: seeded_hash(seed, "attribution", digests[each.answer.id])
        )
        subjects = [
            Subject(
                each.number,
                blind_name(each.answer.external_id, digests[each.answer.id]),
                each.answer.question[:_TITLE],
                {"suggestions": str(setting), "labels": labels.get(each.number, 0)},
            )
            for each in _first_cases(ranked, sample, each_system)
        ]
        add_items(session, project.id, Task.ATTRIBUTION, subjects, ws.clock())
        return replace(_counts(session, project.id), added=len(subjects))


def _first_cases(
    ranked: Sequence[ClaimsBeside], sample: int | None, each_system: bool
) -> list[ClaimsBeside]:
    """Return the first `sample` cases, per system if wanted; all without a number."""
    taken: Counter[str] = Counter()
    found = []
    for each in ranked:
        group = each.answer.system if each_system else ""
        if sample is None or taken[group] < sample:
            taken[group] += 1
            found.append(each)
    return found


def _counts(session: Session, project_id: int) -> ReviewCounts:
    """Count the answers that are review items, that could become one, and without claims."""
    newest = of_answers(compared_cases(session, project_id)).values()
    return ReviewCounts(
        len(shown_items(session, project_id, Task.ATTRIBUTION)),
        len(_waiting(session, project_id, None)),
        sum(not each.predicted for each in newest),
    )


def _waiting(
    session: Session, project_id: int, labelled: Mapping[int, int] | None
) -> list[ClaimsBeside]:
    """Return a case of each answer that has claims and no item; only `labelled` ones, if given.

    An answer split anew by a judge is an item again only where that judge is asked for.
    """
    cases = compared_cases(session, project_id)
    items = {each.subject_id for each in shown_items(session, project_id, Task.ATTRIBUTION)}
    if labelled is not None:
        found = of_answers(each for each in cases if each.number in labelled).values()
        return [each for each in found if each.predicted and each.number not in items]
    there = {each.answer.id for each in cases if each.number in items}
    found = of_answers(cases).values()
    return [each for each in found if each.predicted and each.answer.id not in there]


def _shown_labels(session: Session, project_id: int, judge: str | None) -> dict[int, int]:
    """Return the id of the labels that each case shows: of the named judge, else the newest."""
    rows = newest_labels(session, project_id)
    judges = sorted({name for _, name in rows})
    if judge is not None:
        require_known("attribution_judge", judges, Where(field="judge"), judge=judge)
    chosen = [(case, row) for (case, name), row in rows.items() if judge in (None, name)]
    return {case: row.id for case, row in sorted(chosen, key=lambda each: each[1].id)}
