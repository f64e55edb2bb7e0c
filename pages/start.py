"""Start page: the person's open work, where they left off, and their pace today.

One button continues. Leads also see the current batches.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st

from annotation.batches.views import UNDER_WAY, BatchView, list_batches
from annotation.people.roles import Act
from annotation.start.waiting import (
    OwnTask,
    Place,
    ToSettle,
    Waiting,
    end_first_visit,
    idle_tasks,
    is_first_visit,
    own_pace,
    revision,
)
from annotation.tagging.tags import joined_by
from pages.shell.context import Context, query_of, screen_of
from pages.shell.guard import md_literal
from pages.shell.navigation import cap, open_screen, own, screen_link
from pages.shell.open_counts import waiting
from pages.task.batch_banner import deadline_words
from services.law.activation import ToCheckCounts, counts_to_check
from services.sample.people import suggestion_key
from storage.db.workspace import Workspace
from storage.tasks import Task

_BATCHES = 5  # listed; the assignment screen has them all
_LINK, _COUNT = 216, 92  # pixels of each: side by side on a phone, too
_ADJUDICATION = "adjudication"
_SECONDS = 30  # how long submissions of others may go unnoticed
_ROWS = ':is([class*="st-key-waits-"], [class*="st-key-batch-"])'
_STYLE = f"""<style>
{_ROWS} {{ row-gap: 0; }}
{_ROWS} [data-testid="stPageLink-NavLink"] {{ height: auto; min-height: 1.75rem; }}
{_ROWS} [data-testid="stPageLink-NavLink"] * {{
  white-space: normal; word-break: keep-all; overflow-wrap: anywhere; }}
@media (max-width: 640px) {{ /* what there is to say of a row stands below its link */
  {_ROWS} {{ padding-bottom: 0.4rem; border-bottom: 1px solid rgb(128 128 128 / 0.2); }}
  {_ROWS} > [data-testid="stElementContainer"]:not(:first-child) {{ margin-left: 1.9rem; }}
  [class*="st-key-waits-"] > [data-testid="stElementContainer"]:nth-child(2) {{ margin-left: 0; }}
  [class*="st-key-batch-"] > :first-child {{ flex: 1 0 100%; max-width: none; }}
}}
</style>"""


def render(context: Context) -> None:
    """Draw the page: first-visit hint, where to continue, open work, today's pace."""
    st.title(context.say("app.pages.start"), anchor=False)
    st.html(_STYLE)
    found = waiting(context)
    _draw_first_visit_hint(context, found)
    _draw_example_hint(context)
    _draw_continue(context, found)
    lines = st.container()
    with lines:
        _tasks(context, found)
    _today(context)
    if context.may(Act.ASSIGN):
        _batches(context)
    with lines:  # last: every decision is compared with the law for it
        _draw_rechecks(context, titled=_has_work(found))


def _draw_first_visit_hint(context: Context, waiting: Waiting) -> None:
    """Draw the rule of citation mapping on a first visit, until it is closed or work begins."""
    workspace, place = context.workspace, waiting.place
    if place is None or place.task is not Task.CITATION_MAPPING:
        return
    if not context.may(Act.ANNOTATE) or not is_first_visit(workspace, context.by):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="strip"):
        keys = own(context)
        told = {act: cap(act, keys) for act in ("accept", "reject", "unsure")}
        words = context.say("start.strip", **told)
        st.markdown(f":material/lightbulb: {words}", width="stretch")
        if st.button(context.say("start.got_it"), key="strip-close"):
            end_first_visit(workspace, context.by)
            st.rerun()


def _draw_example_hint(context: Context) -> None:
    """Draw what to try as this person of the sample."""
    key = suggestion_key(context.project, context.person.name)
    if key is not None:
        name = md_literal(context.person.name)
        words = context.say("start.try", name=name, what=context.say(key))
        st.caption(f":material/explore: {words}")


def _in_doubt(context: Context) -> ToCheckCounts:
    """Return the counts of decisions in doubt after amendments, as far as the person may see."""
    version = revision(context.workspace, context.by)
    where = context.workspace.place, context.project, context.by
    return _to_check(*where, version, context.workspace)


