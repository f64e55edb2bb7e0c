"""Two worlds in step: whatever Ann and Ben do, in any order, what Ann reads tells nothing of Ben's.

Both worlds go through the same acts at the same moments. All that differs is what Ben says, where
he says something secret. What Ann is given must be the same in both, errors and what her screen is
told included, with one exception: an item on which both answers are in may show that it differs,
for she cannot change hers any more. From then on no act of hers may change it, unless it was sent
back to her or the law that she decided on was amended; and then it tells nothing again.
What Ben asks to have back, and what he is answered, she never reads.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from sqlmodel import select

from annotation.adjudication.giving_back import ask_back, decline, give_back, requests
from annotation.adjudication.tasks import recall
from annotation.agreement import known_forms, overview, report
from annotation.batches import views
from annotation.gold import derivation
from annotation.guidelines import versions
from annotation.history import reading
from annotation.work import commands, threads
from annotation.work.queue_service import last_submitted, last_undoable, next_item, queue
from annotation.work.submissions import is_current
from errors import UserError
from services.law.activation import to_check
from services.law.overview import overview as law_overview
from storage.db.workspace import Workspace
from storage.tables.core import Annotation
from tests.conftest import FakeClock
from tests.reliability.two_worlds import LEFT, RIGHT

SECRETS = (LEFT.word, RIGHT.word)
ASKED, DECLINED, GIVEN = "wants his back", "his is right", "Ben, look again"  # of Ben's alone
PRIVATE = (ASKED, DECLINED, GIVEN)


class House(Protocol):
    """What the houses of the tests have in common."""

    ws: Workspace
    ann: int
    ben: int
    judge: int


def _of_item(read: Callable[[Any, int], Any], item: int, house: Any) -> Any:
    return read(house, item)


def _versions(which: tuple[str, str, str], house: Any) -> Any:
    return versions.list_versions(house.ws, *which, house.ann)


def _made(which: tuple[str, str, str], house: Any) -> Any:
    return versions.decisions(house.ws, *which, 0, house.ann)


ITEM = st.integers(0, 1)
PRESSED = (
    *("undo", "take_back", "back", "skip", "comment", "flag", "say", "ask_back"),
    *("recheck", "keep", "queue", "thread"),
)
Read = Callable[[Any], Any]


class TwoWorlds(RuleBasedStateMachine):
    """The acts of Ann, Ben and the adjudicator, and all that Ann may ask for.

    `secret` are the items of which what Ben has said differs, `apart` those on which Ann was shown
    that it does. A task extends it with how an item is answered and how its screen is asked.
    """

    slug: ClassVar[str]
    task: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        sides = (Path(self.folder.name) / side / "workspace" for side in ("left", "right"))
        self.houses = [self.build(folder, FakeClock()) for folder in sides]
        self.items = tuple(self.houses[0].items[:2])
        self.secret: set[int] = set()
        self.apart: set[int] = set()
        self.sittings = [self.sitting(house.ann) for house in self.houses]
        self.seq = self.asked = 0

    def teardown(self) -> None:
        for house in self.houses:
            house.ws.engine.dispose()
        self.folder.cleanup()

    # What a task says
    def build(self, folder: Path, clock: FakeClock) -> Any:
        raise NotImplementedError

    def sitting(self, person: int) -> Any:
        raise NotImplementedError

    def screen(self, house: Any, item: int) -> Any:
        """Return what the screen is told of the open item."""
        raise NotImplementedError

    def send(self, house: Any, sitting: Any, message: dict[str, Any]) -> None:
        """Carry out acts as the screen does."""
        raise NotImplementedError

    def answer(self, house: Any, who: int, item: int, choice: int) -> None:
        """Answer the item anew and submit it."""
        raise NotImplementedError

    def changeable(self, house: Any, item: int) -> bool:
        """Whether Ann's submission on the item was sent back to her, or its law amended."""
        raise NotImplementedError

    @initialize(hers=st.integers(0, 2), his=st.integers(0, 2))
    def one_item_is_complete(self, hers: int, his: int) -> None:
        self.ann_answers(0, hers)
        self.ben_answers(0, his, True)

    # Ann
    @rule(at=ITEM, choice=st.integers(0, 2))
    def ann_answers(self, at: int, choice: int) -> None:
        self.anns(at, lambda house, item: self.answer(house, house.ann, item, choice))

    @rule(at=ITEM)
    def ann_takes_back(self, at: int) -> None:
        self.anns(at, lambda house, item: commands.take_back(house.ws, house.ann, item))

    @rule(at=ITEM, kind=st.sampled_from(PRESSED))
    def ann_presses(self, at: int, kind: str) -> None:
        self.seq += 1
        act = {"seq": self.seq, "kind": kind, "item": self.items[at]}
        act |= {"text": f"c{self.seq}", "reason": f"r{self.seq}"}

        def press(house: Any, _item: int) -> Any:
            sitting = self.sittings[self.houses.index(house)]
            self.send(house, sitting, {"person": house.ann, "client": "c", "acts": [act]})
            return sitting

        self.anns(at, press)

    def anns(self, at: int, act: Callable[[Any, int], Any]) -> None:
        """Let Ann act; she must not change what she was told the outcome of."""
        item = self.items[at]
        before = [self.standing(house, item) for house in self.houses]
        fixed = item in self.apart and not self.reopened(item)
        told = [self.told(partial(act, house, item), house) for house in self.houses]
        self.at_one_moment()
        after = [self.standing(house, item) for house in self.houses]
        if fixed:
            assert after == before, ("could try again", item)
        elif after[0] != before[0]:
            self.apart.discard(item)
        self.compare(told, "act", [item])
        self.glance()

    # Ben, of whom nothing is to come through
    @rule(at=ITEM, choice=st.integers(0, 2), secret=st.booleans())
    def ben_answers(self, at: int, choice: int, secret: bool) -> None:
        item = self.items[at]

        def act(side: int, house: Any) -> None:
            commands.set_comment(house.ws, house.ben, item, SECRETS[side] if secret else "same")
            self.answer(house, house.ben, item, (choice + side) % 3 if secret else choice)

        if secret:
            self.secret.add(item)
        self.both(act)

    @rule(at=ITEM, writes=st.booleans())
    def ben_writes_or_takes_back(self, at: int, writes: bool) -> None:
        item = self.items[at]
        if writes:
            self.secret.add(item)
            self.both(lambda side, house: threads.say(house.ws, house.ben, item, SECRETS[side]))
        else:
            self.both(lambda _, house: commands.take_back(house.ws, house.ben, item))

    @rule(at=ITEM)
    def ben_asks_back(self, at: int) -> None:
        item = self.items[at]
        self.asked += 1
        words = f"{ASKED} {self.asked}"
        self.both(lambda _, house: ask_back(house.ws, house.ben, item, words))

    # The adjudicator, who does the same in both
    @rule(at=ITEM, to_ann=st.booleans())
    def the_adjudicator_gives_back(self, at: int, to_ann: bool) -> None:
        item = self.items[at]

        def act(_side: int, house: Any) -> None:
            whom, why = (house.ann, "Again.") if to_ann else (house.ben, GIVEN)
            give_back(house.ws, house.judge, item, whom, why)

        self.both(act)

    @rule(at=ITEM, kind=st.sampled_from(["recall", "decline", "write"]))
    def the_adjudicator_does_something_else(self, at: int, kind: str) -> None:
        item, waiting = self.items[at], requests(self.houses[0].ws, self.houses[0].judge)
        if kind == "recall":
            self.both(lambda _, house: recall(house.ws, house.judge, item))
        elif kind == "write":
            self.both(lambda _, house: threads.say(house.ws, house.judge, item, "Read it."))
        elif waiting:
            why = DECLINED if waiting[0].person_id == self.houses[0].ben else "No."
            self.both(lambda _, house: decline(house.ws, house.judge, waiting[0].id, why))

    def both(self, act: Callable[[int, Any], object]) -> None:
        """Do the same in both worlds. It must not be taken in one alone."""
        taken = []
        for side, house in enumerate(self.houses):
            try:
                act(side, house)
            except UserError as error:
                taken.append(error.code)
            else:
                taken.append("")
        self.at_one_moment()
        assert taken[0] == taken[1]
        if taken[0] == "":
            self.glance()

    def at_one_moment(self) -> None:
        """Let it be as late in one world as in the other: what Ben does may take more acts."""
        now = max(house.ws.clock.now for house in self.houses)
        for house in self.houses:
            house.ws.clock.now = now

    # What Ann reads
    def reads(self) -> Mapping[str, Read]:
        """Return all that Ann may ask for, by name; each is given a house."""
        slug, task, items = self.slug, self.task, self.items
        of_items: dict[str, Callable[[Any, int], Any]] = {
            "screen": self.screen,
            "thread": lambda h, item: threads.thread(h.ws, h.ann, item),
            "next behind": lambda h, item: next_item(h.ws, h.ann, item),
            "batch": lambda h, item: views.batch_of(h.ws, h.ann, item),
            "feedback": lambda h, item: known_forms.feedback(h.ws, h.ann, item),
        }
        each: dict[str, Read] = {
            f"{name} {item}": partial(_of_item, read, item)
            for name, read in of_items.items()
            for item in items
        }
        for kind in ("guideline", "codebook"):
            which = slug, kind, task
            each[f"versions of {kind}"] = partial(_versions, which)
            each[f"made under {kind}"] = partial(_made, which)
        return {
            **each,
            "gold": lambda h: derivation.derive(h.ws, slug, by=h.ann),
            "agreement": lambda h: overview.report(h.ws, slug, h.ann),
            "quality": lambda h: report.report(h.ws, slug, h.ann),
            "totals": lambda h: report.totals(h.ws, slug, h.ann),
            "headline": lambda h: report.headline(h.ws, slug, h.ann),
            "history": lambda h: reading.read(h.ws, slug, by=h.ann),
            "queue": lambda h: queue(h.ws, h.ann, task),
            "next": lambda h: next_item(h.ws, h.ann, task=task),
            "last submitted": lambda h: last_submitted(h.ws, h.ann, task),
            "last left": lambda h: last_undoable(h.ws, h.ann, task),
            "last batch": lambda h: views.last_batch(h.ws, h.ann),
            "last feedback": lambda h: known_forms.latest_feedback(h.ws, h.ann),
            "rechecks": self.rechecks,
        }

    def rechecks(self, house: Any) -> Any:
        """Return what Amendments lists for Ann, where the law was amended."""
        if len(law_overview(house.ws, self.slug).snapshots) == 1:
            return None
        return to_check(house.ws, self.slug, house.ann)

    @rule(name=st.sampled_from(["headline", "quality", "agreement", "rechecks", "history"]))
    def ann_looks(self, name: str) -> None:
        self.look(name, self.reads()[name])

    @rule(data=st.data())
    def ann_looks_elsewhere(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.reads())))
        self.look(name, self.reads()[name])

    def glance(self) -> None:
        """Look at what changes most; after every act."""
        reads = self.reads()
        for name in ("gold", *(f"thread {item}" for item in self.items)):
            self.look(name, reads[name])

    def look(self, name: str, read: Read) -> None:
        about = [item for item in self.items if name.endswith(f" {item}")] or list(self.items)
        told = [self.told(partial(read, house), house) for house in self.houses]
        self.at_one_moment()
        self.compare(told, name, about)

    def told(self, call: Callable[[], Any], house: Any) -> str:
        """Return all that a call gives, or how it is refused, in both languages."""
        try:
            given = repr(call())
        except UserError as error:
            said = [(error.what(each), error.remedy(each)) for each in ("en", "ko")]
            given = f"{error.code} {said} {error.where}"
        return given.replace(str(house.ws.folder.parent), "")

    def compare(self, told: list[str], what: str, about: list[int]) -> None:
        """Fail where the worlds differ, but for items of which Ann can change nothing any more."""
        for word in PRIVATE:
            assert not any(word in each for each in told), (what, "tells", word)
        closed = {each for each in about if each in self.secret and self.final(each)}
        if told[0] != told[1]:
            assert closed, (what, "tells", told)
            self.apart |= closed
        elif not closed:
            for word in SECRETS:
                assert word not in told[0], (what, "tells", word)

    def final(self, item: int) -> bool:
        """Whether both answers to the item are in and Ann's is not open to be changed."""
        house = self.houses[0]
        in_all = all(self.standing(house, item, who) for who in (house.ann, house.ben))
        return in_all and not self.reopened(item)

    def reopened(self, item: int) -> bool:
        """Whether Ann's submission is hers to change again, which is told by the same in both."""
        found = {self.changeable(house, item) for house in self.houses}
        self.at_one_moment()
        assert len(found) == 1, ("reopened", "tells", item)
        return found.pop()

    def standing(self, house: Any, item: int, who: int | None = None) -> int | None:
        """Return the person's (Ann's) submission that stands on the item."""
        person = house.ann if who is None else who
        query = select(Annotation.id).where(
            Annotation.item_id == item, Annotation.person_id == person, is_current()
        )
        with house.ws.reading() as session:
            found: int | None = session.exec(query).first()
            return found
