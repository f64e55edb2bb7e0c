"""No page, command, download or forged message lets Ann read what others said on what she owes.

Everything that she can reach is asked in two worlds that differ only in what others said
(`two_worlds`), and must be the same to the last byte. Pages are those of the app's navigation and
commands those of the registry of roles, so that a new one is asked too. Each kind of leak is put
in on purpose once, to show that it would be found.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import true
from streamlit.testing.v1 import AppTest

import app
from annotation.agreement import report
from annotation.history.reading import FAMILIES, everything
from annotation.people import accounts, members, sign_in
from annotation.people.roles import MAY, Act, NotAllowedError, Role, may
from pages.agreement.more_statistics import PARTS
from pages.mapping.citation_mapping import PAGE
from pages.shell.entry import auth_session
from pages.task.acts import TaskSession, carry_out
from services.agreement.report import as_report
from services.history.export import history_bytes
from services.law.activation import to_check
from storage.tables.core import Person
from tests.annotation.house import SLUG, House
from tests.annotation.people.test_roles import GIVEN, REGISTRY, Scene, function
from tests.annotation.people.test_roles import item as first
from tests.pages.small_project import page
from tests.reliability.two_worlds import COMPLETE, LEFT, RIGHT, World, make, told
from tests.test_app import after_the_first_navigation

__all__ = ["after_the_first_navigation"]

# What is chosen on a page before it is read, in the session; of the others nothing is.
VISITS: dict[str, list[dict[str, Any]]] = {
    "case_groups": [{}, {"case-groups-tab": "typology"}],
    "stricter_groups": [{}, {"stricter-tab": "benchmark"}],
    "attribution_report": [{}, {"attribution-answer": True}],
    "agreement": [{"agreement-part": part} for part in PARTS] + [{}],
    "gold": [{}, {"gold-show": "settled"}]
    + [{"gold-table": {"selection": {"rows": [n], "columns": [], "cells": []}}} for n in range(7)],
    "parallel_groups": [
        {"parallel-groups-tab": tab} for tab in ("declared", "proposed", "declaration")
    ],
    "closure": [{"closure-tab": tab} for tab in ("queue", "audit", "rules")],
    "history": [{}] + [{"history-kinds": [family]} for family in FAMILIES],
}
MINE = sorted(name for name, (act, _) in REGISTRY.items() if may(Role.ANNOTATOR, act))


@dataclass
class Pair:
    """Both worlds; copies of them are made under `folder`."""

    worlds: tuple[World, World]
    folder: Path
    copies: int = 0

    def houses(self) -> tuple[House, House]:
        """Return fresh copies of both, each in a folder of the same name."""
        self.copies += 1
        left, right = (
            world.copy(self.folder / side / str(self.copies) / "workspace")
            for side, world in zip(("left", "right"), self.worlds, strict=True)
        )
        return left, right


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, World]:
    folder = tmp_path_factory.mktemp("worlds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOUCHSTONE_WORKSPACE", str(folder / "left"))
        return make(folder / "left", LEFT), make(folder / "right", RIGHT)


@pytest.fixture
def pair(worlds: tuple[World, World], tmp_path: Path) -> Pair:
    return Pair(worlds, tmp_path)


def same(left: object, right: object, what: object) -> None:
    """Fail where Ann is given something else in one world than in the other, or a marked word."""
    for word in (LEFT.word, RIGHT.word):
        for given in (left, right):
            assert word not in str(given), (what, word)
    assert left == right, what


# The random number of a download that is made when asked for; `test_downloads_are_the_same`.
_DEFERRED = re.compile(rb"(?<=X\x01b )[0-9a-f]{32}$")


def drawn(at: AppTest) -> list[bytes]:
    """Return everything that the page has sent to the browser."""
    return list(_sent(at._tree))


def _sent(block: Any) -> Iterator[bytes]:
    proto = getattr(block, "proto", None)
    if proto is not None:
        yield _DEFERRED.sub(b"", proto.SerializeToString(deterministic=True))
    for child in getattr(block, "children", {}).values():
        yield from _sent(child)


def seen(house: House, name: str, state: dict[str, Any], **address: str) -> list[bytes]:
    """Return what the page sends Ann."""
    ann = next(each for each in members.list_people(house.ws, SLUG) if each.id == house.ann)
    at = page(name, house.ws, ann, project=SLUG)
    for key, value in state.items():
        at.session_state[key] = value
    for key, value in address.items():
        at.query_params[key] = value
    return drawn(at.run())


def compare_pages(pair: Pair, name: str) -> None:
    ws = pair.worlds[0].house.ws
    there = {each.kind.partition(".")[0] for each in everything(ws, SLUG)}
    for state in VISITS.get(name, [{}]):
        if there.isdisjoint(state.get("history-kinds", there)):
            continue  # nothing of that kind has happened
        left, right = pair.houses()
        same(seen(left, name, state), seen(right, name, state), (name, state))


def test_the_worlds_differ_for_who_may_know(pair: Pair) -> None:
    left, right = pair.houses()
    for name in ("annotation.gold.derivation.derive", "annotation.adjudication.disputes.queue"):
        said = [_given(house, house.judge, name) for house in (left, right)]
        assert said[0] != said[1], name


def _given(house: House, who: int, name: str) -> str:
    """Return what a command of the registry gives the person."""
    scene = Scene(house, who, house.ws.folder)
    return told(lambda: REGISTRY[name][1](scene, function(name)), house)


def test_pages_of_which_something_is_chosen_are_the_apps() -> None:
    assert set(VISITS) <= set(app.PAGES)


@pytest.mark.parametrize("name", sorted(app.PAGES))
def test_a_page_is_the_same_whatever_others_said(pair: Pair, name: str) -> None:
    compare_pages(pair, name)


@pytest.mark.parametrize("name", ["citation_mapping", "adjudication", "history", "gold"])
def test_an_address_that_names_an_item_or_a_case_tells_nothing(pair: Pair, name: str) -> None:
    items = pair.worlds[0].house.items
    for number in [*items, 999]:
        left, right = pair.houses()
        address = {"item": str(number), "case": str(number), "person": str(left.ben)}
        same(seen(left, name, {}, **address), seen(right, name, {}, **address), (name, number))


@pytest.mark.parametrize("name", MINE)
def test_a_command_gives_the_same_whatever_others_said(pair: Pair, name: str) -> None:
    compare_command(pair, name)


def compare_command(pair: Pair, name: str) -> None:
    left, right = pair.houses()
    wanted = inspect.signature(function(name)).parameters.values()
    of_item = any(GIVEN.get(each.name) is first and each.default is each.empty for each in wanted)
    for at in range(len(left.items) if of_item else 1):
        turned = (replace(each, items=each.items[at:] + each.items[:at]) for each in (left, right))
        given = [_given(house, house.ann, name) for house in turned]
        same(given[0], given[1], (name, at))


@pytest.mark.parametrize("kind", sorted(PAGE.handlers))
def test_a_forged_message_is_answered_the_same(
    pair: Pair, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pages.shell.guard.secrets.token_hex", lambda _: "same"
    )  # of a defect of ours
    left, right = pair.houses()
    items = [*left.items, 0, -1, 999, 10**30, "1", None]
    for seq, item in enumerate(items, 1):
        answers = []
        for house in (left, right):
            sitting = TaskSession(SLUG, house.ann)
            act = {"seq": seq, "kind": kind, "item": item, "unit": house.units[2]}
            act |= {"decision": "accept", "value": True, "text": "t", "reason": "r"}
            act |= {
                "spans": [[4, 9]],
                "query": "lamp",
                "person": house.ben,
                "hops": 1,
                "confidence": 3,
                "replyTo": 1,
            }
            message = {"person": house.ann, "client": "c", "acts": [act]}
            carry_out(house.ws, sitting, message, "en", PAGE.handlers)
            answers.append(repr(sitting))
        same(answers[0], answers[1], (kind, item))


def test_a_message_signed_with_anothers_id_does_nothing(pair: Pair) -> None:
    left, _ = pair.houses()
    sitting = TaskSession(SLUG, left.ann)
    act = {"seq": 1, "kind": "open", "item": left.items[0]}
    carry_out(
        left.ws, sitting, {"person": left.ben, "client": "c", "acts": [act]}, "en", PAGE.handlers
    )
    assert (sitting.seq, sitting.item_id) == (0, None)


def test_downloads_are_the_same(pair: Pair) -> None:
    left, right = pair.houses()

    def files(house: House) -> str:
        found = report.report(house.ws, SLUG, house.ann)
        told = as_report(found, "en")
        return told.written("csv") + told.written("json")

    same(files(left), files(right), "agreement")
    for house in (left, right):
        with pytest.raises(NotAllowedError):
            history_bytes(house.ws, SLUG, ".csv", by=house.ann)


def test_what_is_to_be_checked_again_is_the_same(pair: Pair) -> None:
    left, right = pair.houses()
    found = [to_check(h.ws, SLUG, h.ann) for h in (left, right)]
    assert found[0].entries, "her own decisions are there to be checked again"
    same(repr(found[0]), repr(found[1]), "rechecks")


def test_in_team_mode_the_address_makes_nobody_of_her(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = pair.houses()
    given = [_signed_in(house, monkeypatch) for house in (left, right)]
    same(given[0], given[1], "team mode")


def _signed_in(house: House, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return what the app sends Ann, whose address says that she is somebody else."""
    monkeypatch.setenv("TOUCHSTONE_MODE", "team")
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(house.ws.folder))
    monkeypatch.setenv("TOUCHSTONE_SECRET", "0123456789abcdef0123456789abcdef")
    account = accounts.add_account(house.ws, "ann", "Ann", "four plain words here").id
    with house.ws.writing() as session:
        session.get_one(Person, house.ann).account_id = account
    at = AppTest.from_file(str(Path(app.__file__)), default_timeout=100)
    at.session_state[auth_session._TOKEN] = sign_in.token_for(house.ws, account)
    for person in (house.ben, house.judge):
        at.query_params["person"] = str(person)
        at.query_params["project"] = SLUG
        at.query_params["item"] = str(house.items[COMPLETE])
        at.run()
    return [part for part in drawn(at) if str(house.ws.folder).encode() not in part]


