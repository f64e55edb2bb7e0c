"""The start page: what waits for the person who looks, where they left off, and their pace today.

One button goes on with it. Who leads a project also sees the batches under way.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st

from annotation.batches.views import UNDER_WAY, BatchView, list_batches
from annotation.people.roles import Act
from annotation.start.first_visit import end_first_visit, is_first_visit
from annotation.start.pace import own_pace
from annotation.start.waiting import OwnTask, Place, ToSettle, Waiting, idle_tasks, revision
from annotation.tagging.regrouped import joined_by
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.keymap import cap, own
from pages.shell.navigation import open_screen, screen_link
from pages.shell.open_counts import waiting
from pages.task.batch_banner import deadline_words
from pages.task.page import leave_item
from services.law.activation import ToCheckCounts, to_check
from services.sample.people import what_to_try
from storage.db.workspace import Workspace
from storage.tasks import Task

_BATCHES = 5  # listed; Assignment has them all
_LINK, _COUNT = 216, 92  # pixels that each takes: side by side on a telephone, too
_ADJUDICATION = "adjudication"
_SECONDS = 30  # in which what others submit need not show
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
    """Draw the page: what is told once, where to go on, all that waits, and today."""
    st.title(context.say("app.pages.start"), anchor=False)
    st.html(_STYLE)
    found = waiting(context)
    _strip(context, found)
    _to_try(context)
    _go_on(context, found)
    lines = st.container()
    with lines:
        _tasks(context, found)
    _today(context)
    if context.may(Act.ASSIGN):
        _batches(context)
    with lines:  # it comes last, since every decision is held against the law for it
        _to_check_again(context, titled=_any(found))


def _strip(context: Context, found: Waiting) -> None:
    """Draw the rule of citation mapping for whom it waits, until they close it or begin."""
    workspace, place = context.workspace, found.place
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


def _to_try(context: Context) -> None:
    key = what_to_try(context.project, context.person.name)
    if key is not None:
        name = plain(context.person.name)
        words = context.say("start.try", name=name, what=context.say(key))
        st.caption(f":material/explore: {words}")


def _amended(context: Context) -> ToCheckCounts:
    """Return how much an amendment of the law has put in doubt, of what the person may see."""
    version = revision(context.workspace, context.by)
    where = context.workspace.place, context.project, context.by
    return _to_check(*where, version, context.workspace)


@st.cache_data(max_entries=256, ttl=_SECONDS, show_spinner=False)
def _to_check(
    place: str, project: str, person_id: int, version: str, _ws: Workspace
) -> ToCheckCounts:
    return to_check(_ws, project, person_id).counts


def _any(found: Waiting) -> bool:
    return bool(found.tasks or found.disputes or found.requests)


def _go_on(context: Context, found: Waiting) -> None:
    """Draw the button that goes on with the work, and with which item; or that nothing waits."""
    place = found.place
    if place is None:
        _nothing(context, found)
        return
    with st.container(border=True, key="go-on"):
        task = context.say(f"app.pages.{place.task}")
        title = f" · {plain(place.title)}" if place.title else ""
        st.markdown(f"**{task} · {plain(place.name)}**{title}")
        when = "" if place.at is None else _time(context, place.at)
        st.caption(context.say(f"start.why.{place.why}", when=when))
        pressed = st.button(
            context.say("start.continue"),
            key="continue",
            type="primary",
            icon=":material/arrow_forward:",
        )
    if pressed:
        _open(context, place)


def _open(context: Context, place: Place) -> None:
    """Open the screen of the item; who goes on with their work has read what is told once."""
    if context.may(Act.ANNOTATE):
        end_first_visit(context.workspace, context.by)
    if place.why == "decide":
        open_screen(_ADJUDICATION, task=place.task, item=place.item_id)
    leave_item(place.task)
    open_screen(place.task, item=place.item_id)


def _nothing(context: Context, found: Waiting) -> None:
    if context.may(Act.MAKE_ITEMS) and idle_tasks(*context.here) == frozenset(Task):
        st.info(context.say("start.nothing_here"), icon=":material/inbox:")
        screen_link(context, "data", context.say("start.to_data"), icon=":material/database:")
    elif not (found.requests or _amended(context).any):
        st.success(context.say("start.nothing"), icon=":material/done_all:")


def _today(context: Context) -> None:
    """Draw what the person did since midnight, where they are, and how long each took."""
    now = context.workspace.clock().astimezone(_zone())
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    pace = own_pace(context.workspace, context.by, midnight.astimezone(UTC))
    figures = {"submitted": pace.submitted, "decided": pace.decided}
    said = [
        context.say(f"start.today.{name}", count=f"{count:,}")
        for name, count in figures.items()
        if count
    ]
    if not said:
        return
    if pace.median_seconds is not None:
        time = _duration(context, pace.median_seconds)
        said.append(context.say("start.today.median", time=time))
    st.header(context.say("start.today.title"), anchor=False)
    st.markdown(" · ".join(said), help=context.say("start.today.median_help"))


def _tasks(context: Context, found: Waiting) -> None:
    """Draw a line for each task of the person's, for each to settle, and for requests."""
    if not _any(found):
        return
    st.header(context.say("start.tasks.title"), anchor=False)
    for task in found.tasks:
        _own_task(context, task)
    _joined(context, found)
    for disputes in found.disputes:
        _to_settle(context, disputes)
    if found.requests:
        words = context.say("start.tasks.requests")
        _line(context, "requests", _ADJUDICATION, words, found.requests, [])


