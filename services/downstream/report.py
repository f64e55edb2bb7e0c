"""Report on downstream accuracy: how much contexts help a model to answer.

Accuracy by context and model; the share of the gap between no context and gold that each context
closes; retrieval scores of the run behind a context on the same questions; paired tests between
contexts (Zheng et al. 2025, §5.4, Tables 30 to 34).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from construction.answers import Kind
from errors import Where, require_known
from evaluation.downstream import (
    Gap,
    Groups,
    Of,
    Outcome,
    accuracy,
    compare,
    counts,
    gap,
    scores,
)
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Comparison, columns, strata
from evaluation.ranking.scoring import Measure
from normalization.grouping import grouped
from services.downstream.reading import Setting, read_material
from services.runs.rows import scored_runs
from services.runs.strata import Stratum, questions_of
from storage.db.workspace import Workspace
from storage.projects import project_by_slug
from storage.runs.run_store import list_runs

MEASURES = (Measure("Recall", 10), Measure("nDCG", 10))
AGAINST = ("none", "all")
ORDER = (Kind.NONE, Kind.ROLLOUT, Kind.PSEUDO, Kind.RUN, Kind.ORACLE, Kind.PURE_ORACLE, Kind.GOLD)
_CEILINGS = (Kind.GOLD, Kind.PURE_ORACLE)  # in order of preference
Scored = Mapping[int, Mapping[str, Mapping[str, float | None]]]
"""Stored run → question → measure → value."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options of the report.

    `verdicts` is the scorer of text answers (`services.downstream.reading`), `tops` the numbers of
    single passages whose most confident answer counts: default TOPS and as many as were asked.
    `stratum` limits the questions, `split` adds figures per value of a column. With `common` only
    questions count to which the model replied under every context. `against` compares each context
    with none, or all pairs.
    """

    verdicts: str = ""
    tops: tuple[int, ...] = ()
    stratum: Stratum | None = None
    split: str = ""
    common: bool = False
    against: str = AGAINST[0]


@dataclass(frozen=True, slots=True)
class Line:
    """A model under one context.

    `outcomes` counts the questions by outcome. `place` is ``base`` without context, ``ceiling``
    with the gold, the ends of the gap; else "" with a `gap`. `retrieval` are the run's scores on
    the counted questions, by measure; empty without a run. `fewer` counts questions asked with
    fewer passages than `setting.top`.
    """

    setting: Setting
    place: str
    outcomes: Mapping[Outcome, int]
    accuracy: Mapping[Of, Figure]
    gap: Mapping[Of, Gap]
    retrieval: Mapping[str, Figure]
    fewer: int


Tests = Mapping[tuple[str, str], Comparison]
"""The second setting of each pair against the first."""


@dataclass(frozen=True, slots=True)
class DownstreamReport:
    """The whole report; `parts` are the lines per stratum of the split column.

    `questions` can be scored by a key, `unkeyed` answers chose an option of one that cannot.
    `columns` are those that split the questions, with values.
    """

    wanted: Wanted
    questions: int
    unkeyed: int
    lines: tuple[Line, ...]
    tests: Mapping[Of, Tests]
    parts: Mapping[str, tuple[Line, ...]]
    judges: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]

    def named(self, name: str) -> Setting:
        """Return the setting of that name. Raises KeyError for an unknown one."""
        return next(line.setting for line in self.lines if line.setting.name == name)


def downstream_report(
    ws: Workspace, project_slug: str, wanted: Wanted | None = None, by: int | None = None
) -> DownstreamReport:
    """Return the report on how much contexts help models to answer; strata have no tests.

    Raises UserError for `by` who may not read others' labels, and for an unknown judge, column,
    stratum, number of passages or kind of comparison.
    """
    wanted = wanted or Wanted()
    require_known("downstream_against", AGAINST, Where(field="against"), name=wanted.against)
    material = read_material(ws, project_slug, wanted.verdicts, wanted.tops, by)
    split = {name: strata(material.columns, name) for name in columns(material.columns)}
    if wanted.split:
        require_known("column_unknown", split, name=wanted.split)
    scored = _run_scores(ws, project_slug, material.settings)
    among = set(material.questions)
    if wanted.stratum is not None:
        among &= questions_of([material.columns], wanted.stratum)[0]
    settings = _ordered(_within(material.settings, among, wanted.common))
    groups = material.groups
    return DownstreamReport(
        wanted=wanted,
        questions=len(among & material.keys.keys()),
        unkeyed=material.unkeyed,
        lines=_lines(settings, groups, scored),
        tests={of: _tests(settings, wanted.against, of, groups) for of in Of},
        parts={
            value: _lines(_within(settings, among.intersection(questions)), groups, scored)
            for value, questions in split.get(wanted.split, {}).items()
            if among.intersection(questions)
        },
        judges=material.judges,
        columns={name: tuple(values) for name, values in split.items()},
    )


def _run_scores(ws: Workspace, slug: str, settings: Iterable[Setting]) -> Scored:
    """Return the scores of the runs behind contexts, on their snapshots' current gold."""
    wanted = {each.spec.run_id for each in settings if each.spec.kind is Kind.RUN}
    project = project_by_slug(ws, slug)
    with ws.reading() as session:
        there = [run.id for run in list_runs(session, project.id) if run.id in wanted]
    found = scored_runs(ws, slug, MEASURES, there).runs if there else ()
    return {line.run_id: scored.evaluation.table for line, scored in found}


