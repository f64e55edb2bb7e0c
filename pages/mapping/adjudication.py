"""Adjudication pane of citation mapping: the sides, the units, the gold choice.

Card of a candidate provision: title, reasons, text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.adjudication.decisions import CaseView, SideView
from annotation.adjudication.dispute_details import DECIDED, Marked, marked_words
from annotation.adjudication.disputes import open_case as _open
from annotation.forms.disputes import Dispute
from annotation.mapping.candidate_views import CandidateView
from normalization.grouping import grouped
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text, split_by_marks
from pages.task.decision_bar import Chosen, case_name, draw_take, draw_talk, spent
from pages.task.form_pane import draw_notes
from services.runs.methods.unit_search import search_units

_HEIGHT = 420  # pixels of a text before it scrolls
_LONG_UNIT = 900  # characters


def title_of(unit: CandidateView) -> str:
    """Return a unit's title, such as ``건축법 시행령 제64조 (방화문의 구분)``."""
    return f"{unit.statute} {unit.label}" + (f" ({unit.heading})" if unit.heading else "")


def why_of(context: Context, unit: CandidateView) -> str:
    """Return the reasons why the unit is a candidate, joined, including addition by hand."""
    reasons = [
        context.say(f"mapping.why.{why.source}", text=why.citation_text or "", rank=why.rank or "")
        for why in unit.why
    ]
    if unit.added and not unit.mark:
        reasons.append(context.say("adjudication.added"))
    return " · ".join(dict.fromkeys(reasons))


def draw_unit_text(
    context: Context,
    unit: CandidateView,
    key: str,
    language: str,
    words: Sequence[tuple[int, int]],
) -> None:
    """Draw the unit's text with pinpoints, matches and evidence marked, or a note if missing."""
    if unit.deleted:
        st.caption(context.say("adjudication.deleted"))
    if unit.text_missing or not unit.text:
        st.caption(context.say("adjudication.text_missing"))
        return
    marks = {"pinpoint": unit.pinpoints, "match": unit.marks, "evidence": words}
    height = _HEIGHT if len(unit.text) > _LONG_UNIT else None
    plain_text(split_by_marks(unit.text, marks), key, language=language, height=height)


_LOOK = {
    "accept": ("green", ":material/check:"),
    "reject": ("gray", ":material/close:"),
    "unsure": ("orange", ":material/question_mark:"),
    "none": ("gray", ":material/remove:"),
}
Spans = list[list[int]]
_HITS = 6
_FEW = 3  # provisions whose texts are open at first
SHARED, NOTHING = "shared", "nothing"  # words chosen: what all who marked share, or none
_EXTRA = "case-extra"  # added units are part of the unsaved input


def open_case(context: Context, item_id: int, _focus: str = "") -> CaseView:
    """Return the dispute, with the units that the adjudicator added."""
    return _open(context.workspace, context.person.id, item_id, extra=extra_units(context, item_id))


def cause_words(context: Context, cause: str, _entries: Sequence[Dispute]) -> str:
    """Return the display name of a dispute's cause."""
    return context.say(f"adjudication.cause.{cause}")


def decided_line(context: Context, entry: Dispute) -> tuple[str, str]:
    """Return a decided question's beginning and the decision."""
    made = entry.decision
    none = context.say("adjudication.no_provision_short")
    decided = "" if made is None else none if made.no_provision else ", ".join(made.labels)
    return entry.title, decided


def extra_units(context: Context, item_id: int) -> list[int]:
    """Return the ids of the units that the adjudicator added, by search or by ticking."""
    return list(draft_state.value(case_name(context, item_id), _EXTRA, []))


