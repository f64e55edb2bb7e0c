"""Standard groups screen: coverage of the typology, cases per group, the typology.

Editor of the typology, with a preview of the cases that a change would move.

Gaps of the typology: unknown charge titles, cases in no group or in several.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import CategoryRow, Missed
from construction.cases.typology import TEXT_LIMIT, Category, add_charge, add_title, group_name
from pages.cases.group_list import draw_groups
from pages.cases.reader import charges_or_title, draw_cases, group_names
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import draw_head, redraw_with
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import choose, download, draw_table, pick_row
from services.cases.standard_groups import (
    CaseGroups,
    case_groups,
    coverage_csv,
    members_csv,
    moves,
)


def _preview(context: Context, text: str) -> None:
    """Draw the effects of a changed typology: counts, removed and new groups, moved cases."""
    say, found = context.say, moves(*context.here, text, context.by)
    counts = {"before": found.before.mapped, "after": found.after.mapped}
    counts |= {"moved": len(found.moved), "cases": found.before.cases}
    st.markdown(say("case_groups.typology.moves", **counts))
    for name, keys in (("gone", found.gone), ("new", found.new)):
        if keys:
            st.caption(say(f"case_groups.typology.{name}", keys=", ".join(keys)))
    if not found.moved:
        return
    columns = {
        "case_groups.case": [each.case.external_id for each in found.moved],
        "before": [list(each.before) for each in found.moved],
        "after": [list(each.after) for each in found.moved],
    }
    draw_table(context, "case_groups.typology", columns, "typology-moves")


_EDITOR = VersionEditor(
    words="case_groups.typology",
    place="typology",
    saved="case_groups.saved",
    no_text="typology_file",
    limit=TEXT_LIMIT,
    source=TYPOLOGY,
    preview=_preview,
)


def draw_left_out(context: Context, case_groups: CaseGroups, notice_key: str) -> None:
    """Draw unknown titles, most frequent first, and cases in no group or in several.

    `notice_key` is the key of the message shown after an act.
    """
    _titles(context, case_groups, notice_key)
    _unmapped(context, case_groups)
    _multiple(context, case_groups)


def _titles(context: Context, found: CaseGroups, notice_key: str) -> None:
    """Draw the charge titles that no group has, with a fix for the picked one."""
    say, missed = context.say, found.coverage.missed
    st.header(say("case_groups.missed"), anchor=False)
    if not missed:
        st.success(say("case_groups.none_missed"), icon=":material/done_all:")
        return
    st.caption(say("case_groups.missed_note"))
    left, right = st.columns([3, 2], gap="large")
    with left:
        columns = {
            "charge_title": [each.title or "–" for each, _ in missed],
            "cases": [count for _, count in missed],
            "reason_column": [say(f"case_groups.reason.{each.reason}") for each, _ in missed],
        }
        row = pick_row(context, "case_groups", columns, "case-groups-missed")
    with right:
        _draw_fix(context, found, None if row is None else missed[row][0], notice_key)


def _draw_fix(
    context: Context, case_groups: CaseGroups, picked: Missed | None, notice_key: str
) -> None:
    """Draw the fix for an unknown title: assign it to a charge, or another remedy."""
    say = context.say
    if picked is None:
        st.caption(say("case_groups.pick_title"))
    elif picked.reason != "unknown_title":
        words = say(f"case_groups.mend.{picked.reason}", charge=picked.charge)
        st.info(md_literal(words), icon=":material/lightbulb:")
    elif not context.may(Act.EDIT_GUIDELINES):
        st.caption(say("case_groups.mend.ask_others"))
    else:
        with st.container(border=True):
            _add(context, case_groups, picked.title, notice_key)


def _add(context: Context, found: CaseGroups, title: str, notice_key: str) -> None:
    """Draw the form that saves a typology version with the title, in a charge or as a new one."""
    say, language = context.say, context.language
    st.markdown(f"**{md_literal(title)}**")
    ways, key = ["same_as", "new_in"], "case-groups-mend"
    how = choose(context, "case_groups.mend.how", ways, "case_groups.mend", key)
    places = {each.key: each.label[language] for each in found.typology.categories}
    if how == "same_as":  # a charge with its category
        places = {
            f"{above.key}.{each.key}": f"{each.label[language]} ({above.label[language]})"
            for above, each in found.typology.charges()
        }
    fields, more = Fields(context, "case_groups.mend", "case-groups"), {"key": f"{how}-{title}"}
    hint = "case_groups.mend.choose"
    place = fields.pick_any(f"{how}_place", places, hint, places.__getitem__, **more)
    if place is None:
        return
    with guarded(language):
        now = TYPOLOGY.edition(*context.here, by=context.by)
        text = (add_title if how == "same_as" else add_charge)(now.text, place, title)
        found_moves = moves(*context.here, text, context.by)
        st.caption(say("case_groups.mend.would_move", count=len(found_moves.moved)))
        if fields.press("add", type="primary"):
            note = say("case_groups.mend.note", title=title, place=place)
            new = TYPOLOGY.save(*context.here, text, note, now.number, context.by)
            redraw_with(notice_key, say("case_groups.saved", number=new))


def _unmapped(context: Context, case_groups: CaseGroups) -> None:
    """Draw the cases without a group."""
    say = context.say
    cases = [
        case_groups.cases[number] for number, each in case_groups.mapped.items() if not each.groups
    ]
    st.header(say("case_groups.unmapped", count=len(cases)), anchor=False)
    if not cases:
        return
    reasons = []
    for case in cases:
        missed = dict.fromkeys(each.reason for each in case_groups.mapped[case.id].missed)
        reasons.append("; ".join(say(f"case_groups.reason.{reason}") for reason in missed))
    columns = {
        "charges": [charges_or_title(case) for case in cases],
        "reason_column": reasons,
        "provisions": [", ".join(case.provisions) for case in cases],
        "court": [case.court for case in cases],
    }
    draw_cases(context, cases, columns, "case-groups-unmapped", "charges")


def _multiple(context: Context, case_groups: CaseGroups) -> None:
    """Draw the cases with several groups."""
    say, called = context.say, group_names(case_groups, context.language)
    cases = {number: each for number, each in case_groups.mapped.items() if len(each.groups) > 1}
    st.header(say("case_groups.multiple", count=len(cases)), anchor=False)
    if not cases:
        return
    columns = {
        "case": [case_groups.cases[number].external_id for number in cases],
        "charges": [charges_or_title(case_groups.cases[number]) for number in cases],
        "groups": [[called[group] for group in case.groups] for case in cases.values()],
    }
    draw_table(context, "case_groups", columns, "case-groups-multiple", wide="groups")


NOTICE = "case-groups-notice"
TABS = ("coverage", "groups", "left_out", "typology")


def draw_coverage(context: Context, case_groups: CaseGroups) -> None:
    """Draw the totals, the table of categories, and the selected category's groups."""
    _totals(context, case_groups)
    rows = zip(case_groups.typology.categories, case_groups.coverage.rows, strict=True)
    empty_too = st.toggle(context.say("case_groups.empty_too"), key="case-groups-empty")
    shown = [(category, row) for category, row in rows if row.cases or empty_too]
    left, right = st.columns([3, 2], gap="large")
    with left:
        picked = _categories(context, case_groups, shown)
    with right:
        _groups(context, case_groups, picked)
    _downloads(context, case_groups)


