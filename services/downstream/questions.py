"""Questions behind a downstream figure: the list under one setting, and one in detail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from construction.answers import options_of
from errors import UserError, Where, require_known
from evaluation.downstream import Outcome
from services.downstream.reading import Material, Setting, read_material
from services.gold.gold_set import gold_set
from storage.answers import AnswerView, standing_answers
from storage.db.workspace import Workspace
from storage.law.passages import Passage, passages_by_id


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question under a setting: its outcome, the chosen and the correct labels.

    `passage` is the position of the passage whose answer counts, 0 for the whole context.
    """

    external_id: str
    question: str
    outcome: Outcome
    chosen: str
    right: tuple[str, ...]
    passage: int


@dataclass(frozen=True, slots=True)
class OptionShown:
    """An option; `logprob` is the log-probability of its label, None where unknown."""

    label: str
    text: str
    right: bool
    chosen: bool
    logprob: float | None


@dataclass(frozen=True, slots=True)
class PassageShown:
    """A passage in the model's context: its text as shown, "" where unknown.

    `state`, `choice` and `logprob` are of the answer with this passage alone, "" and None where the
    whole context was shown; `kept`: this answer counts.
    """

    place: int
    unit: str
    label: str
    origin: str
    gold: bool
    text: str
    state: str = ""
    choice: str = ""
    logprob: float | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class QuestionDetail:
    """One question in detail; `answer` is the official one, `raw` the model's text."""

    line: QuestionLine
    language: str
    answer: str
    options: tuple[OptionShown, ...]
    passages: tuple[PassageShown, ...]
    raw: str


def question_lines(
    ws: Workspace,
    project_slug: str,
    name: str,
    verdicts: str = "",
    tops: tuple[int, ...] = (),
    by: int | None = None,
) -> list[QuestionLine]:
    """Return the questions of a setting, named as in the report, by id.

    Raises UserError as the report does, and for an unknown setting.
    """
    material, setting = _read(ws, project_slug, name, verdicts, tops, by)
    return [_line(material, setting, question) for question in sorted(setting.outcomes)]


def question_detail(
    ws: Workspace,
    project_slug: str,
    name: str,
    question: str,
    verdicts: str = "",
    tops: tuple[int, ...] = (),
    by: int | None = None,
) -> QuestionDetail:
    """Return one question of a setting in detail.

    Raises UserError as `question_lines` does, and for a question outside the setting.
    """
    material, setting = _read(ws, project_slug, name, verdicts, tops, by)
    if question not in setting.outcomes:
        raise UserError("downstream_question", Where(field="question"), id=question, name=name)
    line = _line(material, setting, question)
    with ws.reading() as session:
        answers = standing_answers(session, setting.run.project_id, setting.run.id, question)
    places = {each.passage: each for each in answers}
    gone_by = places.get(line.passage)
    about = material.questions[question]
    return QuestionDetail(
        line=line,
        language=about.language,
        answer=about.answer,
        options=_options(material, question, gone_by),
        passages=_shown_passages(ws, project_slug, setting, question, places, line.passage),
        raw="" if gone_by is None else gone_by.raw,
    )


def _read(
    ws: Workspace, slug: str, name: str, verdicts: str, tops: tuple[int, ...], by: int | None
) -> tuple[Material, Setting]:
    """Return the material and the named setting. Raises UserError for an unknown one."""
    material = read_material(ws, slug, verdicts, tops, by)
    known = {each.name: each for each in material.settings}
    require_known("downstream_setting", known, Where(field="setting"), name=name)
    return material, known[name]


def _line(material: Material, setting: Setting, question: str) -> QuestionLine:
    """Return a question's outcome in a setting."""
    return QuestionLine(
        external_id=question,
        question=material.questions[question].text,
        outcome=setting.outcomes[question],
        chosen=setting.choices.get(question, ""),
        right=material.keys.get(question, ()),
        passage=setting.picked[question].passage if setting.top else 0,
    )


def _options(material: Material, question: str, row: AnswerView | None) -> tuple[OptionShown, ...]:
    """Return the options of a question, marking the right and the chosen one."""
    sure = (row.logprobs or {}) if row is not None else {}
    chosen = None if row is None else row.choice
    return tuple(
        OptionShown(
            label=each.label,
            text=each.text,
            right=each.label in material.keys.get(question, ()),
            chosen=each.label == chosen,
            logprob=sure.get(each.label),
        )
        for each in options_of(material.questions[question])
    )


def _shown_passages(
    ws: Workspace,
    slug: str,
    setting: Setting,
    question: str,
    places: Mapping[int, AnswerView],
    kept_passage: int,
) -> tuple[PassageShown, ...]:
    """Return the passages in the model's context, or the first ones shown singly."""
    wanted = [place for place in sorted(places) if (1 <= place <= setting.top) or not setting.top]
    parts = [(place, each) for place in wanted for each in places[place].context]
    units = {str(each["unit"]) for _, each in parts if each["unit"]}
    snapshot = setting.run.snapshot_id
    spec = setting.spec
    name = spec.gold if spec.kind.needs_gold else ""
    gold = gold_set(ws, slug, snapshot, name).qrels.get(question, {})
    with ws.reading() as session:
        known = passages_by_id(session, snapshot, units) if snapshot else {}
        return tuple(
            PassageShown(
                place=place or at,
                unit=str(each["unit"]),
                label=str(each["label"]),
                origin=str(each["origin"]),
                gold=each["unit"] in gold,
                text=_shown_text(each, known),
                **(_single_answer(places[place], place == kept_passage) if place else {}),
            )
            for at, (place, each) in enumerate(parts, 1)
        )


def _single_answer(row: AnswerView, is_kept: bool) -> dict[str, Any]:
    """Return a model's answer from one passage."""
    sure = (row.logprobs or {}).get(row.choice or "")
    return {"state": row.state, "choice": row.choice or "", "logprob": sure, "kept": is_kept}


def _shown_text(part: Mapping[str, Any], known: Mapping[str, Passage]) -> str:
    """Return the part of a passage that the model was shown; "" if the unit is unknown."""
    if "text" in part:
        return str(part["text"])
    found = known.get(str(part["unit"]))
    return "" if found is None else found.text[: int(part["characters"])]
