"""No expression of ours runs away on a text made to hold it up, nor grows with its square."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from corpus.cases import safe_pattern
from corpus.citations import bare_names, english_law
from evaluation.judging import answer_diff
from evaluation.replies.rules import normalised
from tests.support.product_patterns import Attack, Ours, attacks, our_patterns, seconds, ways

SCREEN, GROWN = 2_000, 8_000  # characters at which every attack is tried, and the slowest of them
LONG, LONGEST = 25_000, 100_000  # and those that grow the most
LIMIT = 0.25  # seconds of processor at these; the slowest of ours takes a tenth of it
CAP = 1.0  # seconds of processor at LONGEST; the slowest of ours takes a sixth of it
FLOOR = 0.04  # seconds of processor that tell nothing of how the time grows
GROWTH = 8  # times as long at LONGEST as at LONG: four where it grows with the length, else sixteen
TRIES = 3

# Expressions that the text's length does not hold up because they never see all of it: how much
# they see, by the name that the code itself goes by.
BOUNDED = {
    "corpus.citations.bare_names:_WORD": bare_names._WINDOW,
    "corpus.citations.english_names:_BEFORE": english_law._WINDOW,
    "corpus.cases.safe_pattern:_PIECE": safe_pattern.PATTERN_CHARACTERS,
    "corpus.cases.safe_pattern:_SPACED": safe_pattern.PATTERN_CHARACTERS,
    "evaluation.judging.answer_diff:_ENDED": answer_diff._LONGEST_WORD,
}
# What a module does with every text before its expressions see it.
PREPARED: Mapping[str, Callable[[str], str]] = {"evaluation.replies.choices": normalised}


@dataclass(frozen=True)
class Grown:
    """How long an expression takes on its worst text at LONG and at LONGEST, in seconds."""

    name: str
    attack: Attack
    long: float
    longest: float

    @property
    def is_square(self) -> bool:
        return self.longest >= CAP or (
            self.longest > FLOOR and self.longest > GROWTH * max(self.long, FLOOR / GROWTH)
        )


@pytest.fixture(scope="module")
def patterns() -> Iterator[list[Ours]]:
    yield our_patterns()


def test_the_expressions_are_found(patterns: list[Ours]) -> None:
    rooms = {each.module.split(".")[0] for each in patterns}
    assert rooms >= {"corpus", "construction", "evaluation", "retrieval", "llm", "services"}
    assert len(patterns) > 300


@pytest.mark.parametrize(
    "text", [r"(a|a)*$", r"(\w+\s?)+$", r"(?:가|가의)?(?:\s?(?:가의|가|의))*x"]
)
def test_an_expression_that_runs_away_is_seen(text: str) -> None:
    bad = Ours("tests", "bad", re.compile(text), frozenset())
    assert max(time for time, _ in _screened(bad, attacks(bad.pattern), SCREEN)) >= LIMIT


@pytest.mark.parametrize(
    "text",
    [
        r"[^\d,;]*?제\d+조",
        *(pytest.param(each, marks=pytest.mark.long) for each in (r"\s+$", r"<a>.*?</a>")),
    ],
)
def test_an_expression_that_grows_with_the_square_is_seen(text: str) -> None:
    bad = Ours("tests", "bad", re.compile(text, re.DOTALL), frozenset(["finditer"]))
    assert _grown(bad).is_square


@pytest.mark.parametrize("text", [r"(?<!\s)\s++$", r"제\d+조", r"(?<!\d)\d++조"])
def test_an_expression_that_grows_with_the_length_passes(text: str) -> None:
    good = Ours("tests", "good", re.compile(text), frozenset(["finditer"]))
    assert not _grown(good).is_square


def test_no_expression_of_ours_runs_away_or_grows_with_the_square(patterns: list[Ours]) -> None:
    free = [each for each in patterns if repr(each) not in BOUNDED]
    assert [grown for each in free if (grown := _grown(each)).is_square] == []


@pytest.mark.parametrize("name", BOUNDED)
def test_what_an_expression_sees_at_most_does_not_hold_it_up(
    name: str, patterns: list[Ours]
) -> None:
    bounded = [each for each in patterns if repr(each) == name]
    assert bounded
    for each in bounded:
        assert (
            max(time for time, _ in _screened(each, attacks(each.pattern), BOUNDED[name]))
            < LIMIT / 5
        )


def _screened(each: Ours, made: Iterable[Attack], length: int) -> list[tuple[float, Attack]]:
    """Return the attacks in so many characters with their times, the slowest first.

    What takes too long is the last that is tried.
    """
    timed: list[tuple[float, Attack]] = []
    for attack in made:
        timed.append((_time(each, attack, length, LIMIT), attack))
        if timed[-1][0] >= LIMIT:
            break
    return sorted(timed, key=lambda one: -one[0])


def _grown(each: Ours) -> Grown:
    """Try the attack that promises the most at great lengths."""
    tried = _screened(each, attacks(each.pattern), SCREEN)
    again = _screened(each, (attack for _, attack in tried[:5]), GROWN)
    time, attack = max(tried[0], again[0], key=lambda one: one[0])
    if time >= LIMIT:
        return Grown(repr(each), attack, time, CAP)
    long = longest = CAP
    for _ in range(TRIES):  # whoever waits for the processor once does not wait every time
        long = min(long, _time(each, attack := again[0][1], LONG, CAP))
        longest = min(longest, _time(each, attack, LONGEST, CAP)) if long < CAP else CAP
        found = Grown(repr(each), attack, long, longest)
        if not found.is_square:
            break
    return found


def _time(each: Ours, attack: Attack, length: int, limit: float) -> float:
    prepare = PREPARED.get(each.module, str)
    text = prepare(attack.text(length))
    return sum(seconds(call, text, limit) for call in ways(each))
