"""Modules are on by themselves where something of theirs is, and by a lead's choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.history.reading import read
from annotation.people.members import add_person, history
from annotation.people.roles import NotAllowedError
from annotation.start.modules import Module, modules, switch_modules
from tests.annotation.crew import leader, submit
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.projects import mcq_project, tagged_project
from tests.support.refusals import refused


def test_a_lead_switches_modules_on_and_off(house: House) -> None:
    lead = leader(house, "researcher")
    assert modules(house.ws, SLUG).chosen == frozenset()
    switch_modules(house.ws, lead, ["mcq", "research"])
    switch_modules(house.ws, lead, ["mcq", "research"])
    found = modules(house.ws, SLUG)
    assert found.chosen == {Module.MCQ, Module.RESEARCH} <= found.on
    [entry] = [each for each in read(house.ws, SLUG).entries if each.kind == "person.modules"]
    assert (entry.person, entry.details) == ("Researcher", {"modules": ["mcq", "research"]})
    assert "modules" not in {each.kind for each in history(house.ws, SLUG)}, "nobody became another"
    switch_modules(house.ws, lead, [])
    assert modules(house.ws, SLUG).chosen == frozenset()


def test_what_is_no_module_and_who_is_no_lead_is_refused(house: House) -> None:
    with refused("module_unknown") as caught:
        switch_modules(house.ws, leader(house), ["mcq", "law"])
    assert "research" in caught.value.remedy()
    jin = add_person(house.ws, SLUG, "Jin", "lawyer").id
    with pytest.raises(NotAllowedError):
        switch_modules(house.ws, jin, ["mcq"])


def test_a_submission_is_of_agreement_and_gold(house: House) -> None:
    assert Module.AGREEMENT not in modules(house.ws, SLUG).in_use
    assert Module.GOLD in modules(house.ws, SLUG).in_use, "its questions came with their gold"
    submit(house, house.ann, house.items[0], 1)
    assert {Module.AGREEMENT, Module.GOLD} <= modules(house.ws, SLUG).in_use


def test_what_is_imported_is_in_use(tmp_path: Path, clock: FakeClock) -> None:
    made = mcq_project.build(tmp_path / "quay", clock)
    assert modules(made.ws, mcq_project.SLUG).in_use == {Module.MCQ, Module.MODELS}
    court = tagged_project.build(tmp_path / "court", clock)
    assert Module.CASES in modules(court.ws, tagged_project.SLUG).in_use
