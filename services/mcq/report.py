"""The report on multiple-choice questions: what became of them, and how safely models answer.

Its tables are written as CSV, Markdown and LaTeX.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from sqlmodel import Session

from annotation.mcq.state import CAUSES, Fate
from annotation.people.roles import Act, reading_as
from construction.mcq.filters import Reason
from errors import UserError, Where
from evaluation.figure import Figure
from evaluation.mcq.safety import (
    Baseline,
    Change,
    Constant,
    Counts,
    Difference,
    SafetyRow,
    able_and_safe,
    baselines,
    between_models,
    between_settings,
    counts,
    table,
)
from evaluation.mcq.votes import Ballots, Key, Of, ReplyVote, Setting, Step, Vote, funnel, gathered
from evaluation.replies.outcomes import READER
from evaluation.tables import Table as TableModel
from evaluation.tables import csv_text, markdown_lines, written
from services.mcq.views import QuestionState, standing_questions, wordings_of
from services.models.workspace_models import model_names
from storage.db.workspace import Workspace
from storage.mcq.questions import makings, outcomes
from storage.mcq.votes import VoteView, read_votes, votes

SCOPES = ("all", "checked")
_FILTERS = ("invalid", "refused", *(reason.value for reason in Reason))


@dataclass(frozen=True, slots=True)
class Funnel:
    """How drafts became questions: `start` drafts, what each filter took out, and what people did.

    A question that people dropped counts under the weightiest of its causes. Of those left, people
    have kept or fixed some; the others are disputed or wait. `unfiltered` says for a filter how
    many of the drafts were made with it switched off; filters that met every draft are left out.
    """

    start: int
    filtered: tuple[Step, ...]
    dropped: tuple[Step, ...]
    fates: dict[str, int]
    unfiltered: dict[str, int]

    @property
    def left(self) -> int:
        """How many are left."""
        steps = (*self.filtered, *self.dropped)
        return steps[-1].left if steps else self.start


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model: how often it is both able and safe, and how much the provisions help it.

    All are shares `of` all or readable replies.
    """

    model: str
    of: Of
    able_and_safe: Figure
    helped: Difference  # right with both, less right with nothing
    needs_b: Difference  # right with both, less right with A alone


@dataclass(frozen=True, slots=True)
class McqReport:
    """The whole report; `counts`, `rows` and `constants` are over the same questions.

    `stale` votes are on another wording than the question has now and count nowhere. `reader` is
    the version of the rules that read the replies.
    """

    funnel: Funnel
    scope: str
    questions: int
    counts: list[Counts]
    rows: list[SafetyRow]
    constants: list[Baseline]
    models: list[ModelLine]
    changes: list[Change]
    stale: int
    reader: int = READER

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        funnel = asdict(self.funnel)
        return {
            "funnel": {
                name: value for name, value in funnel.items() if name != "unfiltered" or value
            },
            "scope": self.scope,
            "questions": self.questions,
            "reader": self.reader,
            "counts": [_plain(count) for count in self.counts],
            "rows": [_plain(row) for row in self.rows],
            "constants": [_plain(constant) for constant in self.constants],
            "models": [_plain(line) for line in self.models],
            "changes": [_plain(change) for change in self.changes],
            "stale": self.stale,
        }


def mcq_report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    scope: str = SCOPES[0],
    pairs: Sequence[tuple[str, str]] = (),
) -> McqReport:
    """Return the report over ``all`` questions not dropped, or those that people have ``checked``.

    `pairs` are models before and after something was done to them. Raises UserError for who may
    not read others' labels, an unknown scope, and a model in `pairs` that has not voted.
    """
    require_scope(scope)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = standing_questions(session, project.id)
        attempts = outcomes(session, project.id)
        unfiltered = _unfiltered(session, project.id)
        cast = votes(session, project.id)
    asked = {each.id: each for each in found if in_scope(each, scope)}
    ballots, stale = ballots_of(asked, cast)
    return McqReport(
        funnel=_funnel(attempts, found, unfiltered),
        scope=scope,
        questions=len(asked),
        counts=counts(ballots),
        rows=table(ballots),
        constants=baselines(ballots.keys),
        models=[_line(ballots, model, of) for model in ballots.models for of in Of],
        changes=[change for pair in pairs for change in _changes(ballots, *pair)],
        stale=stale,
    )