@st.cache_data(max_entries=256, ttl=_SECONDS, show_spinner=False)
def _to_check(
    place: str, project: str, person_id: int, version: str, _ws: Workspace
) -> ToCheckCounts:
    """Count the re-checks due, cached by the state of the database."""
    return counts_to_check(_ws, project, person_id)


def _has_work(waiting: Waiting) -> bool:
    """Return True if a task, a dispute or a request waits for the person."""
    return bool(waiting.tasks or waiting.disputes or waiting.requests)


def _draw_continue(context: Context, waiting: Waiting) -> None:
    """Draw the button that continues work, with the item's name; or that nothing is open."""
    say, place = context.say, waiting.place
    if place is None:
        _draw_nothing_open(context, waiting)
        return
    with st.container(border=True, key="go-on"):
        task = md_literal(context.task_name(place.task))
        title = f" · {md_literal(place.title)}" if place.title else ""
        st.markdown(f"**{task} · {md_literal(place.name)}**{title}")
        when = "" if place.at is None else _time(context, place.at)
        st.caption(say(f"start.why.{place.why}", when=when))
        icon, words = ":material/arrow_forward:", say("start.continue")
        pressed = st.button(words, key="continue", type="primary", icon=icon)
    if pressed:
        _open(context, place)


def _open(context: Context, place: Place) -> None:
    """Open the screen of the item; continuing also dismisses the first-visit hint."""
    if context.may(Act.ANNOTATE):
        end_first_visit(context.workspace, context.by)
    if place.why == "decide":
        open_screen(_ADJUDICATION, task=place.task, item=place.item_id)
    open_screen(screen_of(place.task), item=place.item_id, **query_of(place.task))


def _draw_nothing_open(context: Context, waiting: Waiting) -> None:
    """Draw that nothing is open, unless requests or re-checks wait; or that no items are made."""
    if context.may(Act.MAKE_ITEMS) and idle_tasks(*context.here) >= frozenset(Task):
        st.info(context.say("start.nothing_here"), icon=":material/inbox:")
        screen_link(context, "data", context.say("start.to_data"), icon=":material/database:")
    elif not (waiting.requests or _in_doubt(context).any):
        st.success(context.say("start.nothing"), icon=":material/done_all:")


def _today(context: Context) -> None:
    """Draw the person's counts since midnight in their time zone, and the median pace."""
    say, now = context.say, context.workspace.clock().astimezone(_zone())
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    pace = own_pace(context.workspace, context.by, midnight.astimezone(UTC))
    said = _counts(context, "start.today", {"submitted": pace.submitted, "decided": pace.decided})
    if not said:
        return
    if pace.median_seconds is not None:
        minutes, seconds = divmod(round(pace.median_seconds), 60)
        unit = "minutes" if minutes else "seconds"
        time = say(f"start.today.{unit}", minutes=minutes, seconds=seconds)
        said.append(say("start.today.median", time=time))
    st.header(say("start.today.title"), anchor=False)
    st.markdown(" · ".join(said), help=say("start.today.median_help"))


def _counts(context: Context, words: str, counts: Mapping[str, int]) -> list[str]:
    """Return the counts that are not 0 in words, which are below the key `words`."""
    return [context.say(f"{words}.{name}", count=f"{n:,}") for name, n in counts.items() if n]


def _tasks(context: Context, waiting: Waiting) -> None:
    """Draw a line per task of the person, per task with disputes, and for requests."""
    if not _has_work(waiting):
        return
    st.header(context.say("start.tasks.title"), anchor=False)
    for task in waiting.tasks:
        _own_task(context, task)
    _draw_joined_cases(context, waiting)
    for disputes in waiting.disputes:
        _draw_disputes(context, disputes)
    if waiting.requests:
        words = context.say("start.tasks.requests")
        _line(context, "requests", _ADJUDICATION, words, waiting.requests, [])


