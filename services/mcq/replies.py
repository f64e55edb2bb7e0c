"""Models' replies one by one: outcome, and the text that decided it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from evaluation.mcq.votes import Setting
from evaluation.replies.outcomes import Outcome
from services.mcq.report import SCOPES, in_scope, require_scope
from services.mcq.views import QuestionState, standing_questions, wordings_of
from services.models.workspace_models import model_names
from storage.db.workspace import Workspace
from storage.mcq.votes import ReadVote, read_votes, votes

_PASSED_OVER = frozenset("*_`$#")  # typesetting characters, ignored


@dataclass(frozen=True, slots=True)
class ReplyLine:
    """One reply to a question; `option` counts from 1.

    `rule` names what decided the outcome, `quote` is the deciding text, and `span` its place in
    `raw`, None where it is not contiguous there.
    """

    question: str
    query: str
    setting: Setting
    model: str
    repeat: int
    outcome: Outcome
    option: int | None
    rule: str
    quote: str
    raw: str

    @property
    def span(self) -> tuple[int, int] | None:
        """Place of the quote in the raw reply."""
        return place_of(self.quote, self.raw)


@dataclass(frozen=True, slots=True)
class Which:
    """Filter of replies; None matches any."""

    model: str | None = None
    setting: Setting | None = None
    outcome: Outcome | None = None


def mcq_replies(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    scope: str = SCOPES[0],
    which: Which | None = None,
) -> list[ReplyLine]:
    """Return the replies counted in the report, by question, setting, model and repeat.

    Raises UserError for `by` who may not read others' labels and an unknown scope.
    """
    require_scope(scope)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = standing_questions(session, project.id)
        cast = votes(session, project.id)
    asked = {each.id: each for each in found if in_scope(each, scope)}
    names = model_names(cast)
    wanted = which or Which()
    return [
        line
        for line in _lines(read_votes(cast, wordings_of(asked.values())), asked, names)
        if wanted.model in (None, line.model)
        and wanted.setting in (None, line.setting)
        and wanted.outcome in (None, line.outcome)
    ]


def place_of(quote: str, raw: str) -> tuple[int, int] | None:
    """Return where a quote begins and ends in a reply; None if it does not occur.

    Case, white space, typesetting and Unicode composition are ignored.
    """
    sought = [letter for letter, _ in _letters(quote)]
    said = list(_letters(raw))
    if not sought:
        return None
    at = "".join(letter for letter, _ in said).find("".join(sought))
    return None if at < 0 else (said[at][1], said[at + len(sought) - 1][1] + 1)


def _letters(text: str) -> Iterator[tuple[str, int]]:
    """Yield each letter of a text, decomposed and in lower case, with its offset."""
    for at, character in enumerate(text):
        for letter in unicodedata.normalize("NFKD", character).lower():
            if not letter.isspace() and letter not in _PASSED_OVER:
                yield letter, at


def _lines(
    read: list[ReadVote],
    questions: Mapping[int, QuestionState],
    names: Mapping[tuple[str, str], str],
) -> Iterator[ReplyLine]:
    """Yield the replies to a question's present wording, each with its question."""
    for each in read:
        if not each.present:
            continue
        item, vote, reading = questions[each.vote.mcq_id].item, each.vote, each.reading
        yield ReplyLine(
            item.id,
            item.query,
            Setting(vote.setting),
            names[vote.server, vote.model],
            vote.repeat,
            reading.outcome,
            reading.option,
            reading.rule,
            reading.quote,
            vote.raw,
        )
