"""Report on curation: people's decisions on the questions, as shares with intervals.

Shares are of the decided questions, with Wilson's interval; disputed and waiting questions are
counted separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from annotation.curation.state import LEVELS, SPEC, Fate
from annotation.people.roles import Act, reading_as
from evaluation.figure import Figure, share_figure
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Sheet, Word, Words
from messages import say
from services.curation.items import QuestionLine, lines_in
from storage.cascade.names import Labels, label_in, names_in
from storage.curation import admissions, listed_units, questions
from storage.db.workspace import Workspace

DECIDED = (Fate.KEPT, Fate.EDITED, Fate.REJECTED)
_AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class CurationReport:
    """The whole report.

    `fates` counts every question in curation. `shares` are accepted (kept or edited), kept, edited
    and rejected, of those decided. `causes` counts (fate, cause) of edits and rejections. `levels`
    counts (requested level, level found) of accepted ones, `as_written` is the share with both
    equal. `cells` counts decisions by type and level. `gold` counts the provisions listed in their
    gold, those that belong, and those added. `differing` are the shares of questions that several
    people judged: agreed on throughout, and with a dispute of each kind. `types` are the display
    names of question types.
    """

    questions: int
    fates: dict[str, int]
    shares: list[Figure]
    causes: list[tuple[str, str, int]]
    levels: dict[tuple[str, str], int]
    as_written: Figure
    cells: dict[tuple[str, str], Counter[Fate]]
    gold: dict[str, int]
    admitted: int
    differing: list[Figure]
    types: Labels


def curation_report(ws: Workspace, project_slug: str, by: int | None = None) -> CurationReport:
    """Return the report. Raises UserError for who may not read others' labels."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        lines = lines_in(session, project.id)
        admitted = len(admissions(session, project.id))
        listed = listed_units(session, questions(session, project.id))
        types = names_in(session, project.id).types
    inside = [line for line in lines if line.stage not in ("unseen", "held", "through")]
    decided = [line for line in inside if line.state.fate in DECIDED]
    fates = Counter(line.state.fate for line in inside)
    right = {"accepted": fates[Fate.KEPT] + fates[Fate.EDITED]}
    right |= {str(fate): fates[fate] for fate in DECIDED}
    accepted = [line for line in decided if line.state.stands]
    levels = Counter((line.target, line.state.difficulty) for line in accepted)
    same = sum(count for (target, found), count in levels.items() if target == found)
    cells: dict[tuple[str, str], Counter[Fate]] = {}
    for line in sorted(decided, key=lambda line: (line.type, line.target)):
        cells.setdefault((line.type, line.target), Counter())[line.state.fate] += 1
    return CurationReport(
        questions=len(lines),
        fates={str(fate): fates[fate] for fate in Fate},
        shares=[share_figure(name, count, len(decided)) for name, count in right.items()],
        causes=_causes(decided),
        levels=dict(sorted(levels.items())),
        as_written=share_figure("as_written", same, len(accepted)),
        cells=cells,
        gold=_gold(accepted, listed),
        admitted=admitted,
        differing=_differing(inside),
        types=types,
    )


def _differing(inside: Iterable[QuestionLine]) -> list[Figure]:
    """Return the share of questions with several reviewers by what they dispute."""
    complete = (line.state for line in inside if line.state.fate is not Fate.WAITING)
    several = [state for state in complete if len(state.annotation_ids) > 1]
    found = Counter(dispute for state in several for dispute in state.disputes)
    agreed = sum(not state.disputes for state in several)
    counts = {_AGREED: agreed} | {dispute: found[dispute] for dispute in SPEC.reasons}
    return [share_figure(name, count, len(several)) for name, count in counts.items()]


def _causes(decided: Sequence[QuestionLine]) -> list[tuple[str, str, int]]:
    """Count the causes given; several on one question all count."""
    counted = Counter((line.state.fate, cause) for line in decided for cause in line.state.causes)
    rows = [(str(fate), cause, count) for (fate, cause), count in counted.items()]
    return sorted(rows, key=lambda row: (row[0], -row[2], row[1]))


def _gold(accepted: Sequence[QuestionLine], listed: Mapping[int, Sequence[str]]) -> dict[str, int]:
    """Count the provisions listed at first, and those that reviewers kept and added."""
    before = [(set(listed[line.id]), set(line.state.gold)) for line in accepted]
    return {
        "listed": sum(len(was) for was, _ in before),
        "belong": sum(len(was & now) for was, now in before),
        "added": sum(len(now - was) for was, now in before),
    }


def as_report(
    found: CurationReport, language: str, causes: Mapping[str, str] = MappingProxyType({})
) -> Report:
    """Return the report in a language; `causes` are the codebook's names of causes by key."""
    words = Words("curation_report", language)
    accepted, open_ = found.shares[0], found.fates[Fate.WAITING] + found.fates[Fate.DISPUTED]
    figures = {"share": accepted.percent(), "n": accepted.n, "open": open_}
    sections = (
        _funnel(found, words),
        _fates(found, words),
        _outcomes(found, words),
        _disputes(found, words),
        _cells_section(found, words),
        _levels(found, words),
        _causes_section(found, words, causes),
        _provisions(found, words),
    )
    lead = words("accepted_lead", **figures) if accepted.n else words("none_decided")
    facts = {"questions": found.questions, "admitted": found.admitted}
    return Report("curation", words("title"), sections, lead, facts=facts)


