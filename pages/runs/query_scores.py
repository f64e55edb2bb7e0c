"""A run's questions with scores; per question the hits and the missed gold.

Identifiers generated for a question, and where they occur in a run's hits.

Rank changes between two runs on one question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from annotation.work.submissions import beginning
from pages.runs.query_filters import Opened, draw_compared, draw_failures, draw_outcome
from pages.runs.run_table import measure_help
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text
from pages.shell.widgets import draw_table, pick_row
from services.gold.search_coverage import reason_in_words
from services.law.graph.citation_graph import NodeView
from services.runs.identifiers import (
    IdentifiedHit,
    StandingIdentifier,
    identifiers_found,
    tells_identifiers,
)
from services.runs.query_analysis import Outcome, chosen, count_outcomes, cutoff_of, moves
from services.runs.questions import (
    FARTHEST,
    STARTS,
    GoldUnit,
    QueryDetail,
    QueryLine,
    citation_path,
    query_detail,
    query_list,
    runs_asked,
)
from services.runs.rows import RunLine
from services.runs.score_table import coverage_notes


def draw_identifiers(context: Context, run: RunLine, question: str) -> None:
    """Draw the identifiers of the first hits on request, if the run has any."""
    say = context.say
    if not tells_identifiers(run.method, run.params):
        return
    key = f"{run.run_id}-{question}"
    words = say("identifiers.show")
    if not st.toggle(words, key=f"identifiers-{key}", help=say("identifiers.show_help")):
        return
    hits = identifiers_found(context.workspace, run.run_id, question, by=context.by)
    if not hits:
        st.caption(say("leaderboard.nothing_retrieved"))
        return
    st.caption(say("identifiers.note", count=len(hits)))
    for hit in hits:
        with st.container(border=True):
            _hit(context, hit, f"{key}-{hit.rank}")


def _hit(context: Context, hit: IdentifiedHit, key: str) -> None:
    """Draw a hit with the identifiers generated for it."""
    where = place(hit.label, hit.heading)
    said = {"rank": hit.rank, "score": hit.score, "statute": hit.statute, "place": where}
    st.markdown(f"**{md_literal(context.say('identifiers.hit', **said))}**")
    if not hit.identifiers:
        st.caption(context.say("identifiers.none"))
    for at, each in enumerate(hit.identifiers):
        spans = [Span(each.before), Span(each.identifier.text, ("match",)), Span(each.after)]
        plain_text([span for span in spans if span.text], f"identifier-{key}-{at}")
        st.caption(_occurrence_text(context, each))


def _occurrence_text(context: Context, each: StandingIdentifier) -> str:
    """Return what an identifier adds to a hit's score, and where it occurs in the hit."""
    say, found = context.say, each.identifier
    numbers = {"added": found.added, "weight": found.weight, "chance": math.exp(found.logprob)}
    said = [say("identifiers.written", **numbers, times=found.times)]
    if found.in_title:
        said.append(say("identifiers.in_title"))
    if found.start is not None and found.end is not None:
        # Character positions are shown from one.
        said.append(say("identifiers.at", start=found.start + 1, end=found.end))
    return " · ".join(said)


_ROWS = 12  # visible at once; the table scrolls beyond them
_ROW_HEIGHT, _HEADER = 35, 37

RunQuestion = tuple[RunLine, QueryDetail]


def place(label: str, heading: str) -> str:
    """Return a unit's place with its heading, e.g. ``제12조 (화재의 예방)``."""
    return label + (f" ({heading})" if heading else "")


def draw_moves(context: Context, selected: RunQuestion, beside: RunQuestion, k: int) -> None:
    """Draw rank changes from run `beside` to run `selected` within the first `k`."""
    say = context.say
    (run, after), (other, before) = selected, beside
    moved = moves(before, after, k)
    title = say("query_analysis.moved_title", before=other.run_id, after=run.run_id, k=k)
    st.markdown(f"**{md_literal(title)}**")
    counts: dict[str, int] = {}
    for change in ("entered", "left"):
        gold = [move.is_gold for move in moved if move.change == change]
        counts |= {change: len(gold), f"gold_{change}": sum(gold)}
    st.caption(say("query_analysis.moved_counts", **counts, k=k))
    draw_table(
        context,
        "query_analysis",
        {
            "rank_moved": [f"{_rank(move.before)} → {_rank(move.after)}" for move in moved],
            "moved": [say(f"query_analysis.change.{move.change}") for move in moved],
            "gold": [move.is_gold for move in moved],
            "unit": [place(move.label, move.heading) for move in moved],
            "leaderboard.statute": [move.statute for move in moved],
        },
        f"query-moved-{run.run_id}-{other.run_id}-{after.external_id}",
        config={
            **{"rank_moved": 120, "moved": 90, "gold": 50},
            **{"unit": 220, "leaderboard.statute": 220},
        },
        height=_HEADER + _ROW_HEIGHT * min(_ROWS, max(1, len(moved))),
        alt=title,
    )


