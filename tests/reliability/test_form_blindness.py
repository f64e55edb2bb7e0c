"""Nothing that Ann can reach tells what others, models or layers said of a form before it may.

Two worlds of each task differ only in what Ben, and whoever else, said; each must send Ann the
same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import app
from annotation.adjudication.giving_back import give_back
from annotation.adjudication.tasks import recall, refer, to_send
from annotation.forms.form import answer
from annotation.people.members import list_people
from annotation.work import threads
from annotation.work.commands import set_comment, submit, take_back
from annotation.work.queue_service import open_item
from pages.attribution import attribution_review
from pages.curation import curation as curation_page
from pages.judging.viewer import review_part
from pages.mcq import mcq_solvability
from pages.task.acts import ACTS, TaskSession, carry_out
from services.curation.items import admit
from storage.tasks import Task
from tests.annotation.judging import answered
from tests.conftest import FakeClock
from tests.pages.small_project import page
from tests.projects import attribution_review_project as attribution
from tests.projects import curation_project as curation
from tests.projects import mcq_project as mcq
from tests.reliability.test_blindness import drawn
from tests.reliability.two_worlds import copied

WORDS = ("LEFTWORD", "RIGHTWORD")
EDIT = {"question": "LEFTWORD?", "answer": "LEFTWORD."}
FIX = {"query": "LEFTWORD?", "options": ["1", "2", "3", "4"], "answer": 0}
CURATED: tuple[dict[str, Any], ...] = (
    {"verdict": "edit", "cause": "unclear", "edit": EDIT},
    {"verdict": "reject", "cause": "other", "difficulty": "L4"},
)
SOLVED: tuple[dict[str, Any], ...] = (
    {"verdict": "fix", "cause": "unclear", "fix": FIX},
    {"verdict": "drop", "cause": "other"},
)
REVIEWED: tuple[dict[str, Any], ...] = (
    {"label_1": "none", "gold_1": None, "supported_1": "no"},
    {"label_1": "partial", "gold_1": 2, "supported_2": "uncited"},
)


def later(clock: FakeClock) -> None:
    clock.now = datetime(2026, 1, 6, tzinfo=UTC)  # what Ben did took longer in one of them


def curated(folder: Path, at: int) -> curation.CurationHouse:
    """Return the project: Ben has answered, and Ann has begun the first step."""
    house = curation.build(folder / "workspace", clock := FakeClock())
    curation.submitted(house, house.ben, house.items[0], **CURATED[at], reason=WORDS[at])
    threads.say(house.ws, house.ben, house.items[0], WORDS[at])
    later(clock)
    curation.answer(house, house.ann, house.items[0], [("voice", "yes")])
    return house


def curate(house: curation.CurationHouse, item: int) -> None:
    rest = [*curation.ALONE, ("revealed", True), ("gold", curation.GOLD), ("verdict", "keep")]
    curation.answer(house, house.ann, item, rest)
    submit(house.ws, house.ann, item)


def solved(folder: Path, at: int) -> mcq.McqHouse:
    """Return the project: Ben has answered, a model too, and Ann stands at the second step."""
    house = mcq.build(folder / "workspace", clock := FakeClock())
    mcq.submitted(house, house.ben, house.items[0], **SOLVED[at], reason=WORDS[at])
    threads.say(house.ws, house.ben, house.items[0], WORDS[at])
    mcq.vote(house, house.mcqs[0], "little-model", "ab", at + 1)
    later(clock)
    mcq.answer(house, house.ann, house.items[0], [("alone_answerable", "no")])
    return house


def reviewed(folder: Path, at: int) -> attribution.AttributionHouse:
    """Return the project: Ben has answered, and Ann has begun the first claim."""
    house = attribution.build(folder / "workspace", clock := FakeClock())
    set_comment(house.ws, house.ben, house.items[0], WORDS[at])
    attribution.submitted(house, house.ben, house.items[0], **REVIEWED[at])
    threads.say(house.ws, house.ben, house.items[0], WORDS[at])
    later(clock)
    answer(house.ws, house.ann, house.items[0], "label_1", "match")
    return house


def review(house: attribution.AttributionHouse, item: int) -> None:
    for field, value in attribution.SAID.items():
        answer(house.ws, house.ann, item, field, value)
    submit(house.ws, house.ann, item)


def rated(folder: Path, at: int) -> answered.Answered:
    """Return the project: Ben has rated, a judge has judged, a reviewer has settled."""
    folder.mkdir()
    house = answered.build(folder, clock := FakeClock())
    house.judge(answered.verdict("q1", at == 0, "little-judge") | {"raw": WORDS[at]})
    house.rate(house.ben, at == 0)
    threads.say(house.ws, house.ben, house.state().rating_item or 0, WORDS[at])
    house.review(at == 0, "fair", ("missing_entity", "wrong_figure")[at])
    later(clock)
    open_item(house.ws, house.ann, house.state().rating_item or 0)
    return house


@dataclass(frozen=True, eq=False)
class Form:
    """A task, how one of its two worlds is made, and what no page may tell Ann there."""

    task: Task
    screen: str
    slug: str
    world: Callable[[Path, int], Any]
    hidden: tuple[str, ...]  # on every page
    finish: Callable[[Any, int], object] = lambda *_: None  # submits Ann's form
    handlers: Any = None
    shown: Callable[..., Any] = lambda *_: None  # what her screen is sent of an item
    sealed: tuple[str, ...] = ()  # what that may not tell before its turn
    begun: tuple[str, str] = ("", "")  # the one field that Ann has answered

    def told(self, house: Any, item: int) -> str:
        """Return what Ann's screen is sent of an item."""
        return repr(self.shown(house.ws, house.ann, open_item(house.ws, house.ann, item), "en"))


