"""Judge report screen: reliability of judges, LLM runs, and the judged answers.

List of judged answers, in review order.

LLM runs of the judge report: verdicts and answers, with progress.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st

from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import text_of
from annotation.judging.state import (
    CaseState,
    judges_of,
    required_judge,
    review_order,
    states_of,
    systems_of,
)
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from construction.answers import ContextSpec, Kind
from evaluation.judging.judged import MAJORITY
from llm.batch import Progress
from llm.reply import Status
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.draft_state import kept_choice
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.reports import cached, draw_report
from pages.shell.task_progress import begin, draw_end, draw_task
from pages.shell.uploads import archive_help
from pages.shell.widgets import choose, download, draw_metrics, draw_parts, draw_table
from services.answers.asking import AnswersDone, start_answers
from services.answers.planning import AnswerOptions
from services.background.tasks import TaskKind
from services.judging.export import zipped_judging
from services.judging.importing import import_cases, import_ratings, import_verdicts
from services.judging.model_judging import JudgeTask, JudgingPlan, start_judging
from services.judging.report import JudgeReport, report, revision
from services.judging.report_tables import as_report, judge_words
from services.models.workspace_models import roles
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

_SAID = (Status.ANSWERED, Status.REFUSED, Status.FAILED)
_KINDS = {"closed": Kind.NONE, "context": Kind.GOLD}  # the context that a model gets, by option


def draw_run(context: Context) -> None:
    """Draw the forms that request verdicts and answers, or the running judging task."""
    kind, words = TaskKind.JUDGE, "judge_report.page.running"
    if draw_task(context, kind, words, partial(_draw_verdicts_outcome, context)):
        return
    models = {role.role: role.endpoint.model for role in roles(context.workspace) if role.endpoint}
    _judge_form(context, models.get(Role.JUDGE))
    _answer_form(context, models.get(Role.SOLVE))


def _fields(context: Context) -> Fields:
    """Return the fields of the forms, whose input is kept to continue a run later."""
    return Fields(context, "judge_report.page", "judge", f"judge-run-{context.project}")


def _draw_kind(context: Context, name: str, options: Iterable[str], first: str) -> str:
    """Draw the choice of what is asked for; return it."""
    fields, there = _fields(context), list(options)
    chosen = st.segmented_control(
        context.say(f"{fields.words}.{name}"),
        there,
        required=True,
        format_func=lambda each: context.say(f"{fields.words}.{each}"),
        **kept_choice(fields.case, f"{fields.key}-{name}", there, first),
    )
    return str(chosen)


def _answer_form(context: Context, model: str | None) -> None:
    """Draw the form that requests answers."""
    say = context.say
    st.header(say("judge_report.page.answers"), anchor=False)

    def ended(done: AnswersDone) -> None:
        """Draw the outcome of requesting answers."""
        draw_end(context, done.in_words(context.language), done.end, done.reason)

    if draw_task(context, TaskKind.ANSWER, "answers.running", ended):
        return
    if model is None:
        st.info(say("judge_report.page.answers_unset"), icon=":material/info:")
        return
    st.caption(md_literal(say("judge_report.page.answers_help", model=model)))
    fields = _fields(context)
    chosen = ContextSpec(_KINDS[_draw_kind(context, "setting", _KINDS, "closed")])
    name = fields.text("called", placeholder=f"{model} ({chosen.label})")
    if fields.press("ask", icon=":material/forum:"):
        begin(context, start_answers, AnswerOptions(contexts=(chosen,), system=name.strip()))


def _judge_form(context: Context, model: str | None) -> None:
    """Draw the form that requests verdicts of a judge."""
    say = context.say
    st.header(say("judge_report.page.run"), anchor=False)
    if model is None:
        st.info(say("judge_report.page.unset"), icon=":material/info:")
        return
    st.caption(md_literal(say("judge_report.page.run_help", model=model)))
    fields, systems = _fields(context), systems_of(*context.here, context.by)
    kind = _draw_kind(context, "kind", JudgeTask, JudgeTask.BINARY)
    against = ""
    if kind == JudgeTask.PAIRWISE:
        against = fields.pick("against", systems, none="judge_report.page.official")
    name = fields.text("name", placeholder=model)
    if fields.press("start", type="primary", icon=":material/play_arrow:", disabled=not systems):
        plan = JudgingPlan(JudgeTask(kind), name.strip(), against=against or None)
        begin(context, start_judging, plan)


def _draw_verdicts_outcome(context: Context, done: Progress) -> None:
    """Draw the outcome of a judging run."""
    counts = {str(each): done.statuses[each] for each in _SAID}
    words = context.say("judge_report.page.came", **counts, recalled=done.recalled)
    draw_end(context, words, done.end, done.last_reason)


_HEIGHT = 560


def draw_cases(context: Context) -> None:
    """Draw the judged answers, those first whose review would move the judge's accuracy most."""
    say = context.say
    found = states_of(*context.here, context.by)
    if not found:
        st.info(say("judge_report.page.no_cases"), icon=":material/info:")
        return
    names = judges_of(found)
    first = required_judge(found, None) if names else ""
    judge = _draw_judge(context, names, first, "judge-cases-judge")
    moves = {each.case: each.expected for each in review_order(found, judge)} if judge else {}
    st.caption(say("judge_report.page.order_help"))
    ordered = sorted(found, key=lambda each: -moves.get(each.id, -1.0))
    _table(context, ordered, judge, moves)


