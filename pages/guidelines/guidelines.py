"""Guidelines screen: current text, versions with changes, editing, migration of answers.

Reading view of a guideline (marked text) or a codebook (table of options).

Editor of a guideline or codebook, with a live preview.

Migration of answers to a new version: mapping, preview, execution.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from annotation.guidelines.codebook_tree import Codebook, Factor, Option, parse, text_limit
from annotation.guidelines.documents import IN_YAML, KINDS, TASK, languages_of, read_document
from annotation.guidelines.editing import NOTE_LIMIT, new_version
from annotation.guidelines.migration import (
    REASON_LIMIT,
    Choices,
    Outcome,
    choices,
    migrate_answers,
    preview,
)
from annotation.guidelines.versions import list_versions
from annotation.mapping.commands import ANSWERS, NO_PROVISION
from annotation.people.roles import Act
from annotation.tasks.own import all_tasks
from annotation.work.rules import AGAIN, FATES, SAME, Why
from errors import UserError
from pages.guidelines.versions import draw_builtin, draw_versions, version_name
from pages.shell.context import Context, address
from pages.shell.fields import Fields
from pages.shell.guard import guarded, show
from pages.shell.notices import draw_head, redraw_with
from pages.shell.plain_text import plain_text
from pages.shell.widgets import choose, choose_task, draw_table
from pages.task.documents import answer_name, answer_names, guideline_spans


@dataclass(frozen=True, slots=True)
class _Step:
    """A migration from one version of a document to another."""

    kind: str
    task: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """Prefix of its widget keys."""
        return "-".join((self.task, self.kind, str(self.start), str(self.end)))


def draw_migration(context: Context, kind: str, task: str, notice_key: str) -> None:
    """Draw the mapping form, a preview of the migration, and the button that carries it out.

    `notice_key` is the key of the message shown after an act.
    """
    say = context.say
    st.markdown(say("guidelines.migrate_lead" if task == TASK else "guidelines.migrate_form_lead"))
    views = list_versions(*context.here, kind, task, context.by)
    newest = next(view.number for view in views if view.current)
    old = [view.number for view in views if view.submissions and view.number < newest]
    if not old:
        st.info(say("guidelines.nothing_to_migrate"), icon=":material/check:")
        return
    left, right = Fields(context, "guidelines", "guidelines").row(2)
    named = partial(version_name, context)
    start = left.pick("from", old, named, key=f"from-{task}-{kind}")
    later = [view.number for view in views if view.known and view.number > start]
    end = right.pick("to", later, named, key=f"to-{task}-{kind}")
    _draw_step(context, _Step(kind, task, start, end), notice_key)


def _draw_step(context: Context, step: _Step, notice_key: str) -> None:
    """Draw the choices of a migration, its outcome and the button that carries it out."""
    say, names, items = context.say, dict[str, str](), list[str]()
    fields = Fields(context, "guidelines", "guidelines")
    where = (*context.here, step.kind, step.task, step.start, step.end)
    if step.task == TASK:
        answers = _answers(context, step.kind)
    else:
        names = answer_names(context, step.task)
        found = choices(*where, context.by)
        answers = _form_answers(context, step, found, names)
        shown = {"placeholder": "", "key": f"items-{step.key}"}
        items = fields.several("again_items", found.items, **shown)
    outcome = preview(*where, answers, context.by, items)
    draw_outcome(context, outcome, names)
    reason = fields.text("reason", max_chars=REASON_LIMIT, key=f"reason-{step.kind}")
    words = say("guidelines.migrate", count=outcome.moved)
    if fields.press("migrate", label=words, type="primary", disabled=not outcome.moved):
        with guarded(context.language):
            done = migrate_answers(*where, answers, reason, context.by, items)
            counts = {"moved": done.moved, "again": done.counts["again"]}
            redraw_with(notice_key, say("guidelines.migrated", number=step.end, **counts))


def _answers(context: Context, kind: str) -> dict[str, str]:
    """Draw the choice of each answer's replacement; return answer → replacement."""
    fields = Fields(context, "mapping.ui", f"guidelines-answer-{kind}").row(len(ANSWERS))
    chosen = {}
    for answer, field in zip(ANSWERS, fields, strict=True):
        others = () if answer == NO_PROVISION else ANSWERS[:-1]
        options = [SAME, *(other for other in others if other != answer), AGAIN]
        chosen[answer] = field.pick(answer, options, "guidelines.becomes", key=answer)
    return chosen


