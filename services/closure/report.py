"""Report on probably incomplete gold: queue, counts by rule, and decisions.

The Closure page and the command line both use these functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from annotation.closure.gold_sets import KINDS, Kind
from annotation.closure.proposals import (
    CheckedSet,
    Scope,
    State,
    checked_sets,
    scope_of,
)
from annotation.people.roles import Act, reading_as
from annotation.work.editions import clean, line_diff
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.engine import unknown_units
from construction.closure.rules import parse
from errors import UserError, Where
from evaluation.figure import Figure, share_figure
from storage.closure.stored_law import StoredLaw
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot

ALL_RULES = ""  # key of the figure over all rules


@dataclass(frozen=True, slots=True)
class RuleCount:
    """Number of gold sets that lack a provision by a rule (key ``""``: by any).

    `lacking` is their share with n and interval, without dismissed proposals. `provisions` counts
    proposals not dismissed, `dismissed` the dismissed ones.
    """

    rule: str
    label: Mapping[str, str]
    lacking: Figure
    provisions: int
    dismissed: int


@dataclass(frozen=True, slots=True)
class ClosureReport:
    """Results of rules version `number` on a project's gold in the law in use.

    `sets` are all gold sets requested, `problems` pairs (key of the rule or domain, unit id) for
    units in the rules that the law lacks.
    """

    snapshot_id: int
    number: int
    sets: tuple[CheckedSet, ...]
    counts: tuple[RuleCount, ...]
    problems: tuple[tuple[str, str], ...]
    labels: Mapping[str, Mapping[str, str]]

    @property
    def queue(self) -> tuple[CheckedSet, ...]:
        """Gold sets with proposals, decided or not."""
        return tuple(each for each in self.sets if each.proposals)

    @property
    def states(self) -> Counter[State]:
        """Number of gold sets with a proposal in each state."""
        return Counter(state for found in self.sets for state in found.states)


def check(
    ws: Workspace,
    slug: str,
    by: int | None = None,
    *,
    question: str = "",
    kinds: Collection[Kind] = KINDS,
) -> ClosureReport:
    """Return the current rules' results on the project's gold, or on one question.

    `question` is its external id. Raises UserError for `by` who may not read others' labels, a
    project without law, and a question without a gold set.
    """
    with reading_as(ws, slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        scope = scope_of(session, project)
        return _report(scope, _sets_of_question(checked_sets(scope, kinds), question))


@dataclass(frozen=True, slots=True)
class Changes:
    """Effects of other rules.

    `counts` are the numbers of gold sets that lack something (not dismissed) by any rule, before
    and after; `problems` as in `ClosureReport`, after. `diff` compares the texts line by line.
    """

    counts: tuple[int, int]
    provisions: tuple[int, int]
    by_rule: Mapping[str, tuple[int, int]]
    problems: tuple[tuple[str, str], ...]
    diff: str


def changes(ws: Workspace, slug: str, text: str, by: int | None = None) -> Changes:
    """Return the effects of replacing the rules by `text`, without doing it.

    Raises UserError, with the line, for an invalid text, and as `check` does.
    """
    text = clean(text)
    new = parse(text)
    with reading_as(ws, slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        before = CLOSURE_RULES.text_in(session, project.id)[1]
        now, then = (
            _report(scope, checked_sets(scope))
            for scope in (scope_of(session, project), scope_of(session, project, new))
        )
    return Changes(
        counts=(_lacking(now), _lacking(then)),
        provisions=(now.counts[0].provisions, then.counts[0].provisions),
        by_rule=_by_rule(now, then),
        problems=then.problems,
        diff=line_diff(before, text),
    )


@dataclass(frozen=True, slots=True)
class ProvisionWords:
    """A provision for display: name, heading, text and language."""

    unit: str
    place: str
    heading: str
    text: str
    language: str


def provisions(
    ws: Workspace, slug: str, units: Collection[str], by: int | None = None
) -> dict[str, ProvisionWords]:
    """Return provisions of the law in use for display, by id; unknown ones are left out.

    Raises UserError for an unknown project, and for one without law.
    """
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        law = StoredLaw(session, required_snapshot(session, project).id)
        found = {}
        for name in sorted(set(units)):
            if (unit := law.unit(name)) is not None:
                language = "en" if unit.text.isascii() else "ko"
                words = law.place(name), unit.heading, unit.text, language
                found[name] = ProvisionWords(unit.semantic_id, *words)
        return found


def _sets_of_question(found: list[CheckedSet], question: str) -> list[CheckedSet]:
    """Return the gold sets of a question, "" for all. Raises UserError for an unknown one."""
    if not question:
        return found
    chosen = [each for each in found if each.case.external_id == question]
    if not chosen:
        raise UserError("closure_set_gone", Where(field="question"), question=question[:100])
    return chosen


def _report(scope: Scope, sets: Collection[CheckedSet]) -> ClosureReport:
    """Return the report on all sets; its counts are of sets with final gold, by rule."""
    labels = {rule.key: rule.label for rule in scope.rules.rules}
    closed = [each for each in sets if each.case.settled]
    counts = [_rule_count(closed, ALL_RULES, {})]
    counts += [_rule_count(closed, key, label) for key, label in labels.items()]
    problems = tuple(unknown_units(scope.rules, scope.law))
    about = scope.snapshot_id, scope.rules_number, tuple(sets)
    return ClosureReport(*about, tuple(counts), problems, labels)


def _rule_count(sets: Collection[CheckedSet], rule: str, label: Mapping[str, str]) -> RuleCount:
    """Count the sets that lack a provision by a rule ("": any), and its proposals."""
    lacking = sum(each.lacking(rule) for each in sets)
    proposed = [
        each for found in sets for each in found.proposals if not rule or rule in each.rules
    ]
    dismissed = sum(each.state == "dismissed" for each in proposed)
    figure = share_figure(rule or "any", lacking, len(sets))
    return RuleCount(rule, label, figure, len(proposed) - dismissed, dismissed)


def _lacking(report: ClosureReport) -> int:
    """Count the sets with final gold that lack a provision."""
    return sum(each.lacking() for each in report.sets if each.case.settled)


def _by_rule(now: ClosureReport, then: ClosureReport) -> dict[str, tuple[int, int]]:
    """Return, by rule, the number of provisions proposed in the first and in the second report."""
    before, after = ({each.rule: each.provisions for each in one.counts} for one in (now, then))
    keys = [key for key in dict.fromkeys((*before, *after)) if key]
    return {key: (before.get(key, 0), after.get(key, 0)) for key in keys}
