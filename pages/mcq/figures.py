"""The MCQ report drawn, with what it counts to choose, its replies and its export.

Replies behind a count of the report, each with the text that decided its outcome.

Choice of two models to compare on the same questions, before and after a change.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from evaluation.mcq.safety import Counts, ModelPair
from evaluation.mcq.votes import Of
from evaluation.replies.outcomes import Outcome
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.reports import draw_report
from pages.shell.widgets import choose, download, pick_row
from services.bundle import zipped
from services.mcq.export import export_mcqs
from services.mcq.replies import ReplyLine, Which, mcq_replies
from services.mcq.report import PAIR_NAME, READINGS, SCOPES, McqReport, mcq_report, named_pairs
from services.mcq.report_tables import as_report

_TEXT_HEIGHT = 320  # pixels
_ANY = "any"


def draw_replies(context: Context, counts: Counts, scope: str) -> None:
    """Draw the replies that a row of the report counts, by choice those of one outcome."""
    came = [outcome for outcome in Outcome if counts.outcomes[outcome]]
    key, words = f"mcq-replies-{counts.model}-{counts.setting}", "mcq_report.replies"
    with st.container(border=True):
        options = [_ANY, *came]
        chosen = choose(context, f"{words}.outcome", options, "mcq_report.column", key)
        outcome = None if chosen == _ANY else Outcome(chosen)
        which = Which(counts.model, counts.setting, outcome)
        lines = mcq_replies(*context.here, context.by, scope, which)
        head = context.say(
            f"{words}.of_cell",
            count=f"{len(lines):,}",
            model=counts.model,
            setting=context.say(f"mcq_report.setting.{counts.setting}"),
            outcome=context.say(f"mcq_report.column.{chosen}"),
        )
        st.markdown(f"**{md_literal(head)}**")
        columns = {
            "outcome": [context.say(f"mcq_report.column.{line.outcome}") for line in lines],
            "option": [line.option for line in lines],
            "decided": [line.quote for line in lines],
            "question": [line.query for line in lines],
            "rule": [line.rule for line in lines],
            "repeat": [line.repeat + 1 for line in lines],
            "id": [line.question for line in lines],
        }
        config = {"question": st.column_config.TextColumn(width="medium")}
        shape: dict[str, Any] = {"wide": "decided", "config": config, "placeholder": "–"}
        row = pick_row(context, words, columns, f"{key}-{chosen}", f"{words}.pick", **shape)
        if row is not None:
            _reply(context, lines[row])


def _reply(context: Context, line: ReplyLine) -> None:
    """Draw the whole reply, with the deciding text marked."""
    if not line.raw.strip():
        st.caption(context.say("mcq_report.replies.empty"))
        return
    marks = {} if line.span is None else {"match": [line.span]}
    spans = split_by_marks(line.raw, marks)
    plain_text(spans, f"mcq-reply-{line.question}", height=_TEXT_HEIGHT)


_NEW = ""  # the choice that is no saved pair


def kept_pairs(context: Context, models: set[str]) -> list[ModelPair]:
    """Return the session's saved pairs of these models."""
    kept = st.session_state.get(_key(context), [])
    return [pair for pair in kept if {pair.before, pair.after} <= models]


def _key(context: Context) -> str:
    """Return the session key of the saved pairs."""
    return f"mcq-pairs-{context.project}"


def choose_pair(context: Context, found: McqReport) -> list[ModelPair]:
    """Draw the choice of a pair, if there are two models; return saved ones, then the chosen."""
    say, models = context.say, list(dict.fromkeys(line.model for line in found.models))
    kept = {pair.shown: pair for pair in kept_pairs(context, set(models))}
    if len(models) < 2:
        return []
    with st.expander(say("mcq_report.changes"), icon=":material/compare_arrows:"):
        st.caption(say("mcq_report.changes_help"))
        chosen = _saved_pair(context, list(kept))
        pair = kept.pop(chosen) if chosen else _new_pair(context, models, kept.keys())
    return [*kept.values(), *([pair] if pair and pair.shown not in kept else [])]


def _saved_pair(context: Context, names: list[str]) -> str:
    """Draw the choice between the saved pairs and a new one; return its name, "" for new."""
    if not names:
        return _NEW

    def words(name: str) -> str:
        """Return a pair's name, or the words for a new one."""
        return name or context.say("mcq_report.another_pair")

    key = f"{_key(context)}-chosen"
    if st.session_state.get(key) not in (None, _NEW, *names):
        del st.session_state[key]
    chosen = choose(context, "mcq_report.kept_pairs", [*names, _NEW], words, key)
    if chosen:
        _fields(context).press("drop_pair", on_click=_delete_pair, args=(context, chosen))
    return chosen