CURATION = Form(
    Task.CURATION,
    "curation",
    curation.SLUG,
    curated,
    (curation.LAYER,),
    curate,
    curation_page.PAGE.handlers,
    curation_page.fixed_part,
    (curation.LAYER, curation.TARGET),
    ("voice", "yes"),
)
MCQ = Form(
    Task.MCQ_SOLVABILITY,
    "mcq_solvability",
    mcq.SLUG,
    solved,
    ("little-model",),
    lambda house, item: mcq.submitted(house, house.ann, item),
    ACTS,
    mcq_solvability.fixed_part,
    (mcq.SECOND, mcq.WHY),
    ("alone_answerable", "no"),
)
ATTRIBUTION = Form(
    Task.ATTRIBUTION,
    "attribution_review",
    attribution.SLUG,
    reviewed,
    (attribution.JUDGE,),
    review,
    attribution_review.PAGE.handlers,
    lambda *of: attribution_review.moving_part(*of)["suggested"],
    (":",),  # a label of any claim
    ("label_1", "match"),
)
HIDDEN = ("little-judge", "missing_entity", "wrong_figure")
RATING = Form(Task.ANSWER_RATING, "answer_rating", answered.SLUG, rated, HIDDEN)
IN_STEPS = (CURATION, MCQ, ATTRIBUTION)


@pytest.fixture(scope="module", params=[*IN_STEPS, RATING], ids=lambda each: each.screen)
def form(request: pytest.FixtureRequest) -> Form:
    found: Form = request.param
    return found


