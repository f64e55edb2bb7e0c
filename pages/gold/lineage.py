"""Where one line of gold comes from: every decision on its question, in order of time."""

from __future__ import annotations

import streamlit as st

from annotation.gold.derivation import GoldItem
from annotation.gold.lineage import LineageEntry
from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import plain_text

_HASH = 12  # leading digits that tell snapshots apart at a glance


def draw_lineage(context: Context, item: GoldItem) -> None:
    """Draw who decided what on the item and when; of a pending item to who reads labels only."""
    with st.container(border=True):
        st.markdown(f"**{context.say('gold.lineage')} · {plain(item.external_id)}**")
        plain_text(item.question, f"lineage-{item.item_id}", "lead")
        if not item.settled and not context.may(Act.READ_OTHERS_LABELS):
            st.caption(context.say("gold.lineage_hidden"))
            return
        if not item.lineage:
            st.caption(context.say("gold.lineage_none"))
        for entry in item.lineage:
            _entry(context, entry)


def _entry(context: Context, entry: LineageEntry) -> None:
    say = context.say
    st.divider()
    head = st.container(horizontal=True, vertical_alignment="center")
    head.badge(
        say(f"gold.kind.{entry.kind}"),
        icon=":material/gavel:" if entry.kind == "adjudication" else ":material/person:",
        color="violet" if entry.kind == "adjudication" else "blue",
    )
    head.markdown(f"**{plain(entry.person)}**")
    head.caption(f"{entry.at:%Y-%m-%d %H:%M} UTC")
    if entry.conflict:
        st.caption(f":material/warning: {say('cases.conflict_decided')}")
    if entry.no_provision:
        st.text(say("gold.no_provision"))
    _labels(context, entry)
    for name in ("reason", "comment", "flag"):
        if words := getattr(entry, name):
            sent_back = name == "reason" and entry.kind == "earlier"
            st.caption(say("cases.sent_back_for" if sent_back else f"gold.{name}_said"))
            st.text(words)
    effective = entry.effective.isoformat() if entry.effective else "–"
    world = {
        "snapshot": entry.snapshot[:_HASH],
        "effective": effective,
        "guideline": entry.guideline_version,
        "codebook": entry.codebook_version,
        "seconds": f"{entry.seconds:.0f}",
    }
    st.caption(plain(say("gold.world", **world)))


def _labels(context: Context, entry: LineageEntry) -> None:
    say = context.say
    telling = [each for each in entry.labels if each.label != "reject"]
    if telling:
        st.dataframe(
            {
                say("gold.provision"): [each.unit for each in telling],
                say("gold.label"): [say(f"adjudication.label.{each.label}") for each in telling],
                say("gold.citations"): [", ".join(each.citations) for each in telling],
            },
            hide_index=True,
        )
    rejected = len(entry.labels) - len(telling)
    if rejected:
        st.caption(say("gold.rejected", count=rejected))
