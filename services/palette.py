"""Command palette: find places, items, provisions, runs, people, settings and help by name.

Names are matched in both languages. Nobody finds what their screens do not show: of somebody who
annotates, an item is one of their own queue, and every hit leads to a screen of their sidebar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, reduce
from itertools import chain, islice
from operator import add
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select
from sqlmodel import Session, col

from annotation.adjudication.tasks import adjudicated, disputes_of
from annotation.people.members import people_in
from annotation.people.roles import Act, ProjectMember, may, reading_as
from annotation.tasks.own import own_titles
from annotation.work.open_item import line_up
from annotation.work.slots import act_of
from annotation.work.submissions import beginning
from messages import LANGUAGES, say
from normalization import storable
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.tables.core import Item, QuestionRow, StatuteRow, UnitRow
from storage.tasks import NAME, TITLE, Task, beginning_of, display_name

Kind = Literal["place", "item", "provision", "run", "person", "setting", "help"]
Places = Mapping[str, Sequence[str]]
"""The screens of each place of a person's sidebar, in order."""

LIMIT = 8  # hits of each kind
MAX_LENGTH = 300  # characters of a query, and those searched of an item's text
_SHOWN = 120  # characters of an item's text beside its name
_EXACT, _BEGINS, _HAS_WORDS, _CONTAINS = range(4)  # how a name matches, best first
_TASK_ORDER = {str(task): at for at, task in enumerate(Task)}
_SETTINGS = {  # of each screen
    "data": ("levels", "modules", "project"),
    "assignment": ("overlap", "deadline"),
    "models": ("models", "prompts"),
    "gold": ("split", "datasheet"),
    "keys": ("keys",),
    "roles": ("rights",),
    "factor_codebook": ("codebook",),
    "case_groups": ("typology",),
    "augment": ("axes",),
    "cascade": ("layers",),
    "closure": ("rules",),
}


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: kind, name, what stands beside it, and its address.

    `screen` is "" for a choice that keeps the open screen.
    """

    kind: Kind
    title: str
    detail: str
    screen: str
    query: Mapping[str, str] = field(default_factory=dict)


_Ranked = Iterable[tuple[int, Hit]]


@dataclass(frozen=True)
class _Asked:
    """A query, who asks it, and the screens of their sidebar."""

    ws: Workspace
    session: Session
    project: str
    who: ProjectMember
    screens: frozenset[str]
    text: str
    language: str

    @cached_property
    def own_titles(self) -> dict[str, str]:
        """The titles of the project's own tasks, by key."""
        return own_titles(self.session, self.who.project_id)

    def has(self, screen: str, act: Act) -> bool:
        """Return True if the person has the screen in their sidebar, and the permission."""
        return screen in self.screens and may(self.who.role, act)

    def ranked(self, hit: Hit, names: Iterable[str], beside: Iterable[str] = ()) -> _Ranked:
        """Return a hit with its rank by these names; nothing if it does not match."""
        rank = self.rank(names, beside)
        return [] if rank is None else [(rank, hit)]

    def rank(self, names: Iterable[str], beside: Iterable[str] = ()) -> int | None:
        """Return the rank of a match (lower is better), None if there is none.

        A name is matched whole, from its beginning, by the beginnings of its words, or by parts of
        them, in any order; words may also be of what stands `beside` it.
        """
        names, wanted = list(names), _folded(self.text)
        named = [_folded(each) for each in names]
        if wanted in named:
            return _EXACT
        if any(each.startswith(wanted) for each in named):
            return _BEGINS
        words, said = self.text.split(), " ".join([*names, *beside]).lower()
        if all(f" {word}" in f" {said}" for word in words):
            return _HAS_WORDS
        whole = "\n".join([*named, *map(_folded, beside)])
        return _CONTAINS if all(word in whole for word in words) else None