@pytest.fixture(scope="module")
def made(form: Form, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return both worlds, to be copied and never to be changed."""
    folder = tmp_path_factory.mktemp("sides")
    return [form.world(folder / f"side-{at}", at) for at in range(2)]


@pytest.fixture
def worlds(made: list[Any], tmp_path: Path) -> list[Any]:
    return [copied(house, tmp_path / f"side-{n}" / "workspace") for n, house in enumerate(made)]


def of(*forms: Form) -> pytest.MarkDecorator:
    """Run a test on these forms alone."""
    names = [each.screen for each in forms]
    return pytest.mark.parametrize("form", forms, ids=names, indirect=True, scope="module")


def sent(form: Form, house: Any, name: str) -> list[bytes]:
    ann = next(each for each in list_people(house.ws, form.slug) if each.id == house.ann)
    return drawn(page(name, house.ws, ann, project=form.slug).run())


@pytest.mark.parametrize("name", sorted(app.PAGES))
def test_every_page_sends_ann_the_same(form: Form, worlds: list[Any], name: str) -> None:
    left, right = (sent(form, house, name) for house in worlds)
    told = repr(left + right)
    for word in (*WORDS, *form.hidden):
        assert word not in told
    if name == "attribution_review":
        assert attribution.SYSTEM not in told
    assert left == right


@of(CURATION)
def test_a_question_tells_its_layers_once_it_may(form: Form, worlds: list[Any]) -> None:
    """Or else the test above would prove nothing."""
    house, item = worlds[0], worlds[0].items[1]
    assert not any(word in form.told(house, item) for word in form.sealed)
    curation.answer(house, house.ann, item, [*curation.ALONE, ("revealed", True)])
    assert all(word in form.told(house, item) for word in form.sealed)


@of(MCQ)
def test_a_solved_question_tells_models_once_it_may(form: Form, worlds: list[Any]) -> None:
    house = worlds[0]
    mcq.submitted(house, house.ann, house.items[2])
    mcq.vote(house, house.mcqs[2], "little-model", "ab", 1)
    told = form.told(house, house.items[2])
    assert all(word in told for word in (*form.hidden, *form.sealed))


@of(ATTRIBUTION)
def test_a_label_is_sent_once_the_claim_is_answered_and_no_other(
    form: Form, worlds: list[Any]
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    for field, value, told in (
        ("gold_1", 1, set()),
        ("supported_1", "yes", {"1"}),
        ("label_2", "none", {"1"}),
    ):
        answer(house.ws, house.ann, item, field, value)
        shown = open_item(house.ws, house.ann, item)
        assert set(form.shown(house.ws, house.ann, shown, "en")) == told


@of(RATING)
def test_a_reviewer_is_told(form: Form, worlds: list[Any]) -> None:
    where = worlds[0].ws, worlds[0].adjudicator
    item = open_item(*where, worlds[0].state().review_item or 0)
    told = repr(review_part(*where, item, "en"))
    assert "little-judge" in told
    assert "LEFTWORD" in told


@of(*IN_STEPS)
def test_only_a_discussion_of_several_tells_what_others_said(form: Form, worlds: list[Any]) -> None:
    house, item = worlds[0], worlds[0].items[0]

    def refer_it() -> None:
        refer(house.ws, house.judge, item, "Talk.", list(to_send(house.ws, house.judge, item)))

    for act, tells in (
        (lambda: form.finish(house, item), False),
        (lambda: give_back(house.ws, house.judge, item, house.ann, "Look again."), False),
        (lambda: take_back(house.ws, house.ann, item), False),
        (lambda: submit(house.ws, house.ann, item), False),
        (refer_it, True),
        (lambda: take_back(house.ws, house.ann, item), True),
        (lambda: recall(house.ws, house.judge, item), False),
    ):
        act()
        assert ("LEFTWORD" in repr(sent(form, house, form.screen))) is tells


@of(CURATION)
def test_what_is_admitted_tells_who_has_not_answered_nothing_of_its_gold(
    form: Form, worlds: list[Any]
) -> None:
    """Of a question that one person alone curated, the others learn that it is there."""
    house, item = worlds[0], worlds[0].items[1]
    gold = {**curation.GOLD, curation.CRANE: "yes"}
    for who in (house.ann, house.ben):
        curation.submitted(house, who, item, gold=gold)
    admit(house.ws, form.slug)
    assert curation.CRANE not in repr(sent(form, house, "gold"))


ANSWERS: dict[Form, tuple[tuple[Any, Any], ...]] = {
    CURATION: (
        ("revealed", True),
        ("gold", curation.GOLD),
        ("verdict", "keep"),
        ("edit", EDIT),
        ("stage", "done"),
        (["revealed"], {"a": 1}),
    ),
    MCQ: (
        ("revealed", True),
        ("compared", True),
        ("both_choice", 1),
        ("verdict", "keep"),
        ("fix", FIX),
        ("stage", "done"),
        (["revealed"], {"a": 1}),
    ),
    ATTRIBUTION: (
        ("label_9", "match"),
        ("gold_1", 9),
        ("suggested_1", True),
        (["label_1"], {"a": 1}),
    ),
}
FORGED = [
    pytest.param(form, {"kind": "submit", "revision": None}, id=f"{form.screen}-submit")
    for form in ANSWERS
] + [
    pytest.param(form, {"kind": "answer", "field": field, "value": value}, id=f"{field}-{value}")
    for form, said in ANSWERS.items()
    for field, value in said
]


@pytest.mark.parametrize(("form", "act"), FORGED, indirect=["form"], scope="module")
def test_no_message_opens_a_step_before_its_turn(
    form: Form, worlds: list[Any], act: dict[str, Any]
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    sitting = TaskSession(form.slug, house.ann, task=form.task)
    message = {"client": "x", "person": house.ann, "acts": [{**act, "item": item, "seq": 1}]}
    carry_out(house.ws, sitting, message, "en", form.handlers)
    assert [each["seq"] for each in sitting.failed] == [1]
    assert dict(open_item(house.ws, house.ann, item).answers) == dict([form.begun])
    assert not any(word in form.told(house, item) for word in form.sealed)


@of(RATING)
@pytest.mark.parametrize("kind", ["matrix", "answer", "open", "thread"])
def test_no_message_opens_a_review_to_a_rater(form: Form, worlds: list[Any], kind: str) -> None:
    house = worlds[0]
    act = {"kind": kind, "item": house.state().review_item or 0, "seq": 1}
    sitting = TaskSession(form.slug, house.ann, task=form.task)
    acts = [{**act, "field": "consensus", "value": "correct"}]
    carry_out(house.ws, sitting, {"client": "x", "person": house.ann, "acts": acts}, "en", ACTS)
    assert "LEFTWORD" not in repr(sitting.told) + repr(sitting.thread)
    if kind == "answer":
        assert [each["seq"] for each in sitting.failed] == [1]