def test_a_session_of_another_workspace_is_nobodys(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = pair.houses()
    monkeypatch.delenv("TOUCHSTONE_SECRET", raising=False)
    made = [
        accounts.add_account(h.ws, "ann", "Ann", "four plain words here").id for h in (left, right)
    ]
    foreign = sign_in.token_for(right.ws, made[1])
    assert made[0] == made[1]
    assert sign_in.account_in(right.ws, foreign) == made[1]
    assert sign_in.account_in(left.ws, foreign) is None


LEAKS: dict[str, tuple[str, Any]] = {
    "annotation.gold.derivation.answered": ("gold", lambda *_: None),
    "annotation.agreement.overview.answered": ("agreement", lambda *_: None),
    "annotation.agreement.report.answered": (
        "annotation.agreement.report.totals",
        lambda *_: None,
    ),
    "annotation.work.threads._is_visible_to": (
        "annotation.work.threads.thread",
        lambda *_: true(),
    ),
    "annotation.history.sources._on_items": ("history", lambda *_: true()),
    "annotation.gold.rechecks.may": ("compare", lambda *_: True),
    "annotation.people.roles.MAY": ("leaderboard", dict(MAY) | {Act.SEE_SCORES: frozenset(Role)}),
}
"""What a leak is put in at, where it is found, and what stands there instead."""


@pytest.mark.parametrize("leak", sorted(LEAKS))
def test_a_leak_would_be_found(pair: Pair, leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, harm = LEAKS[leak]
    monkeypatch.setattr(leak, harm)
    if leak.endswith(".may"):  # it is asked for twice
        monkeypatch.setattr("annotation.people.roles.may", harm)
    with pytest.raises(AssertionError, match=re.escape(f"('{found}', ")):
        (compare_pages if found in app.PAGES else compare_command)(pair, found)
