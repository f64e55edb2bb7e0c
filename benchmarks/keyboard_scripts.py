"""What a person presses on realistic items of each task, as data: for `benchmarks/keyboard.py`.

A script tells what is meant (``do accept``), not which key that is: the keys are those of the one
map of keys. Each script is the same for the same number of an item: most items go straight through,
some have a comment, a doubt, a change of mind or a reason to skip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pages.shell.navigation import key_map

SURE = 4  # of the five
CANDIDATES = 6  # of a question that are decided on
COMMENT = "Paragraph 2 as well"
WHY = "The answer leaves out the time limit."
RULE = "관계인이 소방안전관리자를 선임한다."
QUOTE = "관계인은 소방안전관리자를 선임하여야 한다."
QUERY = "관계인 /s 선임!"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done: `kind` is key, type, stage, hit or mark; `what` says which.

    ``key`` presses a key, ``type`` each letter of a text. ``stage`` waits for a step of the task,
    ``hit`` and ``mark`` use the mouse, and none of the three presses a key.
    """

    kind: str
    what: str = ""

    @property
    def presses(self) -> list[str]:
        """The keys that it presses."""
        return {"key": [self.what], "type": list(self.what)}.get(self.kind, [])


def do(*actions: str) -> list[Step]:
    """Return the steps that do these actions."""
    found = [(action, key_map()[action].keys) for action in actions]
    return [Step("key", keys[SURE - 1 if name == "sure" else 0]) for name, keys in found]


def keys(pressed: str) -> list[Step]:
    """Return the steps that press these keys, which have a space between them."""
    return [Step("key", key) for key in pressed.split()]


def written(action: str, text: str) -> list[Step]:
    """Return the steps that go to a field, write into it and leave it."""
    return [*do(action), Step("type", text), *keys("Escape")]


def citation_mapping(number: int) -> Iterator[Step]:
    """Decide on six candidates; now and then none fits, one is unsure, or a decision is undone."""
    if number % 12 == 7:
        yield from do(*["reject", "part_next"] * (CANDIDATES - 1), "reject", "none")
    else:
        for at in range(CANDIDATES):
            said = "accept" if at == number % CANDIDATES else "reject"
            yield from do("unsure" if (at + number) % 11 == 10 else said)
            if at < CANDIDATES - 1:
                yield from do("part_next")
    if number % 9 == 4:
        yield from do("undo", "accept")
    yield from do("sure")


def ocr_correction(number: int) -> Iterator[Step]:
    """Put the doubtful word right, or confirm it; some lines are headings."""
    if number % 4 == 1:
        yield from do("part_next", "accept")
    else:
        yield from [*do("doubt_next"), Step("type", "소화기"), *keys("Escape")]
    if number % 5 == 2:
        yield from do("kind")
    yield from do("sure")


def mcq_solvability(number: int) -> Iterator[Step]:
    """Answer from A, from both, and compare; every seventh item is dropped."""
    first, cause = ("1 2 5", "1 3 1") if number % 7 == 0 else ("2 4", "1 1")
    if number % 10 == 3:
        yield from [*do("read"), *keys("ArrowDown ArrowDown Escape")]
    yield from [*keys(first), *do("go_on"), Step("stage", "both")]
    yield from [*keys("1 2 5"), *do("go_on"), Step("stage", "compared"), *keys(cause)]
    if number % 11 == 5:
        yield from [*do("undo"), *keys(cause[-1])]


def curation(number: int) -> Iterator[Step]:
    """Judge the criteria, reveal what the machine says, judge two provisions and the question."""
    yield from [*keys("1 1 1 1 2"), *do("go_on"), Step("stage", "told")]
    if number % 10 == 3:
        yield from [*do("read"), *keys("ArrowDown ArrowDown Escape")]
    yield from keys("1 2 1")


def answer_rating(number: int) -> Iterator[Step]:
    """Read a provision now and then, and rate."""
    if number % 6 == 2:
        yield from do("part_next", "go_on")
    yield from do("accept" if number % 4 else "reject", "sure")


def judge_review(number: int) -> Iterator[Step]:
    """Settle the consensus; where the judge was off, a category and why, or that it was fair."""
    yield from do("accept")
    if number % 9 == 0:
        yield from do("fair")
    elif number % 3 == 0:
        yield from [*keys("4"), *written("reason", WHY)]
    if number % 10 == 1:
        yield from [*do("prompts"), *keys("Escape")]


def factor_tagging(number: int) -> Iterator[Step]:
    """Answer each sub-factor, point at a sentence as evidence, and leave what is not stated."""
    del number
    yield from [*keys("1"), *do("evidence", "part_next", "go_on", "go_on"), *keys("3 5")]
    yield from do("go_on", "none", "go_on")
    yield from keys("1")


def attribution_review(number: int) -> Iterator[Step]:
    """Answer three claims: one matches, one in part, one not at all."""
    yield from keys("1 1 1 2 2 2" if number % 3 else "1 1 2 1 2 3")
    yield from [*do("none"), *keys("4"), *do("sure")]


def research(number: int) -> Iterator[Step]:
    """Search, read and mark a passage with the mouse, state the rule; some find nothing."""
    yield from [*do("search"), Step("type", QUERY), *keys("Enter")]
    if number % 5 == 4:
        yield from [*keys("Escape"), *do("none", "sure")]
        return
    yield from [Step("hit"), Step("mark", QUOTE), *do("evidence"), *written("reason", RULE)]
    yield from do("sure")


_EVERY = (
    *(citation_mapping, ocr_correction, mcq_solvability, curation, answer_rating, judge_review),
    *(factor_tagging, attribution_review, research),
)
SCRIPTS: dict[str, Callable[[int], Iterator[Step]]] = {each.__name__: each for each in _EVERY}


def script(task: str, number: int) -> list[Step]:
    """Return all that is done on the item of that number, up to its submission or skipping."""
    if number % 20 == 13:
        return [*do("skip"), *keys(f"{number % 3 + 1} Enter")]  # a preset reason by its number
    steps = list(SCRIPTS[task](number))
    if number % 8 == 6:
        steps += written("comment", COMMENT)
    if number % 20 == 9:
        steps += [*do("flag"), *keys("2 Enter")]
    return [*steps, *do("submit")]


def strokes(task: str, number: int) -> list[str]:
    """Return the keys pressed on an item, one entry for a key with the modifiers held with it."""
    return [key for step in script(task, number) for key in step.presses]
