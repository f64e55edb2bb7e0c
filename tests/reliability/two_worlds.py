"""Two worlds that differ only in what others said on items that Ann owes.

Whatever Ann is given in them must be the same to the last byte: then nothing of what was said
comes through, in words, in counts or in what is missing. Both are made by the same steps at the
same moments; `Secret` is all that differs.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from annotation.adjudication.disputes import decide
from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import set_pool
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service, threads
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.tables.core import Item
from tests.annotation.crew import batch
from tests.annotation.house import SLUG, House, build, propose, question, statute
from tests.conftest import FakeClock


def copied(house: Any, folder: Path) -> Any:
    """Return a house in another folder, at the moment at which it was made, to be changed."""
    shutil.copytree(house.ws.folder, folder)
    return replace(house, ws=Workspace(folder, deepcopy(house.ws.clock)))


@dataclass(frozen=True)
class Secret:
    """What the others say: articles of each, and a word that is in every text of theirs."""

    word: str
    ben: int
    cho: int
    judge: int
    confidence: int


LEFT = Secret("zebrafinch", ben=2, cho=2, judge=2, confidence=1)  # Ben and Cho agree
RIGHT = Secret("kingfisher", ben=3, cho=1, judge=3, confidence=5)  # they differ


@dataclass
class World:
    """A house after others have worked in it, to be copied and never to be changed."""

    house: House

    def copy(self, folder: Path) -> House:
        """Return the house in another folder, at the same moment as in the other world."""
        house: House = copied(self.house, folder)
        return house


WAITING, DRAFTED, COMPLETE, SETTLED, WITHDRAWN, SKIPPED, KNOWN = range(7)
"""The items by what has become of them; Ann owes every one, and answers to COMPLETE no more."""


def make(folder: Path, secret: Secret) -> World:
    """Make the world of one secret."""
    clock = FakeClock()
    house = build(folder, clock)
    keep_questions(house.ws, SLUG, [question(n) for n in range(4, 8)], "more.jsonl")
    with house.ws.reading() as session:
        house.items = [n for n in session.exec(select(Item.id).order_by(col(Item.order))) if n]
    propose(house, 1)
    set_pool(house.ws, SLUG, is_open=True)  # Ann has a batch, and owes questions in none as well
    _calibrate(house, secret)
    _mine(house)
    _bens(house, secret)
    _chos(house, secret)
    decide(
        *(house.ws, house.judge, house.items[SETTLED], [house.units[secret.judge]]),
        no_provision=False,
        reason=f"because {secret.word}",
        seconds=3.0,
    )
    retrieve(house.ws, SLUG, k=3)
    _amend(house)
    return World(house)


def _calibrate(house: House, secret: Secret) -> None:
    """Give everybody two items, of one of which the answer is known."""
    answer = f"lake-act_article-{secret.judge}"
    known = [Known("q7", (answer,), explanation=f"as {secret.word} says")]
    set_known_answers(house.ws, SLUG, known)
    batch(house, ids=("q6", "q7"), name="Calibration", calibration=0.5)


def _mine(house: House) -> None:
    for number in (DRAFTED, COMPLETE, SETTLED):
        _label(house, house.ann, number, 1)
    _label(house, house.ann, WITHDRAWN, 1)
    commands.submit(house.ws, house.ann, house.items[WITHDRAWN])
    commands.take_back(house.ws, house.ann, house.items[WITHDRAWN])


def _bens(house: House, secret: Secret) -> None:
    ws, ben = house.ws, house.ben
    for number in (WAITING, DRAFTED, COMPLETE, SETTLED, WITHDRAWN, KNOWN):
        item = house.items[number]
        _label(house, ben, number, secret.ben)
        commands.set_comment(ws, ben, item, f"comment {secret.word}")
        if number in (WAITING, SETTLED):
            commands.set_flag(ws, ben, item, f"flag {secret.word}")
        threads.say(ws, ben, item, f"message {secret.word}")
        commands.submit(ws, ben, item, secret.confidence)
    item = house.items[SKIPPED]
    _label(house, ben, SKIPPED, secret.ben)
    commands.set_comment(ws, ben, item, f"comment {secret.word}")
    commands.skip(ws, ben, item, f"skip {secret.word}")


def _chos(house: House, secret: Secret) -> None:
    for number in (COMPLETE, SETTLED):
        _label(house, house.cho, number, secret.cho)
        commands.submit(house.ws, house.cho, house.items[number], secret.confidence)


def _label(house: House, person: int, number: int, article: int) -> None:
    item = house.items[number]
    queue_service.open_item(house.ws, person, item)
    mapping_commands.label(house.ws, person, item, house.units[article], "accept")


def _amend(house: House) -> None:
    """Import the law anew with Article 1 amended, and propose from it."""
    keep_statutes(house.ws, SLUG, [statute(" Now.")], "second")
    propose(house, 2)


def told(call: Callable[[], Any], house: House) -> str:
    """Return all that a call gives, or how it is refused, without where the world is kept."""
    try:
        given = repr(call())
    except Exception as refusal:  # of any kind: what it says is given too
        given = f"{type(refusal).__name__} {refusal} {vars(refusal)}"
    return given.replace(str(house.ws.folder.parent), "")