def _fields(context: Context) -> Fields:
    return Fields(context, "mcq_report", "mcq")


def _delete_pair(context: Context, name: str) -> None:
    kept = st.session_state.get(_key(context), [])
    st.session_state[_key(context)] = [pair for pair in kept if pair.shown != name]


def _new_pair(context: Context, models: Sequence[str], taken: Collection[str]) -> ModelPair | None:
    """Draw the fields of a pair; return it once two models are chosen."""
    left, middle, right = _fields(context).row(3)
    hint, column = "mcq_report.choose", "mcq_report.column"
    before = left.pick_any("before", models, hint, label=context.say(f"{column}.before"))
    after = middle.pick_any("after", models, hint, label=context.say(f"{column}.after"))
    example = context.say("mcq_report.pair_name_example")
    name = right.text("pair_name", max_chars=PAIR_NAME, placeholder=example)
    if before is None or after is None or before == after:
        return None
    [pair] = named_pairs([ModelPair(before, after, name)])
    saving = {"on_click": _save_pair, "args": (context, pair)}
    _fields(context).press("keep_pair", disabled=pair.shown in taken, **saving)
    return pair


def _save_pair(context: Context, pair: ModelPair) -> None:
    """Save a pair of models in the session, and choose it."""
    key = _key(context)
    st.session_state[key] = [*st.session_state.get(key, []), pair]
    st.session_state[f"{key}-chosen"] = pair.shown


_PREPARED = "mcq-prepared"


@fragment
def draw_figures(context: Context) -> None:
    """Draw the report, as a fragment: choices in it redraw nothing else."""
    scope = choose(
        context, "mcq_report.scope_label", SCOPES, "mcq_report.scope", "mcq-scope", titled=True
    )
    found = mcq_report(*context.here, context.by, scope)
    if not found.funnel.start:
        may = context.may(Act.MAKE_ITEMS)
        words = "mcq_report.empty" if may else "mcq_report.empty_reader"
        st.info(context.say(words), icon=":material/info:")
        return
    kept = kept_pairs(context, {line.model for line in found.models})
    if found.rows:
        found, of = _chosen_reading(context, found)
    else:
        st.info(context.say("mcq_report.no_votes"), icon=":material/smart_toy:")
        of = Of.ALL
    with guarded(context.language):
        pairs = choose_pair(context, found)
        if pairs:
            found = mcq_report(*context.here, context.by, scope, pairs, found.reading)
        if pairs and not any(change.pair == pairs[-1] for change in found.changes):
            st.info(context.say("mcq_report.no_changes"), icon=":material/info:")
    chosen = draw_report(context, as_report(found, context.language, of), "mcq")
    row = chosen.get("counts")
    if row is not None:
        draw_replies(context, found.counts[row], scope)
    draw_export(context, scope, kept)


def _chosen_reading(context: Context, found: McqReport) -> tuple[McqReport, Of]:
    """Draw how replies are read and pictures count; return the report so read, and the latter."""
    reading = READINGS[0]
    with st.container(horizontal=True):
        if found.untold < sum(each.outcomes.total() for each in found.counts):
            label, words = "mcq_report.reading_label", "mcq_report.reading"
            reading = choose(context, label, READINGS, words, "mcq-reading", titled=True)
        of = choose(
            context, "mcq_report.column.of", list(Of), "mcq_report.of_name", "mcq-of", titled=True
        )
    if reading != READINGS[0]:
        found = mcq_report(*context.here, context.by, found.scope, reading=reading)
    return found, Of(of)


def draw_export(context: Context, scope: str, pairs: Sequence[ModelPair]) -> None:
    """Draw the export to those who may: the button that prepares it, then the download."""
    if not context.may(Act.EXPORT_GOLD):
        return
    say, about = context.say, (context.project, scope, tuple(pairs))
    with st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.header(say("mcq_report.items.export"), anchor=False)
        words.caption(say("mcq_report.items.export_help"))
        shown = {"icon": ":material/save:", "width": "stretch", "key": "export"}
        fields = Fields(context, "mcq_report.items", "mcq", place=button)
        if fields.press("run_export", **shown):
            st.session_state.pop(_PREPARED, None)
            with guarded(context.language):
                with tempfile.TemporaryDirectory() as folder:
                    export_mcqs(*context.here, Path(folder), scope, context.by, pairs)
                    archive = zipped(Path(folder))
                st.session_state[_PREPARED] = about, archive
        kept, archive = st.session_state.get(_PREPARED, (None, b""))
        if kept == about:
            name = f"{context.project}-mcq.zip"
            download(say("mcq_report.items.download"), archive, name, "mcq-download")
