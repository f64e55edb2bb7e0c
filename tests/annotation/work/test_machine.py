"""The whole desk under every order of acts: three annotators, an adjudicator, new candidates.

A plain model of each draft runs beside the real thing. After every step what people are shown
must equal the model, and nothing that was ever written may have changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from sqlalchemy import text

from annotation.adjudication import disputes
from annotation.agreement import overview
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from errors import UserError
from services.gold.export import FILES, export_gold
from storage.law.imports import keep_statutes
from tests.annotation.house import SLUG, propose, statute
from tests.annotation.machine import HouseMachine, stories

PEOPLE = st.sampled_from(["ann", "ben", "cho"])
ITEMS = st.sampled_from([0, 1])
NUMBERS = st.integers(1, 5)
LABELS = st.sampled_from(["accept", "reject", "unsure", None])
WORDS = st.sampled_from(["", "a word", "다른 말\n둘째 줄"])


@dataclass
class Sheet:
    """What one person should have on an item: acts that stand, and whether it is submitted.

    `start` is what was carried over when the item was taken up again; `listed` are the articles
    that this put on the list. `locked` says that all that the item takes were in with it.
    """

    acts: list[tuple[str, Any]] = field(default_factory=list)
    submitted: bool = False
    snapshot: int | None = None
    begun: bool = False
    start: dict[str, Any] = field(default_factory=dict)
    listed: set[int] = field(default_factory=set)
    worked: bool = False
    locked: bool = False

    def state(self) -> dict[str, Any]:
        """Return decisions by article, no provision, comment and flag."""
        found: dict[str, Any] = {"labels": {}, "none": False, "comment": "", "flag": ""}
        found |= {**self.start, "labels": dict(self.start.get("labels", {}))}
        for kind, said in self.acts:
            if kind == "label":
                found["labels"].pop(said[0], None)
                if said[1] is not None:
                    found["labels"][said[0]] = said[1]
            elif kind != "skip":
                found[kind] = said
        return found


DECISIONS = (
    *("candidate_set", "candidate", "draft_event", "annotation", "annotation_label"),
    *("adjudication", "adjudication_label"),
)


class Desk(HouseMachine):
    """Everything that people can do, in any order."""

    @initialize(overlap=st.integers(1, 3))
    def build(self, overlap: int) -> None:
        self.furnish(overlap)
        self.overlap, self.snapshots, self.steps = overlap, 1, 0
        self.sheets = {(who, item): Sheet() for who in ("ann", "ben", "cho") for item in range(3)}
        self.decided: dict[int, tuple[frozenset[int], bool]] = {}
        self.decided_on: dict[int, int] = {}
        self.rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in DECISIONS}

    # What people do

    @rule(who=PEOPLE, item=ITEMS)
    def open(self, who: str, item: int) -> None:
        self._act(who, item, queue_service.open_item, lambda sheet: None)

    @rule(who=PEOPLE, item=ITEMS, number=NUMBERS, said=LABELS)
    def label(self, who: str, item: int, number: int, said: str | None) -> None:
        sheet = self.sheets[who, item]
        added = {a[1][0] for a in sheet.acts if a[0] == "label"} | sheet.listed
        if number > 3 and number not in added:
            with pytest.raises(UserError):  # it is not on the list
                mapping_commands.label(*self._at(who, item), self._unit(number, sheet), said)
            return
        self._decide(who, item, number, said, mapping_commands.label, said)

    @rule(who=PEOPLE, item=ITEMS, number=NUMBERS)
    def add(self, who: str, item: int, number: int) -> None:
        self._decide(who, item, number, "accept", mapping_commands.add_unit)

    @rule(who=PEOPLE, item=ITEMS, value=st.booleans())
    def no_provision(self, who: str, item: int, value: bool) -> None:
        self._set(who, item, "none", value, mapping_commands.set_no_provision)

    @rule(who=PEOPLE, item=ITEMS, words=WORDS)
    def comment(self, who: str, item: int, words: str) -> None:
        self._set(who, item, "comment", words, commands.set_comment)

    @rule(who=PEOPLE, item=ITEMS, words=WORDS)
    def flag(self, who: str, item: int, words: str) -> None:
        self._set(who, item, "flag", words, commands.set_flag)

    @rule(who=PEOPLE, item=ITEMS)
    def skip(self, who: str, item: int) -> None:
        def model(sheet: Sheet) -> None:
            if not sheet.acts or sheet.acts[-1][0] != "skip":
                sheet.acts.append(("skip", None))

        self._draft(who, item, commands.skip, model)

    @rule(who=PEOPLE, item=ITEMS)
    def submit(self, who: str, item: int) -> None:
        state = self.sheets[who, item].state()
        said = set(state["labels"].values())
        fit = not (state["none"] and "accept" in said) and (
            state["none"] or bool(said & {"accept", "unsure"})
        )

        def model(sheet: Sheet) -> None:
            assert fit, "an unfit draft was submitted"
            sheet.submitted = True
            made = [other for (_, at), other in self.sheets.items() if at == item]
            made = [other for other in made if other.submitted]
            if len(made) >= max(2, self.overlap):
                for other in made:
                    other.locked = True

        self._draft(who, item, commands.submit, model, refused=not fit)

    @rule(who=PEOPLE, item=ITEMS, number=NUMBERS)
    def decide_at_once(self, who: str, item: int, number: int) -> None:
        """A shortcut, so that many items become complete."""
        self.add(who, item, number)
        self.submit(who, item)

    @rule(who=PEOPLE, item=ITEMS)
    def undo(self, who: str, item: int) -> None:
        sheet = self.sheets[who, item]
        refused = sheet.submitted or not sheet.acts  # nor what is older

        def model(sheet: Sheet) -> None:
            sheet.acts.pop()

        self._act(who, item, commands.undo, model, refused=refused)

    @rule(who=PEOPLE, item=ITEMS)
    def take_back(self, who: str, item: int) -> None:
        sheet = self.sheets[who, item]
        refused = not sheet.submitted or sheet.locked or item in self.decided

        def model(sheet: Sheet) -> None:
            sheet.submitted = False

        self._act(who, item, commands.take_back, model, refused=refused)

    @rule(who=PEOPLE, item=ITEMS)
    def recheck(self, who: str, item: int) -> None:
        """Article 1 is another in every snapshot, the others are always the same."""
        sheet = self.sheets[who, item]
        refused = (sheet.snapshot or self.snapshots) == self.snapshots or (
            sheet.submitted
            and (item in self.decided or (sheet.locked and not self._touched(sheet)))
        )

        def model(sheet: Sheet) -> None:
            while sheet.acts and sheet.acts[-1][0] == "skip":
                sheet.acts.pop()
            state = sheet.state()
            sheet.listed = set(state["labels"])
            labels = {number: said for number, said in state["labels"].items() if number != 1}
            sheet.start = {"labels": labels, "comment": state["comment"], "flag": state["flag"]}
            sheet.worked = sheet.worked or bool(sheet.acts)
            sheet.acts, sheet.submitted, sheet.snapshot = [], False, self.snapshots
            sheet.locked = False

        self._act(who, item, mapping_commands.recheck, model, refused=refused)

    def _touched(self, sheet: Sheet) -> bool:
        """Whether the amendments touch what the sheet says: of "no provision" they always do."""
        state = sheet.state()
        return bool(state["none"]) or 1 in state["labels"]

    @rule(item=ITEMS, numbers=st.sets(NUMBERS, max_size=2), reason=st.sampled_from(["", "why"]))
    def adjudicate(self, item: int, numbers: set[int], reason: str) -> None:
        units = [self._number(number, self.snapshots) for number in sorted(numbers)]
        try:
            disputes.decide(
                self.house.ws, self.house.judge, self.house.items[item], units,
                not numbers, reason, 1.0,
            )  # fmt: skip
        except UserError as error:
            assert error.code in ("case_closed_to_you", "reason_missing")
            assert not reason or not self._open_to_judge(item)
            return
        assert reason
        assert self._open_to_judge(item)
        self.decided[item] = (frozenset(numbers), not numbers)
        self.decided_on[item] = self.snapshots

    @rule()
    def amend_the_law(self) -> None:
        """Import another snapshot and build candidates on it while people work."""
        if self.snapshots < 3:
            self.snapshots += 1
            keep_statutes(self.house.ws, SLUG, [statute("!" * self.snapshots)], "amended")
            propose(self.house, self.snapshots, method=f"test {self.snapshots}")

    @rule(hours=st.integers(-48, 48))
    def set_the_clock(self, hours: int) -> None:
        self.clock.now += timedelta(hours=hours)

    # What must hold

    @invariant()
    def nothing_written_has_changed(self) -> None:
        with self.house.ws.reading() as session:
            for table, before in self.rows.items():
                query = text(f"SELECT * FROM {table} ORDER BY id")  # noqa: S608
                rows = [tuple(row) for row in session.execute(query)]
                assert rows[: len(before)] == before
                self.rows[table] = rows

    @rule()
    def look_over(self) -> None:
        """Replay everything: now and then, and when the story ends."""
        assert check(self.house.ws, SLUG) == []
        for who in ("ann", "ben", "cho"):
            self._queue_as_modelled(who)
        self._agreement_of_complete_items()

    @invariant()
    def everybody_sees_their_own_state_in_the_queue(self) -> None:
        """One of them after each step, in turn, and all at the end: what is wrong stays so."""
        self.steps += 1
        self._queue_as_modelled(("ann", "ben", "cho")[self.steps % 3])

    def _queue_as_modelled(self, who: str) -> None:
        seen = {
            self.house.items.index(entry.item_id): entry.status
            for entry in queue_service.queue(self.house.ws, self._id(who))
        }
        for item in range(3):
            sheet = self.sheets[who, item]
            if self._full(who, item):
                assert item not in seen
            else:
                assert seen[item] == self._status(sheet)

    @invariant()
    def gold_is_a_replay(self) -> None:
        for at, item in enumerate(derive(self.house.ws, SLUG)):
            sides = self._sides(at)
            if len(sides) < self.overlap:
                assert item.outcome == "pending"
                assert (item.lineage, item.units) == ((), ()), "blind until all are in"
                continue
            units = {int(unit.rpartition("-")[2]) for unit in item.units}
            if self._outrun(at):
                assert (item.outcome, item.pending, units) == ("pending", ("amended",), set())
            elif at in self.decided:
                assert item.outcome == "adjudicated"
                assert (frozenset(units), item.no_provision) == self.decided[at]
            elif self._open_to_judge(at):
                assert item.outcome == "pending"
            else:
                assert item.outcome == ("single" if self.overlap == 1 else "agreed")
                assert units == self._accepted(sides[0])

    @invariant()
    def only_complete_items_are_read_for_agreement(self) -> None:
        """After every third step: it is derived anew from all that was said; and at the end."""
        if self.steps % 3 == 0:
            self._agreement_of_complete_items()

    def _agreement_of_complete_items(self) -> None:
        found = overview.report(self.house.ws, SLUG)
        complete = [at for at in range(3) if len(self._sides(at)) == self.overlap]
        assert found.complete == len(complete)
        assert all(figure.n <= len(complete) for figure in found.figures)

    @rule()
    def export_twice(self) -> None:
        folder = Path(self.folder.name)
        try:
            for name in ("one", "two"):
                export_gold(self.house.ws, SLUG, folder / name)
        except UserError as error:
            assert error.code in ("no_gold", "gold_amended")
            return
        for file in FILES:
            assert (folder / "one" / file).read_bytes() == (folder / "two" / file).read_bytes()

    # Helpers

    def _id(self, who: str) -> int:
        return int(getattr(self.house, who))

    def _at(self, who: str, item: int) -> tuple[Any, int, int]:
        return self.house.ws, self._id(who), self.house.items[item]

    def _number(self, number: int, snapshot: int) -> int:
        return 5 * (snapshot - 1) + number

    def _unit(self, number: int, sheet: Sheet) -> int:
        return self._number(number, sheet.snapshot or self.snapshots)

    def _outrun(self, item: int) -> bool:
        """Whether the law was amended since a complete item was settled: articles 1 to 3 are
        suggested, so "no provision" is in doubt as soon as article 1 is another.
        """
        sides = self._sides(item)
        if item in self.decided:
            units, none = self.decided[item]
            return self.decided_on[item] != self.snapshots and (none or 1 in units)
        if self._open_to_judge(item):
            return False
        old = any(side.snapshot != self.snapshots for side in sides)
        return old and (sides[0].state()["none"] or 1 in self._accepted(sides[0]))

    def _sides(self, item: int) -> list[Sheet]:
        everyone = (self.sheets[who, item] for who in ("ann", "ben", "cho"))
        return [sheet for sheet in everyone if sheet.submitted]

    def _accepted(self, sheet: Sheet) -> set[int]:
        return {number for number, said in sheet.state()["labels"].items() if said == "accept"}

    def _open_to_judge(self, item: int) -> bool:
        sides = self._sides(item)
        if len(sides) < self.overlap:
            return False
        states = [side.state() for side in sides]
        answers = {(frozenset(self._accepted(side)), side.state()["none"]) for side in sides}
        unsure = any("unsure" in state["labels"].values() for state in states)
        flagged = any(state["flag"] for state in states)
        return len(answers) > 1 or unsure or flagged or item in self.decided

    def _full(self, who: str, item: int) -> bool:
        others = [w for w in ("ann", "ben", "cho") if w != who]
        return sum(self.sheets[w, item].submitted for w in others) >= self.overlap

    def _status(self, sheet: Sheet) -> str:
        if sheet.submitted:
            return "submitted"
        if not sheet.acts:
            return "draft" if sheet.worked else "todo"
        return "skipped" if sheet.acts[-1][0] == "skip" else "draft"

    def _decide(
        self, who: str, item: int, number: int, becomes: str | None, act: Any, *said: Any
    ) -> None:
        sheet = self.sheets[who, item]

        def model(sheet: Sheet) -> None:
            if sheet.state()["labels"].get(number) != becomes:
                sheet.acts.append(("label", (number, becomes)))

        self._draft(who, item, lambda *at: act(*at, self._unit(number, sheet), *said), model)

    def _set(self, who: str, item: int, kind: str, value: Any, act: Any) -> None:
        def model(sheet: Sheet) -> None:
            if sheet.state()[kind] != value:
                sheet.acts.append((kind, value))

        self._draft(who, item, lambda *at: act(*at, value), model)

    def _draft(self, who: str, item: int, act: Any, model: Any, refused: bool = False) -> None:
        self._act(who, item, act, model, refused or self.sheets[who, item].submitted)

    def _act(self, who: str, item: int, act: Any, model: Any, refused: bool = False) -> None:
        """Do it for real and in the model; both must refuse it or neither."""
        sheet = self.sheets[who, item]
        try:
            act(*self._at(who, item))
        except UserError as error:
            assert refused or self._full(who, item), error.code
            return
        assert not refused
        assert not self._full(who, item)
        before = len(sheet.acts)
        sheet.snapshot = sheet.snapshot or self.snapshots
        model(sheet)
        sheet.begun = sheet.begun or len(sheet.acts) > before
        if not sheet.begun:  # looking at the result, as everybody does, binds it anew
            sheet.snapshot = self.snapshots
        self._seen_as_modelled(who, item)

    def _seen_as_modelled(self, who: str, item: int) -> None:
        sheet = self.sheets[who, item]
        state, view = sheet.state(), queue_service.open_item(*self._at(who, item))
        seen = {
            int(each.semantic_id.rpartition("-")[2]): each.decision
            for each in view.candidates
            if each.decision
        }
        assert seen == state["labels"]
        assert (view.no_provision, view.comment, view.flag) == (
            state["none"],
            state["comment"],
            state["flag"],
        )
        assert view.status == self._status(sheet)
        assert view.snapshot_id == sheet.snapshot


TestDesk = stories(Desk)
