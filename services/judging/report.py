"""Report on judges: agreement with people, and accuracies corrected by the judges' errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.judging.state import (
    CaseState,
    Outcome,
    all_judged,
    by_judges,
    judges_of,
    pairs,
    ratings_of,
    states,
)
from annotation.people.roles import Act, reading_as
from errors import UserError
from evaluation.figure import Figure, share_of
from evaluation.judging.accuracy import (
    LEAST_OTHERS,
    LEAST_RATED,
    LEAST_SETTLED,
    Accuracy,
    HumanSample,
    Withheld,
    accuracy,
    human_sample,
)
from evaluation.judging.estimate import (
    Between,
    Pair,
    PositionBias,
    all_people,
    judge_and_people,
    pairs_of_people,
    position_bias,
)
from evaluation.judging.judged import (
    MAJORITY,
    Group,
    Judged,
    Matrix,
    Shares,
    by_kind,
    by_length,
    shares,
)
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.tables.answers import JudgeCase, Verdict
from storage.tables.core import Annotation, Settlement, UndoneDecision

_MADE_OF = (
    JudgeCase,
    Verdict,
    Annotation,
    Settlement,
    UndoneDecision,
)  # append-only tables


@dataclass(frozen=True, slots=True)
class Progress:
    """Number of answers, and people's progress with them."""

    cases: int
    rated: int
    differ: int
    settled: int
    reviewed: int


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
class PairLine:
    """A pairwise judge on two systems; `against` is "" for the official answers."""

    judge: str
    system: str
    against: str
    bias: PositionBias


@dataclass(frozen=True, slots=True)
class Category:
    """Number of reviews that name a category, by the judge's error."""

    key: str
    over: int
    under: int
    fair: int


@dataclass(frozen=True, slots=True)
class Common:
    """The `answers` judged by every judge of the report, `found` of which people settled.

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
    judges. `people_alone` is people's verdict on each system, whichever judges are chosen.
    """

    system: str | None
    systems: tuple[str, ...]
    progress: Progress
    known: tuple[str, ...]
    common: Common
    judges: tuple[JudgeLine, ...]
    people_alone: tuple[tuple[str, HumanSample], ...]
    people: Between
    people_pairs: tuple[Between, ...]
    positions: tuple[PairLine, ...]
    estimates: Mapping[str, int]
    categories: tuple[Category, ...]


def report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    system: str | None = None,
    judges: Sequence[str] = (),
) -> JudgeReport:
    """Return the report on a project's judges, or on the named ones.

    Raises UserError for `by` without permission, for an unknown project, and for an unknown system
    or judge.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = states(session, project.id)
        preferences = pairs(session, project.id)
    systems = tuple(sorted({each.case.system for each in found}))
    if system is not None and system not in systems:
        there = ", ".join(systems) or "–"
        raise UserError("judging_system_unknown", system=system, known=there)
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
        positions=_positions(preferences, system),
        estimates=dict(sorted(Counter(e.review.estimate for e in chosen if e.review).items())),
        categories=_categories(chosen),
    )


def _progress(found: Sequence[CaseState]) -> Progress:
    count = Counter(each.outcome for each in found)
    return Progress(
        cases=len(found),
        rated=sum(bool(each.ratings) for each in found),
        differ=count[Outcome.DIFFER],
        settled=count[Outcome.SETTLED],
        reviewed=count[Outcome.REVIEWED],
    )


def _common_counts(common: Sequence[CaseState]) -> Common:
    found = [each for each in common if each.people is not None]
    tied = [each for each in found if each.tied]
    return Common(
        answers=len(common),
        found=len(found),
        ties=share_of("ties", [each.tied for each in found], _questions(found)),
        ties_correct=share_of("ties_correct", [each.people for each in tied], _questions(tied)),
    )


def _questions(found: Sequence[CaseState]) -> list[str]:
    return [each.case.external_id for each in found]


def _judge(name: str, found: Sequence[CaseState], common: Sequence[CaseState]) -> JudgeLine:
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
    theirs: dict[str, list[Judged]] = {}
    for each in found:
        for said in each.first:
            judged = replace(each.judged(name), people=said.correct)
            theirs.setdefault(said.person, []).append(judged)
    return [(person, judge_and_people(theirs[person])) for person in sorted(theirs)]


def _accuracies(name: str, found: Sequence[CaseState]) -> Iterable[tuple[str, Accuracy]]:
    for system, own in _by_system(found):
        yield system, accuracy([each.judged(name) for each in own])


def _people_alone(
    found: Sequence[CaseState], judges: Sequence[str]
) -> Iterable[tuple[str, HumanSample]]:
    """Yield people's accuracy per system, independent of the judges chosen."""
    doubted = {
        system
        for judge in judges
        for system, each in _accuracies(judge, found)
        if each.withheld is Withheld.SETTLED_BY_CHOICE
    }
    for system, own in _by_system(found):
        yield system, human_sample([each.judged("") for each in own], system in doubted)


