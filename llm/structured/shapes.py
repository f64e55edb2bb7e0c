"""The forms of answers that prompts ask for. A prompt's head names one of `SHAPES`."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_Text = Annotated[str, Field(min_length=1)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class McqDraft(_Shape):
    """A multiple-choice question as a model writes it; `answer` counts options from 1."""

    query: _Text
    options: Annotated[list[_Text], Field(min_length=4, max_length=4)]
    answer: Annotated[int, Field(ge=1, le=4)]
    explanation: _Text


class AugmentedDraft(_Shape):
    """A situational question as a model writes it from governing provisions, with its answer."""

    question: _Text
    answer: _Text


class OcrBlock(_Shape):
    """One piece of a page, in reading order.

    `text` holds a paragraph or heading, or a formula as LaTeX; `rows` the cells of a table, and is
    empty for anything else.
    """

    kind: Literal["heading", "paragraph", "table", "formula"]
    text: str
    rows: list[list[str]]


class OcrPage(_Shape):
    """What a vision model reads on one image."""

    blocks: list[OcrBlock]


class FactorAnswer(_Shape):
    """What a model says of one sub-factor; `quote` is empty where there is nothing to quote."""

    sub_factor: _Text
    options: list[_Text]
    quote: str


class FactorAnswers(_Shape):
    """What a model says of the sub-factors of one factor."""

    answers: list[FactorAnswer]


class QueryAnchor(_Shape):
    """What a question is about; a facet that it does not mention is ``unspecified``."""

    topic: _Text
    actor: str = "unspecified"
    temporal: str = "unspecified"
    magnitude: str = "unspecified"
    situational: str = "unspecified"


class SubQueries(_Shape):
    """The smaller questions that a question comes to, the most important first."""

    queries: Annotated[list[_Text], Field(min_length=1)]


class SubFacts(_Shape):
    """The single facts that a description comes to, in its order."""

    facts: Annotated[list[_Text], Field(min_length=1)]


class KeptFacts(_Shape):
    """The numbers of those facts of a list, counted from 1, that a question is about."""

    facts: list[Annotated[int, Field(ge=1)]]


class QueryKeywords(_Shape):
    """What a question is looked up by: overarching subjects, and the particular things it names."""

    high: list[str]
    low: list[str]


class SubQuestions(_Shape):
    """The questions that are still to be answered, the most useful first; there may be none."""

    questions: list[str]


class NumberedChoice(_Shape):
    """One of several things numbered from 1; 0 is none of them."""

    choice: Annotated[int, Field(ge=0)]


class CaseFact(_Shape):
    """One fact of a court case, and the same with what tells most first."""

    fact: _Text
    relevant: bool
    core: _Text


class CaseFacts(_Shape):
    """The single facts of a court case, in the order of its text."""

    facts: Annotated[list[CaseFact], Field(min_length=1)]


class CriterionVerdict(_Shape):
    """Whether a criterion holds for a question, and why, in a sentence."""

    holds: bool
    reason: _Text


class CascadeVerdict(_Shape):
    """What the judge of the cascade says of a question."""

    practitioner_voice: CriterionVerdict
    concrete_context: CriterionVerdict
    situational_framing: CriterionVerdict
    single_institution: CriterionVerdict


class YesNoQuestion(_Shape):
    """An option of a multiple-choice question as a question that is answered with yes or no."""

    question: _Text


class AtomicClaims(_Shape):
    """The single statements that an answer makes, in its order."""

    claims: Annotated[list[_Text], Field(min_length=1, max_length=20)]


class ClaimMatches(_Shape):
    """Which official claims a claim matches, and which in part; all are numbered from 1."""

    claim: Annotated[int, Field(ge=1)]
    match: list[Annotated[int, Field(ge=1)]]
    partial: list[Annotated[int, Field(ge=1)]]


class ClaimLabelling(_Shape):
    """What a judge says of every claim of an answer."""

    labels: Annotated[list[ClaimMatches], Field(min_length=1)]


class _Lenient(BaseModel):
    """A form in which a model may say more than was asked for, or leave a describing word out."""

    model_config = ConfigDict(extra="ignore", frozen=True)


_Loose = Annotated[str, BeforeValidator(lambda said: "" if said is None else said)]


def _number(weight: object) -> object:
    """Return a weight as a number; 1 unless it is positive and finite."""
    try:
        number = float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 1.0
    return number if math.isfinite(number) and number > 0 else 1.0


class UnitEntity(_Lenient):
    """Something that a unit names."""

    name: str
    type: _Loose = ""
    description: _Loose = ""


class UnitRelation(_Lenient):
    """How two things that a unit names belong together, by their names."""

    source: str
    target: str
    keywords: _Loose = ""
    description: _Loose = ""
    weight: Annotated[float, BeforeValidator(_number)] = 1.0


class UnitGraph(_Lenient):
    """The entities and relations of a unit, both of which may be none."""

    entities: list[UnitEntity]
    relations: list[UnitRelation]


class UnitPhrases(_Lenient):
    """The named entities of a unit."""

    phrases: list[str]


class UnitTriple(_Lenient):
    """One fact of a unit."""

    subject: str
    predicate: str
    object: str


class UnitTriples(_Lenient):
    """The facts of a unit."""

    triples: list[UnitTriple]


class UnitAtoms(_Lenient):
    """The questions that a unit answers."""

    questions: list[str]


SHAPES: dict[str, type[BaseModel]] = {
    "mcq": McqDraft,
    "augmented": AugmentedDraft,
    "ocr_page": OcrPage,
    "factor_tags": FactorAnswers,
    "query_anchor": QueryAnchor,
    "sub_queries": SubQueries,
    "sub_facts": SubFacts,
    "kept_facts": KeptFacts,
    "query_keywords": QueryKeywords,
    "sub_questions": SubQuestions,
    "numbered_choice": NumberedChoice,
    "case_facts": CaseFacts,
    "cascade": CascadeVerdict,
    "yes_no_question": YesNoQuestion,
    "claims": AtomicClaims,
    "claim_labels": ClaimLabelling,
    "unit_graph": UnitGraph,
    "unit_phrases": UnitPhrases,
    "unit_triples": UnitTriples,
    "unit_atoms": UnitAtoms,
}