def _own_task(context: Context, task: OwnTask) -> None:
    """Draw a task's line: open items of the person, drafts and the like, the batch's deadline."""
    counts = {name: getattr(task, name) for name in ("discuss", "drafts", "skipped", "submitted")}
    said = _counts(context, "start.tasks", counts)
    if task.deadline is not None:
        words = {"batch": task.batch, "deadline": deadline_words(context, task.deadline)}
        said.append(context.say("start.tasks.due", **words))
    name, screen = context.task_name(task.task), screen_of(task.task)
    _line(context, task.task, screen, name, task.open, said, **query_of(task.task))


def _draw_joined_cases(context: Context, waiting: Waiting) -> None:
    """Draw a line for tagged cases that have since joined another group, if any."""
    if not any(each.task is Task.FACTOR_TAGGING for each in waiting.tasks):
        return
    cases = joined_by(context.workspace, context.by)
    if not cases:
        return
    first = cases[0]
    words = {"name": first.external_id, "count": len(cases)}
    said = [context.say("start.tasks.joined_which", **words)]
    label, task = context.say("start.tasks.joined"), Task.FACTOR_TAGGING
    _line(context, "joined", task, label, len(cases), said, item=first.item_id)


def _draw_disputes(context: Context, disputes: ToSettle) -> None:
    """Draw a task's line of disputes: those open, and those sent back."""
    task, key = disputes.task, f"settle-{disputes.task}"
    words = context.say("start.tasks.settle", task=context.task_name(task))
    said = _counts(context, "start.tasks", {"sent_back": disputes.sent_back})
    _line(context, key, _ADJUDICATION, words, disputes.open, said, task=task)


def _draw_rechecks(context: Context, titled: bool) -> None:
    """Draw a line for items to recheck after amendments, if any."""
    amended = _in_doubt(context)
    if not amended.any:
        return
    if not titled:
        st.header(context.say("start.tasks.title"), anchor=False)
    counts = {Task.CITATION_MAPPING: amended.questions} | dict(amended.items)
    said = _counts(context, "to_check.task", counts)
    words = context.say("start.tasks.amended")
    _line(context, "amended", "compare", words, sum(counts.values()), said)


def _line(
    context: Context,
    key: str,
    screen: str,
    label: str,
    count: int,
    counts: list[str],
    **query: object,
) -> None:
    """Draw a line: link to the screen, number of open items, further counts."""
    opened = "open" if count else "none_open"
    with st.container(horizontal=True, vertical_alignment="center", key=f"waits-{key}"):
        with st.container(width=_LINK):
            screen_link(context, screen, label, None, **query)
        words = context.say(f"start.tasks.{opened}", count=f"{count:,}")
        st.markdown(words, width=_COUNT)
        if counts:
            st.caption(md_literal(" · ".join(counts)))


def _batches(context: Context) -> None:
    """Draw the current batches, earliest deadline first."""
    now, far = context.workspace.clock(), datetime.max.replace(tzinfo=UTC)
    every = list_batches(*context.here, by=context.by)
    rows = [each for each in every if each.state_at(now) in UNDER_WAY]
    if not rows:
        return
    st.header(context.say("start.batches.title"), anchor=False)
    rows.sort(key=lambda each: (each.deadline or far, each.id))
    for each in rows[:_BATCHES]:
        _batch(context, each)
    if len(rows) > _BATCHES:
        more = context.say("start.batches.more", count=len(rows) - _BATCHES)
        screen_link(context, "assignment", more)


def _batch(context: Context, batch: BatchView) -> None:
    """Draw a batch with its progress."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"batch-{batch.id}"):
        with st.container(width=_LINK):
            screen_link(context, "assignment", batch.name)
        counts = {"made": f"{batch.made:,}", "wanted": f"{batch.wanted:,}"}
        st.markdown(context.say("start.batches.made", **counts), width="content")
        if batch.deadline is not None:
            st.caption(md_literal(deadline_words(context, batch.deadline)))


def _zone() -> tzinfo:
    """Return the browser's time zone; UTC if it is missing or unknown."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):
        return UTC


def _time(context: Context, at: datetime) -> str:
    """Return a time in the person's time zone, without the date if it is today."""
    zone = _zone()
    here, today = at.astimezone(zone), context.workspace.clock().astimezone(zone).date()
    return f"{here:%H:%M}" if here.date() == today else f"{here:%Y-%m-%d %H:%M}"