def _totals(context: Context, case_groups: CaseGroups) -> None:
    """Draw the numbers of mapped cases and filled groups."""
    say, covered = context.say, case_groups.coverage
    share = "–" if covered.share is None else f"{covered.share:.2%}"
    figures = (
        ("mapped", f"{covered.mapped:,} / {covered.cases:,}", share),
        ("filled", f"{covered.filled:,} / {covered.groups:,}", None),
        ("multiple", f"{covered.multiple:,}", None),
        ("assigned", f"{covered.assigned:,}", None),
    )
    for card, (name, value, delta) in zip(st.columns(4), figures, strict=True):
        card.metric(
            say(f"case_groups.total.{name}"),
            value,
            delta,
            delta_color="off",
            delta_arrow="off",
            help=say(f"case_groups.total.{name}_help"),
            border=True,
            height="stretch",
        )


def _categories(
    context: Context, case_groups: CaseGroups, rows: Sequence[tuple[Category, CategoryRow]]
) -> Category | None:
    """Draw the categories as a table; return the picked one."""
    say, language = context.say, context.language
    columns = {
        "category": [each.label[language] for each, _ in rows],
        "cases": [row.cases for _, row in rows],
        "share": [row.cases / case_groups.coverage.cases for _, row in rows],
        "filled": [row.filled for _, row in rows],
        "groups": [row.groups for _, row in rows],
    }
    share = st.column_config.ProgressColumn(
        min_value=0.0, max_value=1.0, format="percent", help=say("case_groups.share_help")
    )
    key, config = "case-groups-categories", {"share": share}
    picked = pick_row(context, "case_groups", columns, key, config=config)
    return None if picked is None else rows[picked][0]


def _groups(context: Context, case_groups: CaseGroups, category: Category | None) -> None:
    """Draw the groups of the picked category."""
    say = context.say
    if category is None:
        st.caption(say("case_groups.pick_category"))
        return
    groups = [(charge, group) for charge in category.charges for group in charge.groups]
    columns = {
        "group": [group_name(*each)[context.language] for each in groups],
        "cases": [case_groups.coverage.by_group[group.key] for _, group in groups],
    }
    draw_table(context, "case_groups", columns, f"case-groups-of-{category.key}", wide="group")


def _downloads(context: Context, case_groups: CaseGroups) -> None:
    """Draw the buttons that download coverage and members."""
    row = st.container(horizontal=True)
    files = {"coverage": coverage_csv(case_groups), "members": members_csv(case_groups)}
    for name, text in files.items():
        words = context.say(f"case_groups.download.{name}")
        file = f"{context.project}-{name}.csv"
        download(words, text, file, f"case-groups-download-{name}", place=row)


def render(context: Context) -> None:
    """Draw the page."""
    say = context.say
    draw_head(context, "case_groups", NOTICE)
    chosen = choose(context, "case_groups.tab.label", TABS, "case_groups.tab", "case-groups-tab")
    if chosen == "typology":
        _EDITOR.draw(context, NOTICE)
        return
    found = case_groups(*context.here, context.by)
    if not found.cases:
        st.info(say("case_groups.no_cases"), icon=":material/info:")
    elif chosen == "groups":
        draw_groups(context, found, NOTICE)
    elif chosen == "left_out":
        draw_left_out(context, found, NOTICE)
    else:
        draw_coverage(context, found)