def _own_task(context: Context, task: OwnTask) -> None:
    counts = {name: getattr(task, name) for name in ("discuss", "drafts", "skipped", "submitted")}
    said = [
        context.say(f"start.tasks.{name}", count=f"{count:,}")
        for name, count in counts.items()
        if count
    ]
    if task.deadline is not None:
        words = {"batch": task.batch, "deadline": deadline_words(context, task.deadline)}
        said.append(context.say("start.tasks.due", **words))
    name = context.say(f"app.pages.{task.task}")
    _line(context, task.task, task.task, name, task.open, said)


def _joined(context: Context, found: Waiting) -> None:
    """Draw a line for tagged cases that came into one more group since, where there are any."""
    if not any(each.task is Task.FACTOR_TAGGING for each in found.tasks):
        return
    cases = joined_by(context.workspace, context.by)
    if not cases:
        return
    first = cases[0]
    words = {"name": first.external_id, "count": len(cases)}
    said = [context.say("start.tasks.joined_which", **words)]
    label, task = context.say("start.tasks.joined"), Task.FACTOR_TAGGING
    _line(context, "joined", task, label, len(cases), said, item=first.item_id)


def _to_settle(context: Context, disputes: ToSettle) -> None:
    task = context.say(f"app.pages.{disputes.task}")
    words = context.say("start.tasks.settle", task=task)
    back = context.say("start.tasks.sent_back", count=f"{disputes.sent_back:,}")
    said = [back] if disputes.sent_back else []
    key = f"settle-{disputes.task}"
    _line(context, key, _ADJUDICATION, words, disputes.open, said, task=disputes.task)


def _to_check_again(context: Context, titled: bool) -> None:
    """Draw a line for what is to be checked again since the law was amended, where there is any."""
    amended = _amended(context)
    if not amended.any:
        return
    if not titled:
        st.header(context.say("start.tasks.title"), anchor=False)
    questions = {Task.CITATION_MAPPING: amended.questions} if amended.questions else {}
    counts = questions | dict(amended.items)
    said = [
        context.say(f"to_check.task.{task}", count=f"{count:,}") for task, count in counts.items()
    ]
    words = context.say("start.tasks.amended")
    _line(context, "amended", "compare", words, sum(counts.values()), said)


def _line(
    context: Context,
    key: str,
    screen: str,
    label: str,
    count: int,
    said: list[str],
    **asked: object,
) -> None:
    """Draw a line: the link to the screen, how much is open there, and what else there is."""
    opened = "open" if count else "none_open"
    with st.container(horizontal=True, vertical_alignment="center", key=f"waits-{key}"):
        with st.container(width=_LINK):
            screen_link(context, screen, label, None, **asked)
        words = context.say(f"start.tasks.{opened}", count=f"{count:,}")
        st.markdown(words, width=_COUNT)
        if said:
            st.caption(plain(" · ".join(said)))


def _batches(context: Context) -> None:
    """Draw the batches that are under way, those due first at the top."""
    rows = [
        each
        for each in list_batches(*context.here, by=context.by)
        if each.state_at(context.workspace.clock()) in UNDER_WAY
    ]
    if not rows:
        return
    st.header(context.say("start.batches.title"), anchor=False)
    far = datetime.max.replace(tzinfo=UTC)
    rows.sort(key=lambda each: (each.deadline or far, each.id))
    for each in rows[:_BATCHES]:
        _batch(context, each)
    if len(rows) > _BATCHES:
        more = context.say("start.batches.more", count=len(rows) - _BATCHES)
        screen_link(context, "assignment", more)


def _batch(context: Context, batch: BatchView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"batch-{batch.id}"):
        with st.container(width=_LINK):
            screen_link(context, "assignment", batch.name)
        counts = {"made": f"{batch.made:,}", "wanted": f"{batch.wanted:,}"}
        st.markdown(context.say("start.batches.made", **counts), width="content")
        if batch.deadline is not None:
            st.caption(plain(deadline_words(context, batch.deadline)))


def _zone() -> tzinfo:
    """Return the zone of the browser; UTC where it names none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):
        return UTC


def _time(context: Context, at: datetime) -> str:
    """Return when that was, where the person is: the time alone for today's."""
    zone = _zone()
    here, today = at.astimezone(zone), context.workspace.clock().astimezone(zone).date()
    return f"{here:%H:%M}" if here.date() == today else f"{here:%Y-%m-%d %H:%M}"


def _duration(context: Context, seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    if minutes:
        return context.say("start.today.minutes", minutes=minutes, seconds=rest)
    return context.say("start.today.seconds", seconds=rest)
