"""Sending back, talking it over, keeping, changing, deciding, in every order.

A plain model says who has said what since when; the derived outcome must be what it says.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from annotation.adjudication import disputes
from annotation.adjudication.discussion_views import keep, open_discussion
from annotation.adjudication.tasks import recall, refer
from annotation.agreement.views import load
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.work import commands, queue_service
from errors import UserError
from storage.projects import find_project
from tests.annotation.crew import submit
from tests.annotation.house import SLUG
from tests.annotation.machine import HouseMachine, stories
from tests.annotation.work.item_by_item import same_queues

PEOPLE = st.sampled_from(["ann", "ben"])
ANSWERS = st.sampled_from([frozenset[int](), frozenset({1}), frozenset({1, 4})])


class Talk(HouseMachine):
    @initialize(first=ANSWERS, second=ANSWERS)
    def move_in(self, first: frozenset[int], second: frozenset[int]) -> None:
        self.furnish()
        self.item = self.house.items[0]
        self.draft = {"ann": first, "ben": second}  # what each would submit
        self.stands = {"ann": False, "ben": False}
        self.whole = {"ann": False, "ben": False}  # whose answer stood with the other's
        self.since: dict[str, bool] = {}  # who has answered since it was sent back last
        self.ever = self.recalled = False
        self.before: dict[str, frozenset[int]] | None = None  # when it was first sent back
        self.decided: frozenset[int] | None = None
        for who in ("ann", "ben"):
            self.submit(who)

    @rule(who=PEOPLE)
    def take_back(self, who: str) -> None:
        allowed = self.stands[who] and self.decided is None and not self._locked(who)
        code = "item_settled" if self.decided is not None else "answers_all_in"
        if self.stands[who]:
            self._try(allowed, code, commands.take_back, *self._at(who))
        if allowed:
            self.stands[who] = self.whole[who] = False

    @rule(who=PEOPLE)
    def submit(self, who: str) -> None:
        self._try(not self.stands[who], "item_submitted", self._give, who)
        if not self.stands[who]:
            self.stands[who] = True
            self.since[who] = True
            if all(self.stands.values()):
                self.whole = {"ann": True, "ben": True}

    @rule(who=PEOPLE, answer=ANSWERS)
    def change(self, who: str, answer: frozenset[int]) -> None:
        if self.stands[who] and self.decided is None and not self._locked(who):
            self.take_back(who)
        if not self.stands[who]:
            self.draft[who] = answer
            self.submit(who)

    @rule(who=PEOPLE)
    def keep(self, who: str) -> None:
        allowed = self._open() and self.stands[who] and not self.since[who]
        code = "nothing_to_keep" if self._open() else "not_in_discussion"
        self._try(allowed, code, keep, *self._at(who))
        if allowed:
            self.since[who] = True

    @rule()
    def send_back(self) -> None:
        ids = self._shown()
        allowed = bool(ids) and self._state() == "open"
        code = {
            "decided": "referral_of_settled",
            "sent_back": "in_discussion",
        }.get(self._state(), "case_closed_to_you")
        act = (refer, self.house.ws, self.house.judge, self.item, "why", ids)
        self._try(allowed, code, *act)
        if allowed:
            self.before = self.before or dict(self.draft)
            self.since = {"ann": False, "ben": False}
            self.ever, self.recalled = True, False

    @rule()
    def recall(self) -> None:
        allowed = self._open()
        self._try(allowed, "not_in_discussion", recall, self.house.ws, self.house.judge, self.item)
        self.recalled = self.recalled or allowed

    @rule(answer=ANSWERS)
    def decide(self, answer: frozenset[int]) -> None:
        units = [self.house.units[number] for number in sorted(answer)]
        act = (self.house.ws, self.house.judge, self.item, units, not answer, "why", 1.0)
        whole = all(self.stands.values())
        case = self._state() in ("open", "sent_back", "decided") or (whole and self.ever)
        code = "case_revised" if self._open() else "case_closed_to_you"
        self._try(whole and case, code, disputes.decide, *act)
        if whole and case:
            self.decided = answer

    # What must hold

    @invariant()
    def the_outcome_is_what_the_model_says(self) -> None:
        gold = derive(self.house.ws, SLUG)[0]
        state = self._state()
        said = {
            "decided": "adjudicated",
            "agreed": "consensus" if self.ever else "agreed",
        }.get(state, "pending")
        assert gold.outcome == said
        if said == "pending":
            left = "waiting" if any(self.stands.values()) else "not_begun"
            reason = {"sent_back": "sent_back", "waiting": left}.get(state)
            differ = len(set(self.draft.values())) > 1
            assert gold.pending == (reason or ("differ" if differ else "recalled"),)
        else:
            want = self.draft["ann"] if self.decided is None else self.decided
            assert gold.units == tuple(f"lake-act_article-{each}" for each in sorted(want))

    @invariant()
    def only_an_open_discussion_shows_anything(self) -> None:
        for who in ("ann", "ben"):
            seen = open_discussion(*self._at(who))
            assert (seen is not None) == self._open()
            waits = self._open() and not (self.stands[who] and self.since[who])
            first = queue_service.queue(self.house.ws, self._at(who)[1])[0]
            assert first.discuss == waits
        assert open_discussion(self.house.ws, self.house.cho, self.item) is None

    @invariant()
    def agreement_is_measured_on_what_was_said_first(self) -> None:
        with self.house.ws.reading() as session:
            made = load(session, find_project(session, SLUG)).submissions.get(self.item)
        whole = all(self.stands.values())
        want = self.before or (self.draft if whole else None)
        found = None if made is None else {each.person.lower(): each.accepted for each in made}
        assert found == (
            None
            if want is None
            else {
                who: {f"lake-act_article-{number}" for number in said} for who, said in want.items()
            }
        )

    @invariant()
    def a_queue_is_what_each_item_says(self) -> None:
        for person in (self.house.ann, self.house.ben, self.house.cho):
            same_queues(self.house.ws, person, self.house.items)

    @rule()
    def look_over(self) -> None:
        """Replay everything: now and then, and when the story ends; what was written stays."""
        assert check(self.house.ws, SLUG) == []

    # Helpers

    def _at(self, who: str) -> tuple[Any, int, int]:
        return self.house.ws, int(getattr(self.house, who)), self.item

    def _give(self, who: str) -> None:
        """Make the draft say what the model says, then submit it."""
        ws, person, item = self._at(who)
        view = queue_service.open_item(ws, person, item)
        if view.status != "submitted":
            while queue_service.open_item(ws, person, item).can_undo:
                commands.undo(ws, person, item)
        if view.status == "submitted":
            commands.submit(ws, person, item)
        else:
            submit(self.house, person, item, *sorted(self.draft[who]))

    def _shown(self) -> tuple[int, ...]:
        """Return the submissions that the adjudicator sees, none where there is no case."""
        try:
            seen = disputes.open_case(self.house.ws, self.house.judge, self.item)
        except UserError as error:
            assert error.code == "case_closed_to_you"
            return ()
        return seen.annotation_ids

    def _open(self) -> bool:
        answered = all(self.stands[who] and self.since[who] for who in ("ann", "ben"))
        return self.ever and not self.recalled and self.decided is None and not answered

    def _locked(self, who: str) -> bool:
        return self.whole[who] and not self._open()

    def _state(self) -> str:
        if self.decided is not None:
            return "decided"
        if self._open():
            return "sent_back"
        if not all(self.stands.values()):
            return "waiting"
        confirmed = not self.ever or all(self.since.values())
        return "agreed" if len(set(self.draft.values())) == 1 and confirmed else "open"

    def _try(self, allowed: bool, code: str, act: Any, *args: Any) -> None:
        """Do it for real: it must be done where the model allows it, and else be refused so."""
        try:
            act(*args)
        except UserError as error:
            assert not allowed, error.code
            assert error.code == code
            return
        assert allowed


TestTalk = stories(Talk, steps=22)