def find(
    ws: Workspace,
    project_slug: str,
    text: str,
    places: Places,
    caps: Mapping[str, str],
    language: str = "en",
    *,
    by: int,
) -> list[Hit]:
    """Search by name all that a person's screens show; return at most `LIMIT` hits of each kind.

    The kind with the best match comes first. `caps` are the written keys of the actions that have
    one. Raises UserError for an unknown project or person.
    """
    wanted = " ".join(storable(text[:MAX_LENGTH]).lower().split())
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, _, who):
        if not wanted or who is None:
            return []
        screens = frozenset(chain.from_iterable(places.values()))
        asked = _Asked(ws, session, project_slug, who, screens, wanted, language)
        kinds = (
            _places(asked, places),
            islice(_items(asked), LIMIT),  # they come best first
            _provisions(asked),
            _runs(asked),
            _people(asked),
            _settings(asked),
            _help(asked, caps),
        )
        found = [sorted(kind, key=lambda each: each[0])[:LIMIT] for kind in kinds]
    best_first = sorted(filter(None, found), key=lambda kind: kind[0][0])
    return [hit for kind in best_first for _, hit in kind]


def place_hits(places: Places, language: str) -> list[Hit]:
    """Return every place with its tabs, as listed before anything is typed."""
    return [
        Hit("place", say(f"app.pages.{name}", language), _place(place, names, language), name)
        for place, names in places.items()
        for name in names
    ]


def _place(place: str, screens: Sequence[str], language: str) -> str:
    """Return the title of a place with tabs, "" for a single screen."""
    return say(f"app.places.{place}", language) if len(screens) > 1 else ""


def _folded(name: str) -> str:
    """Return a name in lower case without white space."""
    return "".join(name.lower().split())


def _in_both_languages(key: str) -> list[str]:
    """Return a message in every language."""
    return [say(key, language) for language in LANGUAGES]


def _places(asked: _Asked, places: Places) -> _Ranked:
    """Yield the screens and tabs that match."""
    titles = {
        name: [_place(place, names, language) for language in LANGUAGES]
        for place, names in places.items()
        for name in names
    }
    for hit in place_hits(places, asked.language):
        names = [*_in_both_languages(f"app.pages.{hit.screen}"), hit.screen]
        yield from asked.ranked(hit, names, titles[hit.screen])
    beside = say(f"app.pages.{_OWN}", asked.language)
    for task, title in (asked.own_titles if _OWN in asked.screens else {}).items():
        yield from asked.ranked(Hit("place", title, beside, _OWN, {"task": task}), [title, task])


def _items(asked: _Asked) -> _Ranked:
    """Yield matching items of the person's queues and disputes; for readers of labels, any."""
    names = (NAME, beginning_of(TITLE, MAX_LENGTH))
    rank, matches = _match(asked.text, *names)
    query = (
        select(rank, col(Item.id), col(Item.task), *names)
        .outerjoin(QuestionRow)
        .where(col(Item.project_id) == asked.who.project_id, matches)
        .order_by(rank, case(_TASK_ORDER, value=col(Item.task), else_=len(Task)), col(Item.order))
    )
    own, disputed = cache(partial(_own_queue, asked)), cache(partial(_disputed, asked))
    sees_all = asked.has("history", Act.READ_OTHERS_LABELS)
    for how, item, task, name, title in asked.session.execute(query):
        at: tuple[str, dict[str, str]] = "history", {"item": name}
        named = {"task": task, "item": str(item)}
        if item in own(task):
            at = (_OWN, named) if Task(task).is_own else (task, {"item": str(item)})
        elif item in disputed(task):
            at = "adjudication", named
        elif not sees_all:
            continue
        said = f"{name} · {beginning(title, _SHOWN)}" if title and title != name else name
        of = display_name(task, asked.language, "app.pages", asked.own_titles)
        yield how, Hit("item", said, of, *at)


_OWN = "own_task"  # the screen of every task that the project brought


def _own_queue(asked: _Asked, task: str) -> frozenset[int]:
    """Return the items in the person's queue of a task."""
    if not asked.has(_OWN if Task(task).is_own else task, act_of(task)):
        return frozenset()
    lines = line_up(asked.session, asked.who, asked.ws.clock(), task=task)
    return frozenset(line.item_id for line in lines)


def _disputed(asked: _Asked, task: str) -> frozenset[int]:
    """Return the items of a task that the person finds on the adjudication screen."""
    if not adjudicated([task]) or not asked.has("adjudication", Act.ADJUDICATE):
        return frozenset()
    return frozenset(disputes_of(Task(task)).states(asked.session, asked.who.project_id))