def _draw_judge(context: Context, names: Sequence[str], first: str, key: str) -> str:
    """Draw a choice of one judge if there are several, at first `first`; return its name."""
    if len(names) < 2:
        return first
    label, language = "judge_report.page.judge", context.language

    def called(name: str) -> str:
        """Return a judge's display name."""
        return md_literal(judge_words(name, language))

    chosen = choose(context, label, names, called, key, first, titled=True)
    return chosen if chosen in names else first


def _table(
    context: Context, cases: Sequence[CaseState], judge: str, moves: dict[int, float]
) -> None:
    """Draw the answers as a table with people's and the judge's verdicts."""
    say = context.say
    columns: dict[str, list[object]] = {}
    if context.may(Act.REVIEW_JUDGE):
        columns["open"] = [_address(context, each) for each in cases]
    columns |= {
        "id": [each.case.external_id for each in cases],
        "system_head": [each.case.system for each in cases],
        "verdict": [_verdict_text(context, each.verdict(judge)) for each in cases],
        "outcome": [_outcome(context, each) for each in cases],
        "ratings": [each.so_far for each in cases],
        "movement": [None if each.id not in moves else 100 * moves[each.id] for each in cases],
        "question": [beginning(each.case.question) for each in cases],
    }
    draw_table(
        context,
        "judge_report.page",
        columns,
        "judge-cases",
        wide="question",
        config={
            "open": st.column_config.LinkColumn(
                display_text=":material/open_in_new:", width="small"
            ),
            "movement": st.column_config.NumberColumn(
                format="%.3f %%", help=say("judge_report.page.order_help")
            ),
        },
        height="auto" if len(cases) < 12 else _HEIGHT,
        alt=say("judge_report.page.all_cases"),
    )


def _verdict_text(context: Context, verdict: bool | None) -> str:
    if verdict is None:
        return "–"
    return context.say(f"judge_report.page.{'correct' if verdict else 'incorrect'}")


def _outcome(context: Context, each: CaseState) -> str:
    """Return an answer's state of review in words."""
    words = context.say(f"judge_report.outcome.{each.outcome}")
    return words if each.people is None else f"{_verdict_text(context, each.people)} · {words}"


def _address(context: Context, each: CaseState) -> str | None:
    """Return the address of the answer's review, None if it has none."""
    if each.review_item is None:
        return None
    return context.link("judge_review", item=each.review_item)


_IMPORTS = {"cases": import_cases, "verdicts": import_verdicts, "ratings": import_ratings}
_ENDING = ".jsonl"
_TASK = "judge_review"
NOTICE = "judge-notice"


