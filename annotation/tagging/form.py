"""The form of factor tagging: one field per applicable sub-factor of a court case.

Which sub-factors apply follows from the current codebook, the standard groups that the item shows,
and the answers: a sub-factor with conditions applies only if they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.forms.form import Answers, Compared, Form
from annotation.tagging.codebook import (
    TagError,
    book_of,
    checked,
    fits_any_codebook,
    options_in,
    refuse_gone,
)
from annotation.work.rules import AGAIN, Becomes, Code, Why
from construction.tagging.codebook import Codebook, SubFactor, asked_sub_factors, in_scope
from construction.tagging.editing import ChangeKind, differences
from construction.tagging.reading import parse
from errors import UserError, Where
from storage.mapping import newest_set_id
from storage.subjects import shown_of
from storage.tables.cases import CourtCase
from storage.tables.core import Annotation, Item
from storage.tasks import Task

_RENAMED = frozenset({ChangeKind.RENAMED, ChangeKind.OPTION_RENAMED})
_REWORDED = frozenset({ChangeKind.TEXT, ChangeKind.OPTION_TEXT})


@dataclass(frozen=True, slots=True)
class Asking:
    """The sub-factors that apply to an item, with its codebook and standard groups.

    `subs` are those in scope of the groups, by key and in the codebook's order.
    """

    book: Codebook
    groups: tuple[str, ...]
    subs: Mapping[str, SubFactor]

    def applicable(self, answers: Answers) -> dict[str, SubFactor]:
        """Return the sub-factors whose conditions the answers meet."""
        given = options_in(answers)
        return {sub.key: sub for sub in asked_sub_factors(self.book, self.groups, given)}


def asking_of(session: Session, item: Item) -> Asking:
    """Return the sub-factors in scope of an item now, whatever their conditions."""
    book, _ = book_of(session, item.project_id)
    shown = shown_of(session, newest_set_id(session, item.id or 0) or 0)
    return asking_under(book, tuple(shown["groups"]))


def asking_under(book: Codebook, groups: tuple[str, ...]) -> Asking:
    """Return the sub-factors of a codebook in scope of these groups, whatever their conditions."""
    return Asking(book, groups, {sub.key: sub for sub in in_scope(book, groups)})


class FactorTagging(Form):
    """The form of factor tagging."""

    task: Task = Task.FACTOR_TAGGING

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> dict[str, Any]:
        """Return the value in its stored form.

        Raises UserError for a field that does not apply to the item, for options that the codebook
        does not have (any more) or that exclude each other, and for evidence that does not match
        the judgment.
        """
        asking = asking_of(session, item)
        sub = _sub_factor(asking, field)
        if field not in asking.applicable(answers):
            raise TagError("tag_condition", sub)
        return checked(sub, value, _text(session, item))

    def fit(self, answers: Answers) -> None:
        """Raise UserError if nothing is answered."""
        if not answers:
            raise UserError("tag_nothing")

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for a field that does not apply, or an option removed from the codebook.

        Missing fields are allowed, since an adjudicator decides only those in dispute.
        """
        asking = asking_of(session, item)
        for field, options in options_in(answers).items():
            refuse_gone(_sub_factor(asking, field), options)

    def refuse_unfinished(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError if the answer lacks a required field or has an inapplicable one."""
        asking = asking_of(session, item)
        now = asking.applicable(answers)
        for field in answers:
            if field not in now:
                raise TagError("tag_idle", asking.subs[field])
        for key, sub in now.items():
            if sub.required and key not in answers:
                raise TagError("tag_required", sub)

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's answers to some sub-factors in their stored form.

        Conditions are not checked: the fields they depend on may be agreed, and are then not
        decided.
        """
        asking, text = asking_of(session, item), _text(session, item)
        kept = {
            field: checked(_sub_factor(asking, field), value, text)
            for field, value in answers.items()
        }
        self.fit(kept)
        return kept

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value if it is valid under any codebook; evidence must match the text."""
        if not fits_any_codebook(value, _text(session, item)):
            raise UserError("tag_field", Where(field=field[:80]))
        return value

    def options_named(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the options of the answer."""
        return tuple(value["options"])

    def with_options_replaced(self, value: Any, becomes: Mapping[str, str]) -> Any:
        """Return an answer with options replaced, in its passages too."""
        options = list(dict.fromkeys(becomes.get(each, each) for each in value["options"]))
        passages = [
            each | {"option": becomes.get(each["option"], each["option"])}
            for each in value["evidence"]
        ]
        return {"options": options, "evidence": passages}

    def scales_in(self, session: Session, project_id: int) -> Mapping[str, Compared]:
        """Return the scale of each sub-factor, in the lawyers' order."""
        book, _ = book_of(session, project_id)
        subs = ((key, book.places[key][1]) for key in book.order)
        return {key: ("nominal" if sub.exclusive else "sets", sub.givable) for key, sub in subs}

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return the options of each sub-factor."""
        return {key: sub.givable for key, (_, sub) in parse(codebook).places.items()}

    def changed(self, old: str, new: str) -> dict[str, Becomes]:
        """Return the migration of removed and renamed options and sub-factors.

        Reworded ones, and those with another number of options, are to be answered again.
        """
        found = {}
        for each in differences(parse(old), parse(new)):
            name = f"{each.sub_factor}.{each.option}" if each.option else each.sub_factor
            if each.kind in _RENAMED:
                found[name] = Becomes(each.new)
            elif each.kind is ChangeKind.OPTION_REMOVED:
                found[name] = Becomes(AGAIN, "gone")
            elif each.kind in _REWORDED or (
                each.kind is ChangeKind.RULES and ("claim" in each.new or "exclusive" in each.new)
            ):
                found[name] = Becomes(AGAIN, "changed")
        return found

    def under(
        self,
        session: Session,
        item: Item,
        submission: Annotation,
        codebook: str,
        answers: dict[str, Any],
        before: Answers,
    ) -> tuple[dict[str, Any], list[Why]]:
        """Return the answers that still apply under the codebook, and the fields to answer again.

        Fields that depend on an answer to be given again stay as they are until then.
        """
        groups = tuple(shown_of(session, submission.candidate_set_id)["groups"])
        asking, text = asking_under(parse(codebook), groups), _text(session, item)
        kept, why = dict[str, Any](), list[Why]()
        for field, value in answers.items():
            sub = asking.subs.get(field)
            if sub is None:
                why.append(Why("idle", field))
                continue
            try:
                fits = checked(sub, value, text)
            except TagError as error:
                code: Code = "gone" if error.code == "tag_option_gone" else "unfit"
                why.append(Why(code, field))
            else:
                alike = set(fits["options"]) == set(value["options"])
                kept[field] = value if alike else fits
        now = asking.applicable({**before, **kept})
        idle = [field for field in kept if field not in now]
        missing = [
            key
            for key, sub in now.items()
            if sub.required and key not in kept and key not in before
        ]
        why += [Why("idle", field) for field in idle] + [Why("asked", key) for key in missing]
        return {field: value for field, value in kept.items() if field in now}, why

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return the options; equally good passages may differ."""
        return {field: list(options) for field, options in options_in(answers).items()}


def _sub_factor(asking: Asking, field: str) -> SubFactor:
    """Return the sub-factor. Raises UserError if it is not in scope of the item (any more)."""
    sub = asking.subs.get(field)
    if sub is None:
        raise UserError("tag_field", Where(field=str(field)[:80]))
    return sub


def _text(session: Session, item: Item) -> str:
    """Return the text of the judgment that the item is about."""
    return session.get_one(CourtCase, item.subject_id).text


FORM = FactorTagging()