def _provisions(asked: _Asked) -> _Ranked:
    """Yield the provisions that match."""
    snapshot = id_in_use(asked.session, asked.who.project_id)
    if snapshot is None or "corpus" not in asked.screens:
        return
    statute, unit = StatuteRow, UnitRow
    shown = [col(each) for each in (unit.semantic_id, statute.title, unit.label, unit.heading)]
    rank, matches = _match(asked.text, *shown, col(statute.title) + col(unit.label))
    query = (
        select(rank, *shown)
        .join(statute, col(statute.id) == unit.statute_id)
        .where(col(unit.snapshot_id) == snapshot, matches)
        # Amending acts have the titles of other statutes as headings.
        .order_by(rank, _squeezed(col(statute.title)) != _folded(asked.text))
        .order_by(col(statute.tier), col(statute.id), col(unit.order))
        .limit(LIMIT)
    )
    for how, name, title, label, heading in asked.session.execute(query):
        place = f"{title} {label}".strip()
        yield how, Hit("provision", place, heading, "corpus", {"unit": name})


def _match(text: str, *names: Any) -> tuple[ColumnElement[int], ColumnElement[bool]]:
    """SQL expressions of a row's rank and of whether it matches, as :meth:`_Asked.rank`."""
    wanted, words, named = _folded(text), text.split(), [_squeezed(each) for each in names]
    spaced = [literal(" ") + func.lower(each) for each in names]
    begun = (or_(*(e.contains(f" {word}", autoescape=True) for e in spaced)) for word in words)
    rank = case(
        (or_(*(each == wanted for each in named)), _EXACT),
        (or_(*(each.startswith(wanted, autoescape=True) for each in named)), _BEGINS),
        (and_(*begun), _HAS_WORDS),
        else_=_CONTAINS,
    )
    whole = _squeezed(reduce(add, (func.coalesce(each, "") + "\n" for each in names)))
    return rank, and_(*(whole.contains(word, autoescape=True) for word in words))


def _squeezed(column: Any) -> ColumnElement[str]:
    """SQL expression: a column in lower case without blanks."""
    return func.replace(func.lower(column), " ", "")


def _runs(asked: _Asked) -> _Ranked:
    """Yield the runs that match."""
    if not asked.has("leaderboard", Act.SEE_SCORES):
        return
    from services.runs.views import run_choices

    for run in run_choices(asked.ws, asked.project, asked.who.person_id).runs:
        number, tags = str(run.run_id), run.marks.tags
        hit = Hit("run", run.name, " · ".join(tags), "leaderboard", {"run": number})
        yield from asked.ranked(hit, (run.label, number), tags)


def _people(asked: _Asked) -> _Ranked:
    """Yield people that match: to manage them, or their history for readers of others' labels."""
    managed = asked.has("people", Act.MANAGE_PEOPLE)
    if not (managed or asked.has("history", Act.READ_OTHERS_LABELS)):
        return
    for each in people_in(asked.session, asked.who.project_id):
        screen, query = ("people", str(each.id)) if managed else ("history", each.name)
        role = say(f"roles.role.{each.role}", asked.language)
        hit = Hit("person", each.name, role, screen, {"who": query})
        yield from asked.ranked(hit, [each.name])


def _settings(asked: _Asked) -> _Ranked:
    """Yield the settings that match, and the languages to switch to."""
    language = say("app.language", asked.language)
    for code, name in LANGUAGES.items():
        if code != asked.language:
            hit = Hit("setting", name, language, "", {"lang": code})
            yield from asked.ranked(hit, [name, *_in_both_languages("app.language")])
    for screen in filter(asked.screens.__contains__, _SETTINGS):
        place, at = f"app.pages.{screen}", say(f"app.pages.{screen}", asked.language)
        for key in (f"palette.setting.{setting}" for setting in _SETTINGS[screen]):
            hit = Hit("setting", say(key, asked.language), at, screen)
            yield from asked.ranked(hit, _in_both_languages(key), _in_both_languages(place))


def _help(asked: _Asked, caps: Mapping[str, str]) -> _Ranked:
    """Yield the keyboard shortcuts that match."""
    if "keys" not in asked.screens:
        return
    for action, cap in caps.items():
        key = f"keys.action.{action}"
        hit = Hit("help", say(key, asked.language), cap, "keys", {"action": action})
        yield from asked.ranked(hit, _in_both_languages(key))