def _by_system(found: Sequence[CaseState]) -> list[tuple[str, list[CaseState]]]:
    of_system: dict[str, list[CaseState]] = {}
    for each in found:
        of_system.setdefault(each.case.system, []).append(each)
    return sorted(of_system.items())


def _positions(
    preferences: Mapping[tuple[str, str, str], Sequence[Pair]], system: str | None
) -> tuple[PairLine, ...]:
    return tuple(
        PairLine(judge, of, against, position_bias(said))
        for (judge, of, against), said in preferences.items()
        if system is None or system in (of, against)
    )


def _categories(found: Sequence[CaseState]) -> tuple[Category, ...]:
    """Return the categories of reviews, most frequent first, then by key."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in found:
        if each.review is not None:
            counts.update((key, each.review.estimate) for key in each.review.categories)
    lines = [
        Category(key, *(counts[key, estimate] for estimate in ("over", "under", "fair")))
        for key in {key for key, _ in counts}
    ]
    return tuple(sorted(lines, key=lambda line: (-line.over - line.under - line.fair, line.key)))


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the report may change.

    Raises UserError for `by` without permission, and for an unknown project.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _, _):
        return newest_ids(session, _MADE_OF)


def doubt_of_people(system: str, found: HumanSample) -> tuple[str, dict[str, str]] | None:
    """Return message key under ``judge_report.page`` and parameters: why `people` is withheld."""
    if found.withheld is None:
        return None
    return found.withheld.value, {"system": system} | _dispute_params(found)


def doubt(system: str, found: Accuracy) -> tuple[str, dict[str, str]] | None:
    """Return message key and parameters: why corrected figures are withheld or lack an interval.

    Keys are under ``judge_report.page``. None also where people have not settled enough, which is
    reported once, not per judge (`doubt_of_people`).
    """
    told: dict[str, str] = {"system": system}
    if found.withheld in (Withheld.UNSETTLED, Withheld.SETTLED_BY_CHOICE):
        return None
    if found.withheld is None:
        return ("few", told | {"count": str(found.differing)}) if found.few else None
    if found.withheld is Withheld.NOT_RANDOM:
        told |= {
            "inside": _percent(found.sampled.value),
            "outside": _percent(found.unsampled.value),
        }
        told |= {"p": f"{found.p_random or 0:.2g}"}
    if found.withheld is Withheld.TOO_FEW:
        told |= {"least": str(LEAST_RATED), "others": str(LEAST_OTHERS)}
    return found.withheld.value, told


def _dispute_params(found: HumanSample) -> dict[str, str]:
    low, high = found.bounds or (0.0, 1.0)
    disputed, rated = found.found.n + found.waiting, found.disputed.n
    counts = {"disputed": disputed, "rated": rated, "settled": found.found.n}
    shares = {"low": _percent(low), "high": _percent(high), "least": str(LEAST_SETTLED)}
    return {name: f"{count:,}" for name, count in counts.items()} | shares


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