def draw_case(context: Context, case: CaseView, name: str) -> Chosen:
    """Draw the dispute; return the adjudicator's choices.

    The question, its answer and the sides stay in sight beside the provisions.
    """
    left, right = st.columns([5, 7], gap="medium")
    with left, st.container(key="case-beside", gap="small"):
        _question(context, case)
        st.header(context.say("adjudication.sides"), anchor=False)
        for at, side in enumerate(case.sides):
            with st.container(border=True, horizontal=True):
                with st.container(gap="xxsmall"):
                    draw_side(context, side)
                draw_take(context, at, _copy_labels, context, case, side)
        draw_talk(context, case, partial(_before, context, case))
    with right:
        st.header(context.say("adjudication.units"), anchor=False)
        st.caption(context.say("adjudication.units_lead"))
        ticked, evidence = _units(context, case)
        decided = case.decision
        before = decided is not None and decided.no_provision
        fields = Fields(context, "adjudication", "case", name)
        none = fields.tick("no_provision", before, key=f"none-{case.item_id}")
    return Chosen(
        answers={"units": ticked, "no_provision": none, "evidence": evidence},
        note=context.say("adjudication.ticked", count=len(ticked)),
        reason=decided.reason if decided else "",
        ready=not case.revising,
        back=True,
    )


def _copy_labels(context: Context, case: CaseView, side: SideView) -> None:
    """Tick exactly the units that the side accepts."""
    entered: dict[str, Any] = {f"case-none-{case.item_id}": side.no_provision}
    extra = extra_units(context, case.item_id)
    for unit in case.candidates:
        if unit.mark != "gone":
            accepted = side.decisions.get(unit.unit_id) == "accept"
            extra = [*extra, unit.unit_id] if accepted else extra
            entered[f"case-tick-{case.item_id}-{unit.unit_id}"] = accepted
    entered[_EXTRA] = list(dict.fromkeys(extra))
    draft_state.enter(case_name(context, case.item_id), entered)


def _question(context: Context, case: CaseView) -> None:
    """Draw the question with its citations."""
    head = st.container(horizontal=True, vertical_alignment="center")
    name = f"{context.say('adjudication.question')} {md_literal(case.external_id)}"
    head.header(name, anchor=False, width="content")
    for cause in case.causes:
        head.badge(context.say(f"adjudication.cause.{cause}"), color="orange")
    plain_text(case.question, f"case-question-{case.item_id}", "lead", case.language)
    st.caption(context.say("adjudication.answer"))
    marks = grouped((str(each.status), (each.start, each.end)) for each in case.citations)
    with st.container(border=True):
        name = f"case-answer-{case.item_id}"
        plain_text(split_by_marks(case.answer, marks), name, language=case.language)


def draw_side(context: Context, side: SideView) -> None:
    """Draw one submission: person, time, duration, confidence, comment."""
    say = context.say
    head = st.container(horizontal=True, vertical_alignment="center", gap="small")
    name = say("adjudication.source") if side.source else side.person.name
    head.markdown(f"**{md_literal(name)}**", width="content")
    if side.own:
        head.badge(say("cases.own"), color="orange", icon=":material/balance:")
    if side.answered:
        head.badge(say("cases.answered"), color="blue", icon=":material/forum:")
    if side.no_provision:
        head.badge(say("adjudication.no_provision_short"), color="violet", icon=":material/block:")
    else:
        accepted = sum(label == "accept" for label in side.decisions.values())
        head.badge(say("adjudication.accepted", count=accepted), color="green")
    if side.source:
        st.caption(say("adjudication.source_help"))
        return
    when = [f"{side.at:%Y-%m-%d %H:%M} UTC", spent(context, side.seconds)]
    if side.confidence is not None:
        when.append(say("cases.confidence", value=side.confidence))
    st.caption(" · ".join(when))
    if side.read_before:
        st.caption(f":material/forum: {say('threads.read_before', count=side.read_before)}")
    draw_notes(context, side)


def _before(context: Context, case: CaseView, side: SideView) -> None:
    """Draw an earlier submission, with the provisions it accepts or is unsure of."""
    draw_side(context, side)
    for unit in case.candidates:
        label = side.decisions.get(unit.unit_id, "reject")
        if label != "reject":
            st.text(f"{context.say(f'adjudication.label.{label}')}: {title_of(unit)}")


