"""Commands about the questions behind a run's figure, and generated identifiers."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import RUN
from commands.shell.options import Gold, parse_stratum
from commands.shell.state import State
from commands.shell.tables import WIDEST
from messages import say

if TYPE_CHECKING:
    from services.runs.identifiers import IdentifiedHit, StandingIdentifier
    from services.runs.query_analysis import Move
    from services.runs.questions import QueryLine

Run = Annotated[int, argument("Number of the run.")]
MeasureName = Annotated[str, option("Measure, e.g. Recall@10; its cutoff counts.")]
Only = Annotated[
    str,
    option("all, missed, won, lost, tied, unanswered, no_gold or unsettled."),
]
Against = Annotated[int | None, option("Another run, to be won or lost against.")]
InStratum = Annotated[
    str, option("Only questions of one value of a column: column=value.", "--stratum")
]
_RECALL = "Recall@10"


@RUN.command("questions")
def questions(
    state: State,
    run: Run,
    measure: MeasureName = _RECALL,
    against: Against = None,
    only: Only = "all",
    stratum: InStratum = "",
    gold: Gold = "",
) -> None:
    """List the questions of a run with scores, and how many were missed, won and lost."""
    from evaluation.ranking.scoring import parse_measure
    from services.runs.query_analysis import chosen, count_outcomes, cutoff_of, outcome_of
    from services.runs.questions import query_list

    by, outcome = parse_measure(measure), outcome_of(only, against)
    lines = query_list(
        *(state.workspace, run, None, [by], against, parse_stratum(stratum)), gold=gold
    )
    k = cutoff_of(state.workspace, run, by)
    found, counts = chosen(lines, outcome, k), count_outcomes(lines, k, against)
    rows = [
        {
            "question": line.external_id,
            "text": line.question,
            "value": line.values.get(repr(by)),
            "difference": line.difference,
            "gold": line.gold,
            "missed": line.missed(k),
            "not_searched": line.not_searched,
            "first": line.first,
        }
        for line in found
    ]
    told = {"run": run, "measure": repr(by), "cutoff": k, "counts": counts, "questions": rows}
    state.emit(told, [*_question_table_lines(found, repr(by), k), counts_said(counts, k)])


def _question_table_lines(lines: tuple[QueryLine, ...], measure: str, k: int) -> list[str]:
    from annotation.work.submissions import beginning
    from evaluation.tables import Table, table_lines

    if not lines:
        return [say("query_analysis.none")]
    names = ("question_id", "gold", "missed_column", "first", "difference")
    head = [say(f"query_analysis.{name}", k=k) for name in names]
    rows = tuple(
        (
            line.external_id,
            str(line.gold),
            str(line.missed(k)),
            "–" if line.first is None else str(line.first),
            "–" if line.difference is None else f"{line.difference:+.3f}",
            "–" if (value := line.values.get(measure)) is None else f"{value:.3f}",
            beginning(line.question, WIDEST),
        )
        for line in lines
    )
    table = Table((*head, measure, say("query_analysis.question")), rows)
    return table_lines(table, left=True)[1:]


def counts_said(counts: dict[Any, int | None], k: int) -> str:
    """Return the known counts per outcome on one line."""
    known = {each: count for each, count in counts.items() if count is not None}
    return " · ".join(
        f"{say(f'query_analysis.outcome.{each}', k=k)} {count}" for each, count in known.items()
    )


@RUN.command("question")
def question(
    state: State,
    run: Run,
    question: Annotated[str, argument("Id of the question.")],
    against: Annotated[
        int | None, option("Another run, to see what moved from it to this one.")
    ] = None,
    k: Annotated[int, option("How many of the first units are looked at.")] = 10,
    path: Annotated[bool, option("The citations that lead to what was missed.", "--path")] = False,
    gold: Gold = "",
) -> None:
    """Print one question of a run: its gold, where it stands, and what moved since another run."""
    from services.runs.query_analysis import moves, path_text
    from services.runs.questions import citation_path, query_detail

    detail = query_detail(state.workspace, run, question, gold=gold)
    before = None
    if against is not None:
        before = query_detail(state.workspace, against, question, gold=gold)
    found = moves(before or detail, detail, k)
    paths = {
        unit.semantic_id: None if way is None else path_text(way)
        for unit in (detail.missed if path else ())
        for way in [citation_path(state.workspace, run, question, unit.semantic_id)]
    }
    told = {"run": run, "question": question, "text": detail.question, "against": against, "k": k}
    told |= {"units": [asdict(move) for move in found], "paths": paths}
    lines = [f"{question}: {detail.question}", *_move_lines(found, before is not None)]
    if detail.gold:
        hits, total = len(detail.gold) - len(detail.missed), len(detail.gold)
        lines.append(say("leaderboard.found", found=hits, total=total, k=detail.k))
    else:
        lines.append(say("leaderboard.gold_none"))
    lines += [f"{name}: {way or say('query_analysis.no_path')}" for name, way in paths.items()]
    state.emit(told, lines)


def _move_lines(moves: tuple[Move, ...], compared: bool) -> list[str]:
    """Return gold units with their ranks in both runs as text."""
    from evaluation.tables import Table, table_lines

    rows = []
    for move in moves:
        ranks = ["–" if rank is None else str(rank) for rank in (move.before, move.after)]
        change = say(f"query_analysis.change.{move.change}")
        said = (f"{ranks[0]} → {ranks[1]}", change) if compared else (ranks[1],)
        gold = say("query_analysis.gold") if move.is_gold else ""
        rows.append((*said, gold, f"{move.statute} {move.label}".strip()))
    if not rows:
        return [say("leaderboard.nothing_retrieved")]
    names = ("rank_moved", "moved") if compared else ("rank",)
    head = (*(say(f"query_analysis.{name}") for name in names), "", say("query_analysis.unit"))
    return table_lines(Table(head, tuple(rows)), left=True)[1:]


@RUN.command("failures")
def failures(
    state: State,
    run: Run,
    file: Annotated[Path, argument("File to write, .csv or .jsonl.")],
    measure: MeasureName = _RECALL,
    against: Against = None,
    only: Only = "missed",
    stratum: InStratum = "",
    paths: Annotated[
        bool, option("With the citations that lead to each; slower.", "--paths")
    ] = False,
    gold: Gold = "",
) -> None:
    """Write what a run missed, a line for each provision of each question."""
    from evaluation.ranking.scoring import parse_measure
    from services.runs.query_analysis import failures as missed
    from services.runs.query_analysis import outcome_of, write_failures

    with state.progress("Reading") as report:
        found = missed(
            state.workspace,
            run,
            parse_measure(measure),
            outcome_of(only, against),
            against=against,
            stratum=parse_stratum(stratum),
            paths=paths,
            progress=report,
            gold=gold,
        )
    kind = write_failures(found, file)
    written = {"file": str(file), "questions": found.questions, "units": found.units}
    counts = dict(found.counts)
    lines = [say("query_analysis.written", **written)]
    lines += [counts_said(counts, row.cutoff) for row in found.rows[:1] if row.cutoff]
    state.emit(written | {"format": kind, "counts": counts}, lines)


_MOST = 200  # hits: each has its text tokenised


@RUN.command("identifiers")
def identifiers(
    state: State,
    run: Annotated[int, argument("Number of the stored run.")],
    question: Annotated[str, argument("Id of a question that the run was asked.")],
    first: Annotated[int, option("How many hits, from the first one on.", min=1, max=_MOST)] = 10,
) -> None:
    """Print what the model of a run wrote for a question, and where it stands in each hit."""
    from services.runs.identifiers import identifiers_found

    hits = identifiers_found(state.workspace, run, question, first)
    told = [asdict(hit) for hit in hits]
    state.emit({"run": run, "question": question, "hits": told}, _identified_lines(hits))


def _identified_lines(hits: tuple[IdentifiedHit, ...]) -> list[str]:
    """Return the units that a generative method found, with their identifiers, as text."""
    if not hits:
        return ["The run found nothing for this question."]
    lines = []
    for hit in hits:
        place = " ".join(filter(None, (hit.statute, hit.label, hit.heading)))
        lines.append(f"{hit.rank}. {place}  {hit.score:.3f}")
        lines += [_identifier_line(each) for each in hit.identifiers]
    return lines


def _identifier_line(each: StandingIdentifier) -> str:
    found = each.identifier
    where = "title" if found.in_title else "text"
    if found.start is not None:
        where += f" {found.start + 1}-{found.end}"
    words = " ".join(found.text.split())
    return f"   +{found.added:.3f}  {words}  [{where}; {found.times} in the law]"
