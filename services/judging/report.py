"""Report on judges: agreement with people, and accuracies corrected by the judges' errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.judging.forms import CATEGORIES, ESTIMATE
from annotation.judging.state import (
    CaseState,
    Compared,
    Outcome,
    all_judged,
    by_judges,
    judges_of,
    pairs,
    rated_correct,
    ratings_of,
    states,
)
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import Submission
from errors import require_known
from evaluation.figure import Figure, share_of
from evaluation.judging.accuracy import (
    Accuracy,
    HumanSample,
    Withheld,
    accuracy,
    human_sample,
)
from evaluation.judging.estimate import (
    Between,
    PositionBias,
    all_people,
    judge_and_people,
    pairs_of_people,
    position_bias,
)
from evaluation.judging.judged import (
    MAJORITY,
    Group,
    Matrix,
    Shares,
    by_kind,
    by_length,
    shares,
)
from normalization.grouping import grouped
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.tables.answers import JudgeCase, Verdict
from storage.tables.core import Annotation, Settlement, UndoneDecision

ESTIMATES = ("over", "under", "fair")
_MADE_OF = (
    JudgeCase,
    Verdict,
    Annotation,
    Settlement,
    UndoneDecision,
)  # append-only tables


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """One judge, or the majority, on the answers judged by every judge of the report.

    Of all answers, `said` counts those it judged, `silent` those asked without a readable verdict,
    `ties` those where several judges are tied. `raters` is its agreement with each single person.
    `accuracies` are its corrected accuracies per system.
    """

    judge: str
    said: int
    silent: int
    ties: int
    matrix: Matrix
    shares: Shares
    between: Between
    raters: tuple[tuple[str, Between], ...]
    kinds: tuple[Group, ...]
    lengths: tuple[Group, ...]
    accuracies: tuple[tuple[str, Accuracy], ...]


@dataclass(frozen=True, slots=True)
class Common:
    """The `answers` judged by every judge of the report, `found` of which people decided.

    `ties` is the share of the latter with as many correct as incorrect verdicts, and `ties_correct`
    the share of these that people find correct.
    """

    answers: int
    found: int
    ties: Figure
    ties_correct: Figure


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """The whole report; `system` is its subject, None for all together.

    `judges` are compared on the answers that all of them have judged (`common`); `known` are all
    judges. `progress` counts the answers, and those rated, differing, settled and reviewed.
    `positions` are the pairwise judges'; `categories` counts the reviews that name a category, by
    the judge's error. `people_alone` is people's verdict on each system, whichever judges are
    chosen.
    """

    system: str | None
    systems: tuple[str, ...]
    progress: Mapping[str, int]
    known: tuple[str, ...]
    common: Common
    judges: tuple[JudgeLine, ...]
    people_alone: tuple[tuple[str, HumanSample], ...]
    people: Between
    people_pairs: tuple[Between, ...]
    positions: Mapping[Compared, PositionBias]
    estimates: Mapping[str, int]
    categories: Mapping[str, Mapping[str, int]]


def report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    system: str | None = None,
    judges: Sequence[str] = (),
) -> JudgeReport:
    """Return the report on a project's judges, or the named ones, on one system's answers or all.

    Raises UserError for `by` without permission, for an unknown project, and for an unknown system
    or judge.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = states(session, project.id)
        preferences = pairs(session, project.id)
    systems = tuple(sorted({each.case.system for each in found}))
    if system is not None:
        require_known("judging_system_unknown", systems, system=system)
    chosen = [each for each in found if system in (None, each.case.system)]
    known = tuple(sorted({name for each in chosen for name in each.verdicts}))
    alone = tuple(_people_alone(chosen, known))
    chosen = by_judges(chosen, judges) if judges else chosen
    common = all_judged(chosen)
    ratings = ratings_of(chosen)
    questions = {each.id: each.case.external_id for each in chosen}
    return JudgeReport(
        system=system,
        systems=systems,
        progress=_progress(chosen),
        known=known,
        common=_common_counts(common),
        judges=tuple(_judge(name, chosen, common) for name in judges_of(chosen)),
        people_alone=alone,
        people=all_people(ratings, questions),
        people_pairs=tuple(pairs_of_people(ratings, questions)),
        positions={
            compared: position_bias(said)
            for compared, said in preferences.items()
            if system is None or system in compared[1:]
        },
        estimates=dict(
            sorted(Counter(each.answers[ESTIMATE] for each in _reviews(chosen)).items())
        ),
        categories=_categories(chosen),
    )