def _rank(rank: int | None) -> str:
    """Return a rank, a dash for none."""
    return "–" if rank is None else str(rank)


Found = Sequence[tuple[RunLine, QueryDetail]]
_BESIDE = 2  # runs beside the selected one: more columns are unreadable


def draw_retrieved(context: Context, run: RunLine, detail: QueryDetail, alone: bool) -> None:
    """Draw the ranking, with excerpts only if the run is shown `alone`."""
    say, units = context.say, detail.retrieved
    st.markdown(f"**{say('leaderboard.retrieved_by', run=run.run_id)}** · {md_literal(run.label)}")
    if detail.gold:
        found = len(detail.gold) - len(detail.missed)
        counts = {"found": found, "total": len(detail.gold), "k": detail.k}
        st.caption(say("leaderboard.found", **counts))
    if not units:
        st.caption(say("leaderboard.nothing_retrieved"))
        return
    columns = {
        "rank": [unit.rank for unit in units],
        "gold": [unit.is_gold for unit in units],
        "provision": [place(unit.label, unit.heading) for unit in units],
        "statute": [unit.statute for unit in units],
    }
    if alone:
        columns |= {
            "score": [unit.score for unit in units],
            "excerpt": [" ".join(unit.snippet.split()) for unit in units],
        }
    draw_table(
        context,
        "leaderboard",
        columns,
        f"leaderboard-retrieved-{run.run_id}-{detail.external_id}",
        config={
            **{"rank": 50, "provision": 150, "statute": 220},
            "gold": st.column_config.CheckboxColumn(width=50),
            "score": st.column_config.NumberColumn(format="%.3f", width=70),
        },
    )


def draw_gold(context: Context, runs: Found) -> None:
    """Draw each gold unit with its rank in every run; the selected run is the first."""
    run, detail = runs[0]
    st.markdown(f"**{context.say('leaderboard.gold')}**")
    if not detail.gold:
        st.caption(context.say("leaderboard.gold_none"))
        return
    missed = {unit.semantic_id for unit in detail.missed}
    for unit in sorted(detail.gold, key=lambda each: each.semantic_id in missed):
        key = f"{run.run_id}-{detail.external_id}-{unit.semantic_id}"
        with st.container(border=True):
            _badges(context, runs, unit.semantic_id)
            title = f"{unit.statute} {place(unit.label, unit.heading)}"
            plain_text(title, f"gold-title-{key}", "lead")
            if unit.text:
                with st.expander(context.say("leaderboard.text")):
                    plain_text(unit.text, f"gold-text-{key}", height=300)
            if unit.semantic_id in missed:
                _path(context, run, detail, unit, key)


def _badges(context: Context, runs: Found, unit_id: str) -> None:
    """Draw the rank of a gold unit in each run."""
    with st.container(horizontal=True):
        for run, detail in runs:
            unit = next((each for each in detail.gold if each.semantic_id == unit_id), None)
            if unit is None:
                continue
            missed = any(each.semantic_id == unit_id for each in detail.missed)
            words = "at_rank" if not missed else "missed" if unit.rank is None else "missed_at"
            said = context.say(f"leaderboard.{words}", rank=unit.rank)
            if unit.not_searched:
                said = reason_in_words(unit.not_searched, context.language)
            if len(runs) > 1:
                said = f"{run.run_id} · {said}"
            if unit.not_searched:
                st.badge(said, color="orange", icon=":material/filter_alt_off:")
            elif missed:
                st.badge(said, color="red", icon=":material/close:")
            else:
                st.badge(said, color="green", icon=":material/check:")


def _path(context: Context, run: RunLine, detail: QueryDetail, unit: GoldUnit, key: str) -> None:
    """Draw the citation path that reaches a missed unit, on request."""
    say = context.say
    words = say("leaderboard.path")
    if not st.toggle(words, key=f"path-{key}", help=say("leaderboard.path_help")):
        return
    path = citation_path(
        context.workspace, run.run_id, detail.external_id, unit.semantic_id, by=context.by
    )
    if path is None:
        st.caption(say("leaderboard.path_none", starts=STARTS, steps=FARTHEST))
        return
    st.caption(say("leaderboard.path_from", rank=path.rank, steps=len(path.steps)))
    for at, step in enumerate(path.steps):
        here, there = (step.source, step.target) if step.forwards else (step.target, step.source)
        ways = "edge" if step.forwards else "edge_in"
        link = say(f"corpus.{ways}.{step.type.value}")
        plain_text(f"{_name(here)}\n→ {link} → {_name(there)}", f"step-{key}-{at}")
        if step.cited:
            cited = Span(step.cited, ("resolved",))
            around = [Span(f"… {step.before}"), cited, Span(f"{step.after} …")]
            plain_text(around, f"cited-{key}-{at}", "quiet")


def _name(node: NodeView) -> str:
    """Return the name of a unit."""
    return f"{node.statute} {place(node.label, node.heading)}"