def require_scope(scope: str) -> None:
    """Raise UserError for a name that is no scope."""
    if scope not in SCOPES:
        raise UserError("mcq_scope", Where(field="scope"), scope=scope, known=", ".join(SCOPES))


def in_scope(each: QuestionState, scope: str) -> bool:
    """Return whether a question is in a scope."""
    return each.checked if scope == "checked" else not each.dropped


def ballots_of(asked: Mapping[int, QuestionState], cast: Sequence[VoteView]) -> tuple[Ballots, int]:
    """Return the votes on these questions' present wording, and how many are on another."""
    names = model_names(cast)
    read = read_votes(cast, wordings_of(asked.values()))
    counting = [each for each in read if each.present]
    keys = {
        str(n): Key(each.item.answer - 1, each.item.abstention - 1) for n, each in asked.items()
    }
    said = (
        Vote(
            str(each.vote.mcq_id),
            Setting(each.vote.setting),
            names[each.vote.server, each.vote.model],
            ReplyVote(each.reading.outcome, each.option),
            each.vote.repeat,
        )
        for each in counting
    )
    return gathered(keys, said), len(read) - len(counting)


def _unfiltered(session: Session, project_id: int) -> dict[str, int]:
    """Return, for each filter that was switched off, the number of drafts made without it."""
    counted = Counter[str]()
    for making, drafts in makings(session, project_id):
        for reason in making.wanted.get("filters", {}).get("off", ()):
            counted[reason] += drafts
    return {reason: counted[reason] for reason in _FILTERS if counted[reason]}


def _funnel(
    attempts: Counter[str], found: Sequence[QuestionState], unfiltered: dict[str, int]
) -> Funnel:
    out = [(reason, attempts[reason]) for reason in _FILTERS]
    causes = Counter((*each.state.causes, "other")[0] for each in found if each.dropped)
    known = [cause for cause in CAUSES if cause in causes]
    listed = known + sorted(causes.keys() - set(known))
    dropped = [(cause, causes[cause]) for cause in listed]
    fates = Counter(each.state.fate for each in found)
    left = {fate.value: fates[fate] for fate in Fate if fate is not Fate.DROPPED}
    start = sum(attempts.values())
    steps = funnel(start, [*out, *dropped])
    return Funnel(start, steps[: len(out)], steps[len(out) :], left, unfiltered)


def _line(ballots: Ballots, model: str, of: Of) -> ModelLine:
    return ModelLine(
        model,
        of,
        able_and_safe(ballots, model, of),
        between_settings(ballots, model, Setting.ZERO, Setting.BOTH, of),
        between_settings(ballots, model, Setting.A, Setting.BOTH, of),
    )


def _changes(ballots: Ballots, before: str, after: str) -> list[Change]:
    for model in (before, after):
        if model not in ballots.models:
            known = ", ".join(ballots.models) or "–"
            raise UserError("mcq_model_unknown", model=model, known=known)
    return between_models(ballots, before, after)


def _plain(value: Any) -> Any:
    """Return dataclasses as JSON values, every figure with value, n and interval."""
    if isinstance(value, Figure):
        return value.as_json()
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return [_plain(each) for each in value] if isinstance(value, list) else value


_COUNTS = (
    *("model", "setting", "replies", "answered", "abstained_option", "abstained_words"),
    *("refused", "unreadable", "missing"),
)
_SAFETY = ("accuracy", "right", "wrong", "answered_anyway", "not_answered")
_OUTCOMES = ("abstained", "abstained_option", "abstained_words", "refused", "unreadable")
_ROW = ("model", "setting", "of", "n")
_MODELS = ("model", "of", "measure", "n", "value", "higher", "lower")
_CHANGES = ("before", "after", "setting", "of", "measure", "n", "difference", "higher", "lower")

_Cell = str | Figure
_Raw = tuple[str, tuple[str, ...], list[tuple[_Cell, ...]]]
Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables(report: McqReport) -> list[Table]:
    """Return each table's name, head and rows, each figure with its interval in one cell.

    A figure that has no value is empty.
    """
    return [
        (name, head, [tuple(map(_together, row)) for row in rows])
        for name, head, rows in _raw(report)
    ]