def _within(
    settings: Sequence[Setting], among: Collection[str], common: bool = False
) -> list[Setting]:
    """Limit settings to the questions `among`; `common`: to those replied to in all contexts."""
    cut = [
        replace(each, outcomes={q: o for q, o in each.outcomes.items() if q in among})
        for each in settings
    ]
    if not common:
        return cut
    shared: dict[tuple[str, str, str], set[str]] = {}
    for each in cut:
        replied = {q for q, outcome in each.outcomes.items() if not outcome.missing}
        shared[each.reader] = shared.get(each.reader, replied) & replied
    return [
        replace(each, outcomes={q: o for q, o in each.outcomes.items() if q in shared[each.reader]})
        for each in cut
    ]


def _ordered(settings: Iterable[Setting]) -> list[Setting]:
    """Sort the settings by model, then from none to gold, then by run and passages."""
    return sorted(
        settings,
        key=lambda each: (
            each.reader,
            ORDER.index(each.spec.kind),
            each.spec.run_id or 0,
            each.top,
            each.run.id,
        ),
    )


def _by_reader(settings: Iterable[Setting]) -> Iterator[list[Setting]]:
    """Yield the settings that share model, answer format and scorer."""
    yield from grouped((each.reader, each) for each in settings).values()


def _lines(settings: Iterable[Setting], groups: Groups, scored: Scored) -> tuple[Line, ...]:
    """Return the figures of each setting, compared among those of its reader."""
    return tuple(
        _line(each, some, groups, scored) for some in _by_reader(settings) for each in some
    )


def _latest_of_kind(settings: Iterable[Setting], kind: Kind) -> Setting | None:
    """Return the latest setting of a kind that showed the whole context."""
    some = [each for each in settings if each.spec.kind is kind and not each.top]
    return max(some, key=lambda each: each.run.id, default=None)


def _line(each: Setting, among: Sequence[Setting], groups: Groups, scored: Scored) -> Line:
    """Return a setting's figures, with the share of the gap it closes."""
    base = _latest_of_kind(among, Kind.NONE)
    ceiling = next(filter(None, (_latest_of_kind(among, kind) for kind in _CEILINGS)), None)
    place = "base" if each is base else "ceiling" if each is ceiling else ""
    sides = [None if side is None else side.outcomes for side in (base, ceiling)]
    return Line(
        setting=each,
        place=place,
        outcomes=counts(each.outcomes),
        accuracy={of: accuracy(each.outcomes, of, groups) for of in Of},
        gap={
            of: gap(sides[0], each.outcomes, sides[1], of, groups)
            for of in Of
            if not place and each.spec.kind is not Kind.NONE
        },
        retrieval=_retrieval(each, scored),
        fewer=sum(0 < each.picked[q].seen < each.top for q in each.outcomes if each.top),
    )


def _retrieval(each: Setting, scored: Scored) -> dict[str, Figure]:
    """Return the scores, on counted questions, of the run behind a context; {} without a run."""
    table = scored.get(each.spec.run_id or 0)
    if table is None or each.spec.kind is not Kind.RUN:
        return {}
    rows = [table[question] for question in scores(each.outcomes, Of.ALL) if question in table]
    return {
        repr(measure): mean_figure(repr(measure), [row[repr(measure)] for row in rows])
        for measure in MEASURES
    }


def _tests(settings: Sequence[Setting], against: str, of: Of, groups: Groups) -> Tests:
    """Compare each model's contexts with none, or all pairs (`against`), corrected together."""
    pairs = [
        (one.name, other.name)
        for some in _by_reader(settings)
        for one, other in combinations(some, 2)
        if against == "all" or one is _latest_of_kind(some, Kind.NONE)
    ]
    return compare({each.name: each.outcomes for each in settings}, pairs, of, groups)
