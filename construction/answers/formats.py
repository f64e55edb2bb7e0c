"""Forms of answers: prose, provision by provision, or the choice of an option."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_uppercase
from typing import Any

from construction.answers.contexts import ContextSpec, Kind, Shown, provisions_text
from construction.reformulation.statements import is_yes_no, says_yes
from corpus.model import Question
from evaluation.replies.per_provision import ANSWER

ANCHOR = "query_anchor"  # the prompt for a question's topic anchor
_WRITTEN = {Kind.ROLLOUT: "expand_structured", Kind.PSEUDO: "answer_pseudo"}
_YES_NO = {"en": ("Yes", "No"), "ko": ("예", "아니요")}


class Format(StrEnum):
    """The form of an answer."""

    FREE = "free"  # prose; where provisions are shown, with a footer of those cited
    PER_PROVISION = "per_provision"  # JSON: claims under the id of each provision, and an answer
    CHOICE_GENERATED = "choice_generated"  # the letter of an option, written
    CHOICE_LIKELIHOOD = "choice_likelihood"  # the letter that the model finds most probable

    @property
    def chooses(self) -> bool:
        """Whether the answer is the choice of an option."""
        return self in (Format.CHOICE_GENERATED, Format.CHOICE_LIKELIHOOD)

    def fits(self, kind: Kind) -> bool:
        """Whether this form is possible in a context of that kind."""
        return self is not Format.PER_PROVISION or kind.provisions


LABELS = {
    Format.FREE: "",
    Format.PER_PROVISION: "per provision",
    Format.CHOICE_GENERATED: "choice",
    Format.CHOICE_LIKELIHOOD: "likelihood",
}
"""The suffix of a system's name for its format."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option to choose; `letter` is shown to the model, `label` is the question's own.

    `correct` is None if unknown.
    """

    letter: str
    label: str
    text: str
    correct: bool | None = None


def options_of(question: Question) -> tuple[Option, ...]:
    """Return the options of a question, lettered from A in their order; () for fewer than two.

    A question without options that is answered with yes or no has these two, lettered A and B.
    """
    if question.choices:
        options = tuple(
            Option(letter, each.label, each.text, each.correct)
            for letter, each in zip(ascii_uppercase, question.choices, strict=False)
        )
        return options if len(options) > 1 else ()
    if not is_yes_no(question):
        return ()
    yes = says_yes(question.answer)
    words = _YES_NO.get(question.language, _YES_NO["en"])
    return Option("A", "A", words[0], yes), Option("B", "B", words[1], not yes)


def prompt_before(spec: ContextSpec) -> str:
    """Return the id of the prompt to run before the question, "" for none."""
    return ANCHOR if spec.anchor else _WRITTEN.get(spec.kind, "")


def claims_schema(units: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer by provision: claims by unit id, and the answer."""
    claims = {"type": "array", "items": {"type": "string"}}
    properties: dict[str, Any] = dict.fromkeys(units, claims) | {ANSWER: {"type": "string"}}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def prompt_of(form: Format, kind: Kind) -> str:
    """Return the id of the prompt for an answer of that form in such a context."""
    if form.chooses:
        return "answer_choice" if kind is Kind.NONE else "answer_choice_context"
    if form is Format.PER_PROVISION:
        return "answer_provisions"
    if kind is Kind.NONE:
        return "answer_closed"
    return "answer_context" if kind.provisions else "answer_with_pseudo"


def values_of(
    form: Format,
    kind: Kind,
    question: Question,
    passages: Sequence[Shown],
    year: str = "",
    anchor: str = "",
) -> dict[str, str]:
    """Return the values of that prompt; `year` is that of the law in question."""
    values = {"question": question.text, "jurisdiction": question.jurisdiction, "year": year}
    if anchor:
        values["anchor"] = anchor
    if form.chooses:
        options = options_of(question)
        values["options"] = "\n".join(f"{each.letter}. {each.text}" for each in options)
    if kind is not Kind.NONE:
        values["context"] = provisions_text(passages)
    return values