def _form_answers(
    context: Context, step: _Step, choices: Choices, names: dict[str, str]
) -> dict[str, str]:
    """Draw which answers must be given again, and what removed ones become; return the mapping."""
    say, fields = context.say, Fields(context, "guidelines", "guidelines")
    reworded = [answer for answer in choices.answers if choices.changed.get(answer) == AGAIN]
    gone = [each for each in reworded if _is_gone(choices, each)]
    again = fields.several(
        "again_answers",
        [answer for answer in choices.answers if answer not in gone],
        partial(answer_name, names),
        [each for each in reworded if each not in gone],
        placeholder="",
        key=f"again-{step.key}",
    )
    chosen: dict[str, str] = dict.fromkeys(again, AGAIN)
    chosen |= {each: SAME for each in reworded if each not in (*again, *gone)}
    for name in gone:
        field = name.partition(".")[0]
        words = {AGAIN: say("guidelines.becomes.again")}
        words |= {each: answer_name(names, f"{field}.{each}") for each in choices.options[field]}
        label = say("guidelines.becomes_other", what=answer_name(names, name))
        shown = {"label": label, "key": f"gone-{step.key}-{name}"}
        chosen[name] = fields.pick("becomes_other", words, words.__getitem__, **shown)
    return chosen


def _is_gone(choices: Choices, name: str) -> bool:
    """Return True if `name`, an answer's ``field.option``, is of an option now removed."""
    field, _, option = name.partition(".")
    return bool(option) and option not in choices.options.get(field, (option,))


def draw_outcome(context: Context, outcome: Outcome, names: dict[str, str]) -> None:
    """Draw the submissions by outcome; `names` are display names of a form's answers."""
    say = context.say
    shown = [fate for fate in FATES if outcome.counts[fate]]
    for fate, place in zip(shown, st.columns(max(len(shown), 1)), strict=False):
        place.metric(say(f"guidelines.fate.{fate}"), outcome.counts[fate])
    for fate in shown:
        if fate not in ("same", "mapped"):
            st.caption(f"{say(f'guidelines.fate.{fate}')}: {say(f'guidelines.fate_help.{fate}')}")
    lines = outcome.lines
    columns = {
        "question": [line.external_id for line in lines],
        "who": [line.person for line in lines],
        "becomes_what": [say(f"guidelines.fate.{line.fate or 'hidden'}") for line in lines],
    }
    if names:
        reasons = [[_reason_text(context, why, names) for why in line.why] for line in lines]
        columns["why_again"] = [", ".join(each) for each in reasons]
    draw_table(context, "guidelines", columns, "guidelines-outcome")


def _reason_text(context: Context, why: Why, names: dict[str, str]) -> str:
    what = f"{why.field}.{why.option}" if why.option else why.field
    return context.say(f"guidelines.why.{why.code}", what=answer_name(names, what))


def draw_text(
    context: Context, text: str, key: str, book: Codebook | None, language: str | None = None
) -> None:
    """Draw a guideline, or the parsed codebook if given."""
    if book is None:
        plain_text(guideline_spans(text), key, language=language or context.language)
    else:
        _draw_codebook(context, book, key, language or context.language)


def _draw_codebook(context: Context, book: Codebook, key: str, language: str) -> None:
    """Draw the codebook as a table."""
    rows = [row for factor in book.factors for row in _rows(factor, "")]
    rows += [("", option) for option in book.options]
    columns = {"factor": [at for at, _ in rows]} if book.factors else {}
    columns |= {
        "key": [each.key for _, each in rows],
        "label": [each.label[language] for _, each in rows],
        "meaning": [each.meaning[language] for _, each in rows],
    }
    draw_table(context, "guidelines", columns, key, wide="meaning")


def _rows(factor: Factor, above: str) -> list[tuple[str, Option]]:
    """Return (path, option) of a factor and those below it; `above` is its parent's path."""
    here = f"{above} › {factor.key}" if above else factor.key
    rows = [(here, option) for option in factor.options]
    return rows + [row for inner in factor.factors for row in _rows(inner, here)]


_HEIGHT = 460  # pixels of a text before it scrolls