def _units(context: Context, case: CaseView) -> tuple[list[int], dict[int, Spans]]:
    """Draw a card per unit; return the ids of the ticked ones, and the words chosen in them.

    Units on which the sides differ come first; units that every side accepts are folded after them.
    Words are absent where what the sides share counts.
    """
    foremost = _foremost(context, case)
    wanted = [unit for unit in case.candidates if unit.unit_id in foremost]
    others = [unit for unit in case.candidates if unit.unit_id not in foremost]
    alike = [unit for unit in wanted if not unit.mark and _agreed(case, unit)]
    first = [unit for unit in wanted if unit not in alike]
    few = len(first or alike) <= _FEW
    drawn = {unit.unit_id: _card(context, case, unit, open_text=few) for unit in first}
    if alike:
        label = context.say("adjudication.agreed_units", count=len(alike))
        with st.expander(label, key=f"case-agreed-{case.item_id}", expanded=not first):
            shown = few and not first
            drawn |= {u.unit_id: _card(context, case, u, open_text=shown) for u in alike}
    _search(context, case)
    if others:
        # The label must not change with the number, or the browser would close what is open.
        label = context.say("adjudication.rejected")
        rest = st.expander(label, key=f"case-others-{case.item_id}", on_change="rerun")
        if rest.open:  # closed, its many cards are not even sent
            with rest:
                for unit in others:
                    _card(context, case, unit)
    ticked = [unit.unit_id for unit in wanted if drawn[unit.unit_id][0]]
    words = {unit: drawn[unit][1] for unit in ticked}
    return ticked, {unit: spans for unit, spans in words.items() if spans is not None}


def _foremost(context: Context, case: CaseView) -> set[int]:
    """Return the ids of units that a side accepts or is unsure of, that moved, or are chosen."""
    said = {
        unit for side in case.sides for unit, label in side.decisions.items() if label != "reject"
    }
    decided = case.decision.unit_ids if case.decision else ()
    moved = {unit.unit_id for unit in case.candidates if unit.mark == "moved"}
    return said | moved | set(decided) | set(extra_units(context, case.item_id))


def _agreed(case: CaseView, unit: CandidateView) -> bool:
    """Return whether every side accepts the unit, and nobody marked other words in it."""
    if len({str(spans) for _, spans in marked_words(case, unit).values()}) > 1:
        return False
    return all(side.decisions.get(unit.unit_id) == "accept" for side in case.sides)


def _card(
    context: Context, case: CaseView, unit: CandidateView, *, open_text: bool = False
) -> tuple[bool, Spans | None]:
    """Draw a unit's card; return whether it is ticked, and the words chosen in it.

    A ticked unit stays on top.
    """
    key = f"{case.item_id}-{unit.unit_id}"
    name = case_name(context, case.item_id)
    chosen = case.suggested if case.decision is None else case.decision.unit_ids
    as_judged = not unit.mark and unit.unit_id in chosen
    kept = draft_state.kept_value(name, f"case-tick-{key}", as_judged)
    labels = {side.decisions.get(unit.unit_id, "none") for side in case.sides}
    part = "part-differs" if len(labels) > 1 else "part"
    with st.container(border=True, key=f"{part}-{key}"):
        tick, body = st.columns([1, 14])
        ticked = tick.checkbox(
            context.say("adjudication.gold_tick", title=md_literal(title_of(unit))),
            label_visibility="collapsed",
            disabled=unit.mark == "gone",
            **kept
            | {
                "on_change": _note_added_unit,
                "args": (context, case.item_id, unit.unit_id, kept["args"]),
            },
        )
        with body:
            if unit.mark:
                since = context.say(f"adjudication.since.{unit.mark}", former=unit.former)
                st.badge(since, color="orange", icon=":material/history:")
            head = [Span(title_of(unit), ("title",)), Span(f"\n{why_of(context, unit)}", ("why",))]
            plain_text(head, f"case-title-{key}", language=case.language)
            marks = st.container(horizontal=True, gap="xsmall")
            for side in case.sides:
                _label(context, marks, side, unit.unit_id)
            with st.expander(context.say("adjudication.show_text"), expanded=open_text):
                words = marked_words(case, unit)
                spans = [(s, e) for _, marked in words.values() for s, e in marked]
                draw_unit_text(context, unit, f"case-text-{key}", case.language, spans)
            evidence = _words(context, case, unit, words) if words else None
    return bool(ticked), evidence