def draw_queries(context: Context, opened: Opened) -> None:
    """Draw the sortable table of the run's questions and the selected question."""
    say, run = context.say, opened.run
    if told := coverage_notes(run, context.language):
        st.caption("  \n".join(map(md_literal, told)))
    opened = replace(opened, baseline=draw_compared(context, opened))
    against = opened.baseline.run_id if opened.baseline else None
    queries = query_list(
        *(context.workspace, run.run_id, context.by),
        *(opened.measures, against, opened.stratum),
        opened.golds,
    )
    k = cutoff_of(context.workspace, run.run_id, opened.measures[0], context.by)
    only = draw_outcome(context, opened, count_outcomes(queries, k, against))
    first = repr(opened.measures[0])
    notes = [say("query_analysis.note", k=k, measure=first)]
    if opened.baseline:
        notes.append(say("leaderboard.difference_note", run=against, measure=first))
    st.caption("  \n".join(map(md_literal, notes)))
    query = _picked(context, opened, chosen(queries, only, k), only)
    draw_failures(context, opened, only)
    if query is None:
        st.caption(say("leaderboard.pick_query"))
        return
    with st.container(border=True):
        _draw_comparison(context, opened, query.external_id, k)


def _picked(
    context: Context, opened: Opened, queries: Sequence[QueryLine], only: Outcome
) -> QueryLine | None:
    """Draw the questions, already filtered by `only`, as a table; return the picked one, if any."""
    measures = [repr(measure) for measure in opened.measures]
    row = pick_row(
        context,
        "leaderboard",
        _columns(context, opened, queries, measures),
        "-".join(("leaderboard-queries", str(opened.run.run_id), *_filter_key(opened, only))),
        config={
            "question_id": st.column_config.TextColumn(width=80, pinned=True),
            **{"question": 330, "gold": 60, "found_column": 65, "first": 70},
            "levels.gold_column": 95,
            "difference": st.column_config.NumberColumn(format="%+.3f"),
            **{
                name: st.column_config.NumberColumn(
                    format="%.3f", width=95, help=measure_help(context, name, interval=False)
                )
                for name in measures
            },
        },
        placeholder="–",
    )
    return None if row is None else queries[row]


def _filter_key(opened: Opened, only: Outcome) -> tuple[str, ...]:
    """Return the filter of the question list, as part of the table's key.

    A selected row means another question in another list.
    """
    if only is Outcome.ALL:
        return opened.stratum or ()
    against = opened.baseline.run_id if opened.baseline else 0
    return (*(opened.stratum or ()), only.value, str(against), repr(opened.measures[0]))


def _columns(
    context: Context, opened: Opened, queries: Sequence[QueryLine], measures: Sequence[str]
) -> dict[str, list[object]]:
    """Return the columns of the table of questions."""
    columns: dict[str, list[object]] = {
        "question_id": [query.external_id for query in queries],
        "question": [beginning(query.question) for query in queries],
        "difference": [query.difference for query in queries],
        "gold": [query.gold for query in queries],
        "found_column": [len(query.ranks) for query in queries],
        "levels.gold_column": [query.not_searched for query in queries],
        "first": [query.first for query in queries],
        **{name: [query.values.get(name) for query in queries] for name in measures},
    }
    if not opened.baseline:
        del columns["difference"]
    if not any(columns["levels.gold_column"]):
        del columns["levels.gold_column"]
    return columns


def _draw_comparison(context: Context, opened: Opened, question: str, k: int) -> None:
    """Draw the question, each run's hits side by side, and its gold."""
    found = [
        (run, query_detail(context.workspace, run.run_id, question, context.by, opened.gold))
        for run in _runs_beside(context, opened, question)
    ]
    own = found[0][1]
    st.markdown(f"**{md_literal(own.external_id)}**")
    key = f"{opened.run.run_id}-{own.external_id}"
    plain_text(own.question, f"query-{key}", "lead", own.language)
    for column, (run, detail) in zip(st.columns(len(found)), found, strict=True):
        with column:
            draw_retrieved(context, run, detail, alone=len(found) == 1)
            draw_identifiers(context, run, detail.external_id)
    if len(found) > 1:
        draw_moves(context, found[0], found[1], k)
    draw_gold(context, found)


def _runs_beside(context: Context, opened: Opened, question: str) -> list[RunLine]:
    """Draw the choice of runs to compare on a question; return them after the opened one."""
    asked = runs_asked(
        context.workspace, [run.run_id for run in opened.others], question, context.by
    )
    others = {run.run_id: run for run in opened.others if run.run_id in asked}
    if not others:
        return [opened.run]
    beside = Fields(context, "leaderboard", "leaderboard").several(
        "beside",
        others,
        lambda run: f"{run} · {others[run].label}",
        [opened.baseline.run_id] if opened.baseline and opened.baseline.run_id in others else [],
        key=f"beside-{opened.run.run_id}",
        max_selections=_BESIDE,
    )
    return [opened.run, *(others[run] for run in beside)]