def _funnel(found: CurationReport, words: Words) -> Section:
    """Count the questions by stage, from generation to admission."""
    accepted = found.fates[Fate.KEPT] + found.fates[Fate.EDITED]
    counts = {
        "written": found.questions,
        "given_out": sum(found.fates.values()),
        "decided": accepted + found.fates[Fate.REJECTED],
        "accepted": accepted,
        "in_project": found.admitted,
    }
    rows = [{"state": words.word(name), "count": count} for name, count in counts.items()]
    chart = Chart(Shape.FUNNEL, ("state",), ("count",), legend=words("questions"))
    return Section("funnel", words("table.funnel"), Sheet.of(rows, words), chart=chart)


def _fates(found: CurationReport, words: Words) -> Section:
    """Return the questions in curation by outcome."""
    row: dict[str, object] = {"state": words.word("given_out"), **found.fates}
    chart = Chart(Shape.STACK, ("state",), tuple(Fate), legend=words("questions"))
    rows = [row] if any(found.fates.values()) else []
    sheet = Sheet.of(rows, words.with_heads("stage"))
    return Section("fates", words("table.fates"), sheet, chart=chart)


def _outcomes(found: CurationReport, words: Words) -> Section:
    """Return the shares of decided questions, and of accepted ones that kept their level."""
    figures = (*found.shares, found.as_written)
    chart = Chart(Shape.FOREST, ("measure",), ("value",))
    sheet = _figures_sheet({words.word(e.name, "share."): e for e in figures}, words)
    return Section("shares", words("table.shares"), sheet, "", chart, (words("interval"),))


def _figures_sheet(figures: Mapping[Word, Figure], words: Words) -> Sheet:
    """Return figures that have observations, one a row."""
    rows = (
        {"measure": name, "value": figure, "n": figure.n}
        for name, figure in figures.items()
        if figure.n
    )
    return Sheet.of(rows, words, {"value": Kind.SHARE})


def _disputes(found: CurationReport, words: Words) -> Section:
    """Return how often reviewers agreed on a question, and what they disputed."""
    agreed, *kinds = found.differing
    texts = {
        Word(each.name, say(f"curation_settle.dispute.{each.name}", words.language)): each
        for each in kinds
    }
    sheet = _figures_sheet({words.word(_AGREED): agreed} | texts, words)
    lead = words("agreed_lead", share=agreed.percent(), n=agreed.n) if agreed.n else ""
    chart = Chart(Shape.FOREST, ("measure",), ("value",))
    return Section("differing", words("table.differing"), sheet, lead, chart)


def _cells_section(found: CurationReport, words: Words) -> Section:
    rows = (
        {
            "type": Word(kind, label_in(kind, found.types, words.language)) if kind else None,
            "target": target or None,
            "accepted": share_figure("accepted", fates[Fate.KEPT] + fates[Fate.EDITED], decided),
            "decided": decided,
            **{str(fate): fates[fate] for fate in DECIDED},
        }
        for (kind, target), fates in found.cells.items()
        for decided in [fates.total()]
    )
    sheet = Sheet.of(rows, words, {"accepted": Kind.SHARE})
    chart = Chart(Shape.FOREST, ("type", "target"), ("accepted",))
    return Section("cells", words("table.cells"), sheet, chart=chart)


def _levels(found: CurationReport, words: Words) -> Section:
    """Count the accepted questions by requested and judged level."""
    same = found.as_written
    rows = (
        {"target": target, "found": level, "count": found.levels.get((target, level), 0)}
        for target in sorted({target for target, _ in found.levels})
        for level in LEVELS
    )
    lead = words("same_level", share=same.percent(), n=same.n) if same.n else ""
    chart = Chart(Shape.HEAT, ("found", "target"), ("count",))
    return Section("levels", words("table.levels"), Sheet.of(rows, words), lead, chart)


def _causes_section(found: CurationReport, words: Words, names: Mapping[str, str]) -> Section:
    rows = (
        {
            "cause": Word(cause, names.get(cause, cause)),
            "fate": words.word(fate, "stage."),
            "count": count,
        }
        for fate, cause, count in found.causes
    )
    chart = Chart(Shape.STACK, ("cause",), ("count",), "fate")
    return Section("causes", words("table.causes"), Sheet.of(rows, words), chart=chart)


def _provisions(found: CurationReport, words: Words) -> Section:
    """Count the provisions listed, kept and added."""
    counts = found.gold.items() if any(found.gold.values()) else ()
    rows = ({"provisions": words.word(n, "gold."), "count": count} for n, count in counts)
    lead = words("gold_note", **found.gold) if counts else ""
    chart = Chart(Shape.FUNNEL, ("provisions",), ("count",))
    return Section("gold", words("table.gold"), Sheet.of(rows, words), lead, chart)
