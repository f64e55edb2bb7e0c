"""Report on curation: people's decisions on the questions, as shares with intervals.

Shares are of the decided questions, with Wilson's interval; disputed and waiting questions are
counted separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from annotation.curation.state import LEVELS, SPEC, Fate
from annotation.people.roles import Act, reading_as
from evaluation.figure import Figure, share_figure
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from messages import say
from normalization.grouping import grouped
from services.curation.items import QuestionLine, lines_in
from storage.cascade.names import Labels, label_in, names_in
from storage.curation import admissions, listed_units, questions
from storage.db.workspace import Workspace

DECIDED = (Fate.KEPT, Fate.EDITED, Fate.REJECTED)


@dataclass(frozen=True, slots=True)
class CurationReport:
    """What the report is made of.

    `lines` are all augmented questions, `listed` the provisions that their gold listed at first,
    by id. `admitted` counts those that are questions of the project. `types` are the display names
    of question types.
    """

    lines: list[QuestionLine]
    listed: Mapping[int, Sequence[str]]
    admitted: int
    types: Labels

    @property
    def inside(self) -> list[QuestionLine]:
        """The questions that have come to curation, admitted ones among them."""
        return [line for line in self.lines if line.stage not in ("unseen", "held", "through")]

    @property
    def decided(self) -> list[QuestionLine]:
        """Those that people kept, edited or rejected."""
        return [line for line in self.inside if line.state.fate in DECIDED]

    @property
    def accepted(self) -> list[QuestionLine]:
        """Those that people kept or edited."""
        return [line for line in self.decided if line.state.stands]

    @property
    def shares(self) -> list[Figure]:
        """Shares among the decided: of the accepted, the kept, the edited and the rejected."""
        counts = Counter(str(line.state.fate) for line in self.decided)
        counts["accepted"] = len(self.accepted)
        names = ("accepted", *DECIDED)
        return [share_figure(name, counts[name], len(self.decided)) for name in names]

    @property
    def as_written(self) -> Figure:
        """Share of the accepted questions that are at the level they were written for."""
        same = sum(line.target == line.state.difficulty for line in self.accepted)
        return share_figure("as_written", same, len(self.accepted))


def curation_report(ws: Workspace, project_slug: str, by: int | None = None) -> CurationReport:
    """Return people's decisions on augmented questions. Raises UserError without permission."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return CurationReport(
            lines_in(session, project.id),
            listed_units(session, questions(session, project.id)),
            len(admissions(session, project.id)),
            names_in(session, project.id).types,
        )


def as_report(
    found: CurationReport, language: str, causes: Mapping[str, str] = MappingProxyType({})
) -> Report:
    """Return the report in a language; `causes` are the codebook's names of causes by key."""
    kinds = {"value": Kind.SHARE, "accepted": Kind.SHARE}
    words = Words("curation_report", language, kinds=kinds)
    accepted, open_ = found.shares[0], len(found.inside) - len(found.decided)
    figures = {"share": accepted.percent(), "n": accepted.n, "open": open_}
    sections = (
        _funnel(found, words),
        _fates(found, words.with_heads("stage")),
        _outcomes(found, words),
        _disputes(found, words),
        _cells(found, words),
        _levels(found, words),
        _causes(found, words, causes),
        _provisions(found, words),
    )
    lead = words("accepted_lead", **figures) if accepted.n else words("none_decided")
    facts = {"questions": len(found.lines), "admitted": found.admitted}
    return Report("curation", words("title"), sections, lead, facts=facts)


def _funnel(found: CurationReport, words: Words) -> Section:
    """Count the questions by stage, from generation to admission."""
    counts = {
        "written": len(found.lines),
        "given_out": len(found.inside),
        "decided": len(found.decided),
        "accepted": len(found.accepted),
        "in_project": found.admitted,
    }
    rows = ({"state": words.word(name), "count": count} for name, count in counts.items())
    chart = Chart(Shape.FUNNEL, ("state",), ("count",), legend=words("questions"))
    return words.section("funnel", "table.funnel", rows, chart=chart)


def _fates(found: CurationReport, words: Words) -> Section:
    """Return the questions in curation by outcome."""
    fates = Counter(line.state.fate for line in found.inside)
    row = {"state": words.word("given_out")} | {str(fate): fates[fate] for fate in Fate}
    chart = Chart(Shape.STACK, ("state",), tuple(Fate), legend=words("questions"))
    return words.section("fates", "table.fates", [row] if fates else [], chart=chart)


