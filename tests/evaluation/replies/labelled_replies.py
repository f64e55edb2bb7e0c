"""Realistic replies of models with what each comes to: ``replies.tsv`` and ``held_out.tsv``.

Columns: language, options (a name in ``reply_options.json``), outcome, option (from 1), mark, and
the reply. In a reply ``⏎`` stands for the end of a line and ``␠`` for a space. A mark says how it
came: ``length`` (cut off), ``refusal`` and ``content_filter`` (declared by the server), ``nfd``
(decomposed, as some systems send Hangul).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.replies.outcomes import Outcome, Reading, read_reply

HERE = Path(__file__).parent
_OUTCOMES = {
    "option": Outcome.ABSTAINED_OPTION,
    "words": Outcome.ABSTAINED_WORDS,
    **{each.value: each for each in Outcome},
}


@dataclass(frozen=True, slots=True)
class Written:
    """A reply and what it comes to."""

    name: str
    language: str
    text: str
    options: Sequence[str]
    abstention: int | None
    outcome: Outcome
    option: int | None
    mark: str

    def read(self) -> Reading:
        """Return what the reader makes of it."""
        declared = self.mark in ("refusal", "content_filter")
        here = self.text, self.options, self.abstention
        return read_reply(*here, declared_refusal=declared, cut=self.mark == "length")

    @property
    def right(self) -> bool:
        """Whether the reader makes of it what a person does."""
        found = self.read()
        return (found.outcome, found.option) == (self.outcome, self.option)


def written(file: str) -> list[Written]:
    """Return the replies of a file of this folder."""
    questions = json.loads((HERE / "reply_options.json").read_text(encoding="utf-8"))
    lines = (HERE / file).read_text(encoding="utf-8").split("\n")[1:]
    return [_written(f"{file}:{n}", line, questions) for n, line in enumerate(lines, 2) if line]


def _written(name: str, line: str, questions: dict[str, dict[str, object]]) -> Written:
    language, options, outcome, option, mark, reply = line.split("\t")
    text = reply.replace("⏎", "\n").replace("␠", " ")
    question = questions[options]
    return Written(
        name=name,
        language=language,
        text=unicodedata.normalize("NFD", text) if mark == "nfd" else text,
        options=question["options"],  # type: ignore[arg-type]
        abstention=question["abstention"],  # type: ignore[arg-type]
        outcome=_OUTCOMES[outcome],
        option=int(option) if option else None,
        mark=mark,
    )
