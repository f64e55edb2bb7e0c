"""Parallel groups screen: declared groups, and groups proposed by text similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.parallel import Verdict
from annotation.people.roles import Act
from annotation.work.editions import NOTE_LIMIT
from annotation.work.versioned_texts import PARALLEL_GROUPS
from construction.parallel.declaration import TEXT_LIMIT, Member
from construction.parallel.likeness import AT_LEAST, MOST
from corpus.model import Tier
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import draw_head, redraw_with
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import Views, choose_counted, draw_table, draw_view
from services.law.overview import current_snapshot, statutes
from services.parallel import (
    Proposed,
    ProposedGroup,
    State,
    changes,
    decide,
    declared_groups,
    proposals,
)
from storage.law.parallel_groups import Problem

NOTICE = "parallel-groups-notice"
_PAGE = 20  # proposals per page
_LARGE = 30_000  # units above which they are compared on request only
_ASKED = "parallel_groups_asked"


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "parallel_groups", NOTICE)
    views: Views = {
        "declared": _draw_declared,
        "proposed": _draw_proposals,
        "declaration": partial(_EDITOR.draw, notice_key=NOTICE),
    }
    draw_view(context, "parallel_groups.tab", "parallel-groups-tab", views)


def _draw_declared(context: Context) -> None:
    """Draw the declared groups of parallel provisions, each with its problems."""
    say, groups = context.say, declared_groups(*context.here, context.by)
    if not groups:
        st.info(say("parallel_groups.none"), icon=":material/info:")
    for each in groups:
        with st.container(border=True):
            label, key = each.group.label[context.language], each.group.key
            named = md_literal(say("parallel_groups.key", key=key))
            st.markdown(
                f"**{md_literal(label)}** · {_tier_name(context, each.group.tier)} · {named}"
            )
            members = each.group.members
            names = [each.names.get(member.unit, "–") for member in members]
            _draw_members(context, each.slots, members, names, f"parallel-group-{key}")
            _problems(context, each.problems)


def _tier_name(context: Context, tier: Tier) -> str:
    return context.say(f"parallel_groups.tier.{tier.name.lower()}")


def _draw_members(
    context: Context,
    slots: Mapping[str, Mapping[str, str]],
    members: Sequence[Member],
    names: Sequence[str],
    key: str,
) -> None:
    """Draw the provisions of a group, each in its slot."""
    language = context.language
    columns = {
        "slot": [slots[e.slot][language] if e.slot in slots else "–" for e in members],
        "provision": list(names),
        "unit": [each.unit for each in members],
    }
    draw_table(context, "parallel_groups", columns, key, wide="provision")


def _problems(context: Context, problems: Sequence[Problem]) -> None:
    """Draw which members get no edge, and why."""
    for each in problems:
        tier = "" if each.tier is None else _tier_name(context, each.tier)
        words = context.say(f"parallel_groups.problem.{each.what}", unit=each.unit, tier=tier)
        st.warning(md_literal(words), icon=":material/link_off:")


def _confirmed(context: Context) -> bool:
    """Return whether to compare now; a large corpus needs a confirmation."""
    snapshot = current_snapshot(*context.here, context.by)
    units = sum(line.units for line in statutes(context.workspace, snapshot.id))
    if units <= _LARGE or st.session_state.get(_ASKED) == snapshot.id:
        return True
    words = context.say("parallel_groups.large", units=f"{units:,}")
    st.info(words, icon=":material/schedule:")
    if st.button(context.say("parallel_groups.compare"), type="primary", key="parallel-compare"):
        st.session_state[_ASKED] = snapshot.id
        st.rerun()
    return False


def _draw_proposals(context: Context) -> None:
    """Draw the proposed groups above a similarity."""
    if not _confirmed(context):
        return
    left, middle, right = Fields(context, "parallel_groups", "parallel").row([1, 1, 2])
    at_least = left.number("at_least", 0.05, 1.0, AT_LEAST, step=0.05)
    most = middle.number("most", 2, 50, MOST)
    wanted: dict[str, Any] = {
        "at_least": round(at_least, 2),
        "most": most,
        "statute": right.text("statute").strip(),
    }
    with guarded(context.language):
        with st.spinner(context.say("parallel_groups.comparing")):
            found = proposals(*context.here, context.by, **wanted)
        _list(context, found)


def _list(context: Context, proposed: Proposed) -> None:
    """Draw the proposed groups of a state that the reader chooses, the first ones of many."""
    say = context.say
    counts = {name: getattr(proposed, name) for name in ("compared", "too_common", "most")}
    st.caption(say("parallel_groups.compared", **counts))
    states = {str(each): proposed.count(each) for each in State}
    state = choose_counted(context, "parallel_groups.state", states, "parallel-state")
    shown = [each for each in proposed.groups if each.state == state]
    if not shown:
        st.info(say("parallel_groups.nothing"), icon=":material/info:")
        return
    note = ""
    if context.may(Act.EDIT_GUIDELINES) and state != State.DECLARED:
        fields = Fields(context, "parallel_groups", "parallel")
        note = fields.text("why", max_chars=NOTE_LIMIT, key="note")
    if len(shown) > _PAGE:
        st.caption(say("parallel_groups.first", count=_PAGE, total=len(shown)))
    for each in shown[:_PAGE]:
        _card(context, proposed, each, note)


def _card(context: Context, proposed: Proposed, each: ProposedGroup, note: str) -> None:
    """Draw a proposed group: score, reason, provisions, decision, actions."""
    say, proposal = context.say, each.proposal
    with st.container(border=True):
        several = f"{proposal.score:.2f}" != f"{proposal.highest:.2f}"
        words = f"parallel_groups.{'score' if several else 'one_score'}"
        score = say(words, low=proposal.score, high=proposal.highest)
        tier = _tier_name(context, proposal.tier)
        st.markdown(f"**{md_literal(proposal.title)}** · {tier} · {score}")
        reason = say("parallel_groups.reason", heading=proposal.heading)
        if proposal.without:
            names = ", ".join(proposal.without)
            reason += " " + say("parallel_groups.reason_without", names=names)
        st.caption(md_literal(reason))
        key = f"parallel-proposal-{'-'.join(proposal.units)}"
        _draw_members(context, proposed.slots, proposal.members, each.names, key)
        _draw_decision(context, each)
        if context.may(Act.EDIT_GUIDELINES) and each.state is not State.DECLARED:
            _draw_actions(context, proposed, each, note)


def _draw_decision(context: Context, each: ProposedGroup) -> None:
    """Draw who decided on a proposal, and when."""
    said = each.decision
    if said is None:
        return
    words = context.say(
        f"parallel_groups.decision.{said.verdict}",
        who=said.person or context.say("guidelines.operator"),
        at=f"{said.at:%Y-%m-%d %H:%M}",
        score=said.score,
    )
    st.caption(md_literal(f"{words} {said.note}".rstrip()))


def _draw_actions(context: Context, proposed: Proposed, each: ProposedGroup, note: str) -> None:
    """Draw the buttons that confirm or refuse a proposal."""
    key = "-".join(each.proposal.units)
    acts = [Verdict.CONFIRMED] + ([Verdict.REFUSED] if each.state is State.OPEN else [])
    for column, verdict in zip(st.columns([1, 1, 4]), acts, strict=False):
        words = context.say(f"parallel_groups.act.{verdict}")
        if column.button(words, key=f"parallel-{verdict}-{key}", width="stretch"):
            with guarded(context.language):
                decide(
                    *context.here,
                    [each.proposal.units],
                    verdict,
                    note,
                    context.by,
                    at_least=proposed.at_least,
                    most=proposed.most,
                )
                name = each.proposal.title
                redraw_with(NOTICE, context.say(f"parallel_groups.done.{verdict}", name=name))


def _preview(context: Context, text: str) -> None:
    """Draw the effects of a changed declaration: groups, edges, problems, diff."""
    found = changes(*context.here, text, context.by)
    before, after = found.edges
    st.markdown(context.say("parallel_groups.edges", before=before, after=after))
    for name, keys in (("new", found.new), ("changed", found.changed), ("gone", found.gone)):
        if keys:
            words = context.say(f"parallel_groups.{name}", keys=", ".join(keys))
            st.caption(md_literal(words))
    _problems(context, found.problems)
    with st.expander(context.say("parallel_groups.diff"), icon=":material/difference:"):
        st.code(found.diff, language="diff")


_EDITOR = VersionEditor(
    words="parallel_groups.text",
    place="parallel-groups",
    saved="parallel_groups.saved",
    no_text="parallel_file",
    limit=TEXT_LIMIT,
    source=PARALLEL_GROUPS,
    preview=_preview,
)