def bring_form(context: Context) -> None:
    """Draw the form that imports answers to judge, verdicts or ratings; import what it sends."""
    say = context.say
    st.header(say("judge_report.page.add"), anchor=False)
    what = choose(
        context,
        "judge_report.page.what",
        list(_IMPORTS),
        lambda each: say(f"judge_report.page.add_{each}"),
        "judge-what",
        default="cases",
        titled=True,
    )
    st.caption(say(f"judge_report.page.add_{what}_help"))
    with st.form("judge-bring", border=False):
        fields, kinds = Fields(context, "judge_report.page", "judge"), (_ENDING, *UPLOADED_ARCHIVES)
        file = fields.file("file", kinds, help=archive_help(context))
        sent = st.form_submit_button(say("judge_report.page.add"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(say("judge_report.page.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), _ENDING) as path:
            done = _IMPORTS[str(what)](*context.here, path, context.by)
        redraw_with(NOTICE, say("judge_report.page.brought", new=done.new, already=done.already))


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "judge_report")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    parts = {"report": _report, "run": _draw_forms, "cases": draw_cases}
    draw_parts(context, "judge_report.page.tab_", parts, "judge-tab")


def _report(context: Context) -> None:
    """Draw the report with its choices."""
    found = _chosen_report(context)
    if not found.progress["cases"]:
        st.info(context.say("judge_report.page.no_cases"), icon=":material/info:")
        return
    counts = ("cases", "rated", "differ", "reviewed")
    words = {name: context.say(f"judge_report.page.{name}") for name in counts}
    draw_metrics({words[name]: (f"{found.progress[name]:,}", None) for name in counts})
    if not found.judges:
        st.info(context.say("judge_report.page.no_verdicts"), icon=":material/info:")
    elif not found.common.found:
        nothing = "no_ratings" if found.common.answers else "no_common"
        st.info(context.say(f"judge_report.page.{nothing}"), icon=":material/hourglass_empty:")
    judge = _chosen_judge(context, found) if found.judges else None
    names = _category_names(context)
    draw_report(context, as_report(found, context.language, judge, names), "judges")
    if context.may(Act.EXPORT_GOLD):
        content, name = partial(zipped_judging, *context.here, context.by), "judges.zip"
        label = context.say("judge_report.page.zip")
        download(label, content, f"{context.project}-{name}", "judge-zip")


def _chosen_report(context: Context) -> JudgeReport:
    """Draw the choices of system and judges; return the report on them, by default on all."""
    version = revision(*context.here, context.by)
    found = cached(context, version, report)
    fields, system = Fields(context, "judge_report.page", "judge"), ""
    if len(found.systems) > 1:
        everything = "judge_report.page.all_systems"
        system = fields.pick("system", found.systems, none=everything, width=360)
        found = cached(context, version, report, system=system or None)
    judges: list[str] = []
    if len(found.known) > 1:
        every = context.say("judge_report.page.all_judges")
        judges = fields.several(
            "some_judges", found.known, md_literal, key="judges", placeholder=every
        )
    if not judges:
        return found
    return cached(context, version, report, system=system or None, judges=tuple(judges))


def _chosen_judge(context: Context, found: JudgeReport) -> str:
    """Draw the choice of a judge; return it, at first the majority or that with most verdicts."""
    names = [judge.judge for judge in found.judges]
    first = MAJORITY if MAJORITY in names else max(found.judges, key=lambda each: each.said).judge
    return _draw_judge(context, names, first, "judge-judge")


def _category_names(context: Context) -> dict[str, str]:
    """Return the codebook's current name of each category."""
    person, language = context.by, context.language
    text = text_of(context.workspace, person, "codebook", _TASK, language).text
    return {each.key: each.label[language] for each in parse(text, _TASK).options}


def _draw_forms(context: Context) -> None:
    """Draw the forms that import answers and run judges."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        if allowed(context, Act.MAKE_ITEMS):
            bring_form(context)
    with right, st.container(border=True, height="stretch"):
        if allowed(context, Act.MAKE_ITEMS):
            draw_run(context)