def _words(
    context: Context, case: CaseView, unit: CandidateView, words: Mapping[str, Marked]
) -> Spans | None:
    """Draw the choice between the sides' marked words; return its spans, None for shared ones.

    None if what the sides share counts.
    """
    choices = [SHARED, *words, NOTHING]
    key = f"words-{case.item_id}-{unit.unit_id}"
    decided = case.decision is not None and unit.unit_id in case.decision.unit_ids
    first = DECIDED if DECIDED in words else NOTHING if decided else SHARED

    def told(choice: str) -> str:
        """Return a choice in words: a person with the words quoted."""
        if choice not in words:
            return context.say(f"adjudication.words_{choice}")
        person, spans = words[choice]
        quoted = " … ".join(f"“{unit.text[start:end]}”" for start, end in spans)
        return f"{person or context.say('adjudication.words_decided')}: {quoted}"

    fields = Fields(context, "adjudication", "case", case_name(context, case.item_id))
    chosen = fields.pick("words", choices, told, first, key=key)
    return None if chosen == SHARED else [*words[chosen][1]] if chosen in words else []


def _label(context: Context, place: DeltaGenerator, side: SideView, unit_id: int) -> None:
    """Draw a side's label of a unit."""
    label = side.decisions.get(unit_id, "none")
    color, icon = _LOOK[label]
    if side.source:
        if label != "none":
            place.badge(
                context.say("adjudication.source"), color="blue", icon=":material/database:"
            )
        return
    words = f"{md_literal(side.person.name)}: {context.say(f'adjudication.label.{label}')}"
    place.badge(words, color=color, icon=icon)  # type: ignore[arg-type]


def _search(context: Context, case: CaseView) -> None:
    """Draw the search for units to add."""
    search = context.say("adjudication.search")
    with st.popover(search, icon=":material/search:", key=f"case-find-{case.item_id}"):
        query = st.text_input(
            context.say("adjudication.search_for"), key=f"case-search-{case.item_id}"
        ).strip()
        if not query:
            return
        shown = _foremost(context, case) & {unit.unit_id for unit in case.candidates}
        hits = search_units(context.workspace, case.snapshot_id, query, _HITS)
        if not hits:
            st.caption(context.say("adjudication.search_nothing"))
        for unit in (hit.passage for hit in hits):
            heading = f" ({unit.heading})" if unit.heading else ""
            st.button(
                md_literal(f"{unit.statute} {unit.label}{heading}"),
                key=f"case-add-{case.item_id}-{unit.row_id}",
                icon=":material/add:",
                type="tertiary",
                disabled=unit.row_id in shown,
                on_click=_add_unit,
                args=(context, case.item_id, unit.row_id),
            )


def _with_extra(context: Context, item_id: int, unit_id: int) -> list[int]:
    """Return the ids of the added units and this one, each once."""
    return list(dict.fromkeys([*extra_units(context, item_id), unit_id]))


def _note_added_unit(
    context: Context, item_id: int, unit_id: int, noted: tuple[str, str, str]
) -> None:
    """Keep a changed tick, and its unit among the added ones (a checkbox's callback)."""
    draft_state.note(*noted, {_EXTRA: _with_extra(context, item_id, unit_id)})


def _add_unit(context: Context, item_id: int, unit_id: int) -> None:
    """Add a unit to the case, ticked."""
    extra = _with_extra(context, item_id, unit_id)
    entered = {f"case-tick-{item_id}-{unit_id}": True, _EXTRA: extra}
    draft_state.enter(case_name(context, item_id), entered)
