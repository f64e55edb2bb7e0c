"""Train/dev/test split of the gold: version in use, new versions, leakage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from annotation.people.roles import Act
from construction.gold.splitting import MOST_SEED, PARTS, LeftOut, Recipe, Way
from corpus.limits import NOTE
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.gold_choice import draw_gold_choice
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.widgets import draw_table
from services.gold.gold_set import read_gold
from services.gold.leakage import Leakage, leakage
from services.gold.splits import SplitState, date_columns, make_split, split_state, splits
from storage.gold import SplitView

_USUAL = Recipe(Way.STATUTE)


@fragment
def draw_split(context: Context, ready: bool, notice_key: str) -> None:
    """Draw the split to those who may see scores; creating a version is for leads.

    `ready` says that human gold has a question; another gold set may have one without. `notice_key`
    is the key of the message shown after an act.
    """
    say = context.say
    if not context.may(Act.SEE_SCORES):
        return
    shut = st.expander(
        say("split.title"), icon=":material/call_split:", on_change="rerun", key="split-open"
    )
    if not shut.open:
        return
    versions = splits(*context.here, context.by)
    with shut:
        st.caption(say("split.help"))
        if versions:
            state = split_state(*context.here, by=context.by)
            if state is not None:
                _state(context, state, notice_key)
        else:
            st.caption(say("split.none"))
        if context.may(Act.SPLIT_GOLD) and (ready or read_gold(*context.here, context.by).sizes()):
            _draw_form(context, versions, notice_key)
        if len(versions) > 1:
            _versions(context, versions)


def _state(context: Context, state: SplitState, notice_key: str) -> None:
    """Draw the split's parts, who is left out, and buttons to extend it and to look for leakage."""
    say = context.say
    st.markdown(md_literal(_split_text(context, state.view)))
    st.caption(state.gold.size.say(context.language))
    placed = len(state.parts)
    names = ("part", "share", "reached", "questions", "no_provision", "pairs", "statutes", "gone")
    rows = [
        asdict(each) | {"reached": round(100 * each.questions / placed, 1) if placed else None}
        for each in state.lines
    ]
    draw_table(context, "split", {name: [row[name] for row in rows] for name in names})
    if reasons := state.reasons:
        told = " · ".join(say(f"split.reason.{why}", count=n) for why, n in reasons.items())
        st.caption(f"{say('split.left_out')} {told}")
    later = sum(why == LeftOut.LATER for why in state.left_out.values())
    if later and context.may(Act.SPLIT_GOLD):
        words, hint = say("split.extend", count=later), say("split.extend_help")
        if st.button(words, help=hint, key="split-extend"):
            _create_split(context, None, "", False, notice_key)
    if st.button(say("split.leak.run"), help=say("split.leak.help"), key="split-leaks"):
        with st.spinner(say("split.leak.run")), guarded(context.language):
            found = leakage(*context.here, by=context.by)
            if found is not None:
                _leaks(context, found)


def _split_text(context: Context, view: SplitView) -> str:
    recipe = view.recipe
    way = context.say(f"split.ways.{recipe.way}")
    return context.say(
        "split.holds",
        number=view.number,
        way=f"{way} ({recipe.column})" if recipe.column else way,
        shares="/".join(map(str, recipe.shares)),
        seed=recipe.seed,
        who=view.person or context.say("split.operator"),
        at=f"{view.at:%Y-%m-%d %H:%M}",
    )


def _leaks(context: Context, leakage: Leakage) -> None:
    """Draw the leakage between parts."""
    say = context.say
    st.markdown(f"**{say('split.leak.title')}**")
    for each in leakage.between:
        line = say("split.leak.line", **asdict(each), above=leakage.above)
        st.markdown(f"- {md_literal(line)}")
    if leakage.pairs:
        pairs = [(each.one, each.other, round(each.likeness, 3)) for each in leakage.pairs]
        names = ("one", "other", "likeness")
        draw_table(context, "split.leak", dict(zip(names, zip(*pairs, strict=True), strict=True)))


def _draw_form(context: Context, versions: Sequence[SplitView], notice_key: str) -> None:
    """Draw the options of a new version, and the button that makes it."""
    say, gold = context.say, draw_gold_choice(context)
    fields = Fields(context, "split", "split")
    way = st.segmented_control(
        say("split.by"),
        list(Way),
        default=Way.STATUTE,
        required=True,
        format_func=lambda each: say(f"split.ways.{each}"),
        key="split-by",
    )
    way = Way(way or Way.STATUTE)
    st.caption(say(f"split.ways_help.{way}"))
    column = ""
    if way is Way.DATE and (names := date_columns(*context.here, by=context.by)):
        column = fields.pick("column", names)
    elif way is Way.DATE:
        st.caption(say("split.no_columns"))
    *boxes, of_seed, of_near = fields.row(5, vertical_alignment="bottom")
    train, dev, test = (
        box.number("share", 0, 100, usual, label=say("split.shares", part=p), key=f"share-{p}")
        for box, p, usual in zip(boxes, PARTS, _USUAL.shares, strict=True)
    )
    seed = of_seed.number("seed", 0, MOST_SEED, 0)
    near = of_near.number("near", 0.01, 1.0, _USUAL.near, step=0.05)
    note, button = fields.row([4, 1], vertical_alignment="bottom")
    why = note.text("note", max_chars=NOTE)
    sure = not versions or fields.tick("again_sure")
    options = {"key": "make", "width": "stretch", "disabled": not sure}
    if button.press("again" if versions else "make", **options):
        recipe = Recipe(way, (train, dev, test), seed, near, column, gold=gold)
        _create_split(context, recipe, why, bool(versions), notice_key)


def _create_split(
    context: Context, recipe: Recipe | None, note: str, again: bool, notice_key: str
) -> None:
    """Make a version of the split; without a recipe, extend the current one by later questions."""
    with st.spinner(context.say("split.title")), guarded(context.language):
        made = make_split(*context.here, recipe, note, again=again, by=context.by)
        redraw_with(notice_key, context.say("split.made", **asdict(made)))


def _versions(context: Context, versions: Sequence[SplitView]) -> None:
    """Draw the versions of the split."""
    st.markdown(f"**{context.say('split.versions')}**")
    columns = {
        "version": [each.number for each in versions],
        "by": [context.say(f"split.ways.{each.recipe.way}") for each in versions],
        "share": ["/".join(map(str, each.recipe.shares)) for each in versions],
        "questions": [each.size for each in versions],
        "who": [each.person or context.say("split.operator") for each in versions],
        "when": [f"{each.at:%Y-%m-%d %H:%M}" for each in versions],
        "note": [each.note for each in versions],
    }
    draw_table(context, "split", columns)