def as_csv(report: McqReport) -> str:
    """Return all tables as CSV, the first column naming the table, intervals in own columns."""
    return csv_text(_wide_rows(report))


def _wide_rows(report: McqReport) -> Iterator[tuple[str, ...]]:
    for name, head, rows in _raw(report):
        figures = {at for row in rows for at, cell in enumerate(row) if isinstance(cell, Figure)}
        wide = (_wide(column, at in figures) for at, column in enumerate(head))
        yield "table", *chain.from_iterable(wide)
        for row in rows:
            yield name, *chain.from_iterable(_apart(cell) for cell in row)


def as_latex(report: McqReport) -> str:
    """Return all tables as LaTeX, one after the other."""
    return "\n".join(
        written(TableModel(head, tuple(rows), title=name), "latex")
        for name, head, rows in tables(report)
    )


def as_markdown(report: McqReport) -> str:
    """Return all tables as Markdown."""
    return "\n".join(
        "\n".join([f"## {name}", "", *markdown_lines(head, rows), ""])
        for name, head, rows in tables(report)
    )


def constant_name(constant: Constant) -> str:
    """Return what a constant answer is called in files."""
    return "(always abstain)" if constant.option is None else f"(always {constant.option + 1})"


def _funnel_rows(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    yield "drafts", "", str(report.funnel.start)
    for prefix, steps in (("filter", report.funnel.filtered), ("people", report.funnel.dropped)):
        for step in steps:
            yield f"{prefix}: {step.reason}", str(step.out), str(step.left)
    for fate, count in report.funnel.fates.items():
        yield f"of these {fate}", "", str(count)


def _raw(report: McqReport) -> list[_Raw]:
    found: list[_Raw] = [
        ("funnel", ("step", "out", "left"), list(_funnel_rows(report))),
        ("outcomes", _COUNTS, [_count(count) for count in report.counts]),
        ("safety", (*_ROW, *_SAFETY), list(_shares(report, _SAFETY))),
        ("shares", (*_ROW, *_OUTCOMES), list(_shares(report, _OUTCOMES))),
        ("models", _MODELS, list(_models(report))),
    ]
    if report.changes:
        found.append(("changes", _CHANGES, list(_change_rows(report))))
    return found


def _count(each: Counts) -> tuple[_Cell, ...]:
    return tuple(str(getattr(each, name)) for name in _COUNTS)


def _shares(report: McqReport, names: Sequence[str]) -> Iterator[tuple[_Cell, ...]]:
    named = [(row.model, row) for row in report.rows]
    for constant in report.constants:
        named += [(constant_name(constant.constant), row) for row in constant.rows]
    for name, row in named:
        at = name, row.setting.value, row.of.value, str(row.right.n)
        yield (*at, *(getattr(row, measure) for measure in names))


def _models(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    for constant in report.constants:
        figure = constant.able_and_safe
        for of in Of:
            at = constant_name(constant.constant), of.value, "able_and_safe"
            yield *at, str(figure.n), figure, "", ""
    for line in report.models:
        joint = line.able_and_safe
        yield line.model, line.of.value, "able_and_safe", str(joint.n), joint, "", ""
        for name in ("helped", "needs_b"):
            found = getattr(line, name)
            sides = str(found.higher), str(found.lower)
            yield line.model, line.of.value, name, str(found.figure.n), found.figure, *sides


def _change_rows(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    for change in report.changes:
        for name, found in (("accuracy", change.accuracy), ("answered_anyway", change.anyway)):
            if found.figure.value is not None:
                sides = str(found.higher), str(found.lower)
                at = change.before, change.after, change.setting.value, change.of.value, name
                yield *at, str(found.figure.n), found.figure, *sides


def _together(cell: _Cell) -> str:
    if isinstance(cell, str):
        return cell
    return "" if cell.value is None else f"{_number(cell.value)} {cell.interval(digits=4)}"


def _apart(cell: _Cell) -> tuple[str, ...]:
    if isinstance(cell, str):
        return (cell,)
    return tuple(map(_number, (cell.value, cell.low, cell.high)))


def _wide(column: str, figure: bool) -> tuple[str, ...]:
    return (column, f"{column}_low", f"{column}_high") if figure else (column,)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
