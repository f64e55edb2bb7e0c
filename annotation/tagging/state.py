"""What the tags of one court case come to: derived from what people said, never kept.

Where all who answered the case chose the same options of a sub-factor, that is its tag. Where they
differ, or where only some answered what is required, it is disputed until an adjudicator settles
it. A sub-factor is looked at only while its condition holds under the tags: so what hangs on a
disputed one waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from construction.tagging.applicability import asked, in_scope
from construction.tagging.codebook import Codebook, SubFactor

Answers = Mapping[str, Any]  # by sub-factor, as the form keeps them


class How(StrEnum):
    """Where a tag comes from."""

    SINGLE = "single"  # one person answered
    AGREED = "agreed"  # all did, and chose the same
    SETTLED = "settled"  # an adjudicator decided


class Evidence(NamedTuple):
    """A passage that an option rests on: where it stands in the text, and its words."""

    option: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Tag:
    """The options of one sub-factor, in the codebook's order, and where they come from."""

    options: tuple[str, ...]
    how: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class TagState:
    """The tags of a case. `disputed` waits for an adjudicator, `missing` nobody has answered.

    `stale` are sub-factors whose answers name an option that the codebook has no more.
    """

    tags: Mapping[str, Tag] = field(default_factory=dict)
    disputed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()

    @property
    def open(self) -> frozenset[str]:
        """What an adjudicator has to decide."""
        return self.disputed | self.stale


def tag_state(
    book: Codebook, groups: Sequence[str], said: Sequence[Answers], settled: Answers | None = None
) -> TagState:
    """Return what the answers to a case of these standard groups come to.

    `said` are the complete submissions of different people, `settled` what an adjudicator decided.
    """
    subs = {each.key: each for each in in_scope(book, groups)}
    tags, stale = _tags(subs, said, settled or {})
    holding = asked(book, groups, {key: tag.options for key, tag in tags.items()})
    now = {each.key for each in holding}
    disputed, missing = set(), set()
    for each in holding:
        if each.key in tags or each.key in stale or not said:
            continue
        if any(each.key in answers for answers in said) or _opened(each, settled or {}):
            disputed.add(each.key)
        elif each.required:
            missing.add(each.key)
    return TagState(
        tags={key: tag for key, tag in tags.items() if key in now},
        disputed=frozenset(disputed),
        stale=frozenset(stale & now),
        missing=frozenset(missing),
    )


def options_of(answer: Mapping[str, Any]) -> frozenset[str]:
    """Return the options that an answer names."""
    return frozenset(answer["options"])


def evidence_of(answer: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Return the passages attached to an answer."""
    return tuple(
        Evidence(each["option"], each["start"], each["end"], each["quote"])
        for each in answer.get("evidence", ())
    )


def _tags(
    subs: Mapping[str, SubFactor], said: Sequence[Answers], settled: Answers
) -> tuple[dict[str, Tag], set[str]]:
    """Return the tags that stand, whether or not they are asked, and what is stale."""
    tags, stale = dict[str, Tag](), set[str]()
    for key, each in subs.items():
        answer = _one(each, said, settled)
        if answer is None:
            continue
        options, how = answer
        if options <= set(each.givable):
            tags[key] = Tag(_ordered(each, options), how, _evidence(key, options, said, settled))
        else:
            stale.add(key)
    return tags, stale


def _one(
    each: SubFactor, said: Sequence[Answers], settled: Answers
) -> tuple[frozenset[str], How] | None:
    """Return the one answer that stands, None where there is none or more than one."""
    given = [options_of(answers[each.key]) for answers in said if each.key in answers]
    everybody = len(given) == len(said) or not each.required
    alike = bool(given) and everybody and len(set(given)) == 1
    if each.key in settled:
        options = options_of(settled[each.key])
        return options, _how(given) if alike and given[0] == options else How.SETTLED
    return (given[0], _how(given)) if alike else None


def _how(given: Sequence[frozenset[str]]) -> How:
    return How.SINGLE if len(given) == 1 else How.AGREED


def _opened(each: SubFactor, settled: Answers) -> bool:
    """Return whether an adjudicator's answer is why a sub-factor is asked."""
    return each.required and any(other in settled for other in each.when)


def _ordered(each: SubFactor, options: frozenset[str]) -> tuple[str, ...]:
    return tuple(key for key in each.givable if key in options)


def _evidence(
    key: str, options: frozenset[str], said: Sequence[Answers], settled: Answers
) -> tuple[Evidence, ...]:
    """Return every passage that somebody attached to an option that stands, in text order."""
    answers = [each[key] for each in (*said, settled) if key in each]
    passages = {each for answer in answers for each in evidence_of(answer)}
    kept = (each for each in passages if each.option in options)
    return tuple(sorted(kept, key=lambda each: (each.start, each.end, each.option)))