def _progress(found: Sequence[CaseState]) -> dict[str, int]:
    """Count all answers, and those rated, differing, decided by people and reviewed."""
    count = Counter(each.outcome for each in found)
    return {
        "cases": len(found),
        "rated": sum(bool(each.ratings) for each in found),
        **{each.value: count[each] for each in (Outcome.DIFFER, Outcome.SETTLED, Outcome.REVIEWED)},
    }


def _common_counts(common: Sequence[CaseState]) -> Common:
    """Count the common answers and those that people decided; ties are shares of the latter."""
    found = [each for each in common if each.people is not None]
    tied = [each for each in found if each.tied]
    return Common(
        answers=len(common),
        found=len(found),
        ties=share_of("ties", [each.tied for each in found], _questions(found)),
        ties_correct=share_of("ties_correct", [each.people for each in tied], _questions(tied)),
    )


def _questions(found: Sequence[CaseState]) -> list[str]:
    """Return the question of each answer."""
    return [each.case.external_id for each in found]


def _judge(name: str, found: Sequence[CaseState], common: Sequence[CaseState]) -> JudgeLine:
    """Return a judge's figures on cases `common` to all judges, and its counts over all `found`."""
    judged = [each.judged(name) for each in common]
    all_ = [each.judged(name) for each in found]
    said = sum(each.judge is not None for each in all_)
    ties = sum(each.tied for each in all_)
    asked = sum(
        name in each.verdicts or (name == MAJORITY and bool(each.verdicts)) for each in found
    )
    return JudgeLine(
        judge=name,
        said=said,
        silent=asked - said - ties,
        ties=ties,
        matrix=Matrix.of(judged),
        shares=shares(judged),
        between=judge_and_people(judged),
        raters=tuple(_agreement_with_raters(name, common)),
        kinds=tuple(by_kind(judged)),
        lengths=tuple(by_length(judged)),
        accuracies=tuple(_accuracies(name, common)),
    )


def _agreement_with_raters(name: str, found: Sequence[CaseState]) -> list[tuple[str, Between]]:
    """Return a judge's agreement with each person."""
    judged = grouped(
        (said.person, replace(each.judged(name), people=rated_correct(said)))
        for each in found
        for said in each.first
    )
    return [(person, judge_and_people(own)) for person, own in sorted(judged.items())]


def _accuracies(name: str, found: Sequence[CaseState]) -> Iterable[tuple[str, Accuracy]]:
    """Return each system's accuracy by a judge, corrected by people's ratings."""
    for system, own in _by_system(found):
        yield system, accuracy([each.judged(name) for each in own])


def _people_alone(
    found: Sequence[CaseState], judges: Sequence[str]
) -> Iterable[tuple[str, HumanSample]]:
    """Yield people's accuracy per system, withheld if settled by choice under any of `judges`."""
    doubted = {
        system
        for judge in judges
        for system, each in _accuracies(judge, found)
        if each.withheld is Withheld.SETTLED_BY_CHOICE
    }
    for system, own in _by_system(found):
        yield system, human_sample([each.judged("") for each in own], system in doubted)


def _by_system(found: Sequence[CaseState]) -> list[tuple[str, list[CaseState]]]:
    """Group the answers by system."""
    return sorted(grouped((each.case.system, each) for each in found).items())


def _reviews(found: Sequence[CaseState]) -> list[Submission]:
    """Return the reviews of these answers."""
    return [each.review for each in found if each.review is not None]


def _categories(found: Sequence[CaseState]) -> dict[str, dict[str, int]]:
    """Count the reviews that name a category by estimate, most frequent first, then by key."""
    counts: dict[str, Counter[str]] = {}
    for review in _reviews(found):
        for key in review.answers.get(CATEGORIES) or ():
            counts.setdefault(key, Counter())[review.answers[ESTIMATE]] += 1
    order = sorted(counts, key=lambda key: (-counts[key].total(), key))
    return {key: {name: counts[key][name] for name in ESTIMATES} for key in order}


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the report may change.

    Raises UserError for `by` without permission, and for an unknown project.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _, _):
        return newest_ids(session, _MADE_OF)
