"""What the present rules read of votes that were kept: derived from the raw reply, never stored.

So a vote of whatever age is read by the rules of today, and no model is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from construction.mcq.model import Mcq, wording_of
from evaluation.replies.outcomes import Outcome, Reading, read_reply
from storage.mcq.votes import VoteView

CUT_OFF = "length"  # the reason that servers give for an answer that was too long
REFUSED = "refused"  # the state of a vote whose reply the server declares a refusal
_MOST_KEPT = 100_000

_Key = tuple[bytes, str, bool, bool]
_kept: dict[_Key, Reading] = {}


@dataclass(frozen=True, slots=True)
class ReadVote:
    """A vote and what is read of it; `present`: its wording is the one of today."""

    vote: VoteView
    reading: Reading
    present: bool

    @property
    def option(self) -> int | None:
        """The option chosen, counted from 0."""
        return None if self.reading.option is None else self.reading.option - 1


@dataclass(frozen=True, slots=True)
class Wordings:
    """A question's present wording, and others that votes may be on, by their digests."""

    present: str
    items: dict[str, Mcq]

    @classmethod
    def of(cls, present: Mcq, others: Sequence[Mcq] = ()) -> Wordings:
        """Return the wordings of a question as it is now and as it was."""
        return cls(wording_of(present), {wording_of(each): each for each in (*others, present)})


def read_votes(cast: Iterable[VoteView], wordings: dict[int, Wordings]) -> list[ReadVote]:
    """Return the votes on these questions with what is read of each, in the order given."""
    return [
        ReadVote(vote, _reading(vote, known.items), vote.wording == known.present)
        for vote in cast
        if (known := wordings.get(vote.mcq_id)) is not None
    ]


def _reading(vote: VoteView, items: dict[str, Mcq]) -> Reading:
    item = items.get(vote.wording)
    if item is None or (not vote.raw and vote.choice is not None):
        return _as_cast(vote, item)
    declared, cut = vote.state == REFUSED, vote.finish_reason == CUT_OFF
    key = blake2b(vote.raw.encode("utf-8", "surrogatepass")).digest(), vote.wording, declared, cut
    found = _kept.get(key)
    if found is None:
        here = vote.raw, item.options, item.abstention
        found = read_reply(*here, declared_refusal=declared, cut=cut)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = found
    return found


def _as_cast(vote: VoteView, item: Mcq | None) -> Reading:
    """Return what the vote itself says: it is on a wording not known any more, or has no text."""
    if vote.choice is None:
        outcome = Outcome.REFUSED if vote.state == REFUSED else Outcome.UNREADABLE
        return Reading(outcome, None, vote.state)
    leaves_open = item is not None and vote.choice + 1 == item.abstention
    outcome = Outcome.ABSTAINED_OPTION if leaves_open else Outcome.ANSWERED
    return Reading(outcome, vote.choice + 1, "as_cast")