def _outcomes(found: CurationReport, words: Words) -> Section:
    """Return the shares of decided questions, and of accepted ones that kept their level."""
    rows = _figures({words.word(e.name, "share."): e for e in (*found.shares, found.as_written)})
    chart = Chart(Shape.FOREST, ("measure",), ("value",))
    return words.section("shares", "table.shares", rows, "", chart, (words("interval"),))


def _figures(figures: Mapping[Word, Figure]) -> list[dict[str, object]]:
    """Return a row of each figure that has observations."""
    return [
        {"measure": name, "value": figure, "n": figure.n}
        for name, figure in figures.items()
        if figure.n
    ]


def _disputes(found: CurationReport, words: Words) -> Section:
    """Return how often reviewers agreed on a question of several, and what they disputed."""
    complete = (line.state for line in found.inside if line.state.fate is not Fate.WAITING)
    several = [state for state in complete if len(state.annotation_ids) > 1]
    disputed = Counter(dispute for state in several for dispute in state.disputes)
    agreed = share_figure("agreed", sum(not state.disputes for state in several), len(several))
    figures = {words.word("agreed"): agreed} | {
        Word(name, say(f"curation_settle.dispute.{name}", words.language)): share_figure(
            name, disputed[name], len(several)
        )
        for name in SPEC.reasons
    }
    lead = words("agreed_lead", share=agreed.percent(), n=agreed.n) if agreed.n else ""
    chart = Chart(Shape.FOREST, ("measure",), ("value",))
    return words.section("differing", "table.differing", _figures(figures), lead, chart)


def _cells(found: CurationReport, words: Words) -> Section:
    """Count the decisions by type and level."""
    by_cell = grouped(((line.type, line.target), line.state.fate) for line in found.decided)
    rows = (
        {
            "type": Word(kind, label_in(kind, found.types, words.language)) if kind else None,
            "target": target or None,
            "accepted": share_figure("accepted", len(fates) - rejected, len(fates)),
            "decided": len(fates),
            **{str(fate): fates.count(fate) for fate in DECIDED},
        }
        for (kind, target), fates in sorted(by_cell.items())
        for rejected in [fates.count(Fate.REJECTED)]
    )
    chart = Chart(Shape.FOREST, ("type", "target"), ("accepted",))
    return words.section("cells", "table.cells", rows, chart=chart)


def _levels(found: CurationReport, words: Words) -> Section:
    """Count the accepted questions by requested and judged level."""
    counts = Counter((line.target, line.state.difficulty) for line in found.accepted)
    rows = (
        {"target": target, "found": level, "count": counts[target, level]}
        for target in sorted({target for target, _ in counts})
        for level in LEVELS
    )
    same = found.as_written
    lead = words("same_level", share=same.percent(), n=same.n) if same.n else ""
    chart = Chart(Shape.HEAT, ("found", "target"), ("count",))
    return words.section("levels", "table.levels", rows, lead, chart)


def _causes(found: CurationReport, words: Words, names: Mapping[str, str]) -> Section:
    """Count the causes of edits and rejections; several on one question all count."""
    counts = Counter(
        (str(line.state.fate), cause) for line in found.decided for cause in line.state.causes
    )
    rows = (
        {
            "cause": Word(cause, names.get(cause, cause)),
            "fate": words.word(fate, "stage."),
            "count": count,
        }
        for (fate, cause), count in sorted(
            counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1])
        )
    )
    chart = Chart(Shape.STACK, ("cause",), ("count",), "fate")
    return words.section("causes", "table.causes", rows, chart=chart)


def _provisions(found: CurationReport, words: Words) -> Section:
    """Count the provisions listed at first, and those that people kept and added."""
    before = [(set(found.listed[line.id]), set(line.state.gold)) for line in found.accepted]
    counts = {
        "listed": sum(len(was) for was, _ in before),
        "belong": sum(len(was & now) for was, now in before),
        "added": sum(len(now - was) for was, now in before),
    }
    there = any(counts.values())
    rows = ({"provisions": words.word(n, "gold."), "count": count} for n, count in counts.items())
    lead = words("gold_note", **counts) if there else ""
    chart = Chart(Shape.FUNNEL, ("provisions",), ("count",))
    return words.section("gold", "table.gold", rows if there else (), lead, chart)