def draw_editor(context: Context, kind: str, task: str, notice_key: str) -> None:
    """Draw the editor of a guideline or codebook; saving creates a new version.

    `notice_key` is the key of the message shown after an act.
    """
    say = context.say
    place = f"guidelines-edit-{context.project}-{task}-{kind}"
    base = _base_version(context, kind, task, place)
    st.caption(say("guidelines.editing", number=base, next=base + 1))
    texts = {}
    languages = sorted(languages_of(kind), key=lambda each: each != context.language)
    tabs = st.tabs([say(f"guidelines.languages.{each}") for each in languages])
    for language, tab in zip(languages, tabs, strict=True):
        with tab:
            texts[language] = _side_by_side(context, kind, task, language, place)
    hint = say("guidelines.note_hint")
    fields = Fields(context, "guidelines", place)
    note = fields.text("note", max_chars=NOTE_LIMIT, placeholder=hint)
    row = Fields(context, "guidelines", "guidelines", place=st.container(horizontal=True))
    if row.press("save", type="primary"):
        with guarded(context.language):
            version = new_version(*context.here, kind, task, texts, note, base, context.by)
            _clear_edit(place)
            redraw_with(notice_key, say("guidelines.saved", number=version.partition("-")[0]))
    if row.press("start_over"):
        _clear_edit(place)
        st.rerun()


def _base_version(context: Context, kind: str, task: str, place: str) -> int:
    """Return the version that the edit began with; begin an edit if there is none.

    Typed text is kept while the person looks at other views, though its widgets are gone.
    """
    kept = st.session_state.setdefault(place, {})
    if "number" not in kept:
        for language in languages_of(kind):
            found = read_document(*context.here, kind, task, language, by=context.by)
            kept[language], kept["number"] = found.text, found.number
    return int(kept["number"])


def _side_by_side(context: Context, kind: str, task: str, language: str, place: str) -> str:
    """Draw the text to edit beside its preview; return it."""
    kept = st.session_state[place]
    left, right = st.columns(2, gap="medium")
    name = f"{place}-{language}-{kept['number']}"
    if name not in st.session_state:
        st.session_state[name] = kept.get("typed", {}).get(language, kept[language])
    text = left.text_area(
        context.say("guidelines.text"),
        height=_HEIGHT,
        max_chars=text_limit(kind, task),
        key=name,
    )
    kept["typed"] = kept.get("typed", {}) | {language: text}
    with right:
        st.caption(context.say("guidelines.preview"))
        with st.container(border=True, height=_HEIGHT):
            _preview(context, kind, task, text, language, place)
    return str(text)


def _preview(context: Context, kind: str, task: str, text: str, language: str, place: str) -> None:
    """Draw how the text will look, or its error."""
    try:
        book = parse(text, task) if kind == "codebook" else None
    except UserError as error:
        show(error, context.language)
        return
    shown = None if kind == "codebook" else language
    draw_text(context, text, f"{place}-preview-{language}", book, shown)


def _clear_edit(place: str) -> None:
    """Delete the session's values whose keys begin with `place`: an edit and its fields."""
    for name in [each for each in st.session_state if str(each).startswith(place)]:
        del st.session_state[name]


NOTICE = "guidelines-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    draw_head(context, "guidelines", NOTICE)
    first, left, right = st.columns([2, 2, 3])
    tasks = all_tasks(*context.here)
    hidden = {"label_visibility": "collapsed"}
    task = choose_task(context, "guidelines.task", tasks, "guidelines-task", first, **hidden)
    with left:
        kind = choose(context, "guidelines.kind", KINDS, "guidelines.kinds", "guidelines-kind")
    edits = context.may(Act.EDIT_GUIDELINES)
    if kind == "codebook" and task in IN_YAML:
        place = f"factor_codebook?{urlencode(address())}"
        st.markdown(say("guidelines.factors", address=place))
        if edits:
            st.header(say("guidelines.views.migrate"), anchor=False)
            draw_migration(context, kind, task, NOTICE)
        return
    views = ["read", "versions", *(("edit", "migrate") if edits else ())]
    with right:
        view = choose(context, "guidelines.view", views, "guidelines.views", "guidelines-view")
    if view == "versions":
        draw_versions(context, kind, task)
    elif view == "edit":
        draw_editor(context, kind, task, NOTICE)
    elif view == "migrate":
        draw_migration(context, kind, task, NOTICE)
    else:
        _draw_current(context, kind, task)


def _draw_current(context: Context, kind: str, task: str) -> None:
    """Draw the current version."""
    found = read_document(*context.here, kind, task, context.language, by=context.by)
    st.caption(context.say("guidelines.holds", version=found.version))
    if context.may(Act.EDIT_GUIDELINES):
        draw_builtin(context, kind, task, NOTICE)
    with st.container(border=True):
        book = parse(found.text, task) if found.kind == "codebook" else None
        draw_text(context, found.text, "guidelines-text", book)
