"""The codebook of factors that holds in a project, its values, and how often options are used.

A value of a sub-factor names its options, and the evidence for each:

    {"options": ["threatened"], "evidence": [{"option": "threatened", "start": 8, "end": 20,
                                              "quote": "이 칼로 찌르겠다고"}]}

``["not_stated"]`` says that the judgment does not tell. Offsets count characters (code points) of
the judgment's text, and ``quote`` is what stands there.

The provisions that the tags of a court case rest on: cited by the judgment or the codebook.

A case cites in its file's list of provisions and in its text; the codebook in the labels and
explanations of the answered sub-factors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import Session, select

from annotation.forms.submissions import answers_in
from annotation.gold.resting import CitingText, Resting, Rests, Scope, TextKey
from annotation.guidelines.documents import EVERY, current
from annotation.work.submissions import is_current
from construction.tagging.codebook import NOT_STATED, Codebook, Factor, Option, SubFactor
from construction.tagging.reading import parse
from errors import UserError, Where
from messages import LANGUAGES, say
from storage.db.rows import rows_with
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.cases import CourtCase
from storage.tables.core import Item
from storage.tasks import Task, of_task


def book_of(session: Session, project_id: int) -> tuple[Codebook, str]:
    """Return the current codebook and its version, ``<number>-<hash>``."""
    edition = current(session, project_id, "codebook", Task.FACTOR_TAGGING)
    return parse(edition.texts[EVERY]), edition.version


def uses(session: Session, project_id: int) -> Mapping[tuple[str, str], int]:
    """Return the number of current submissions per sub-factor and option.

    The option "" counts all that answer the sub-factor.
    """
    found: Counter[tuple[str, str]] = Counter()
    here = of_task(project_id, Task.FACTOR_TAGGING), is_current()
    for answers in answers_in(session, *here).values():
        for key, value in answers.items():
            found[key, ""] += 1
            found.update((key, option) for option in value["options"])
    return found


MOST_EVIDENCE = 100  # pieces of one answer
LONGEST_QUOTE = 10_000  # characters of one piece
_EVIDENCE = ("option", "start", "end", "quote")


class TagError(UserError):
    """An invalid answer to a sub-factor, named by its label in the reader's language."""

    def __init__(self, code: str, sub: SubFactor, **params: object) -> None:
        self.sub = sub
        super().__init__(code, Where(field=sub.key), **params)

    def what(self, language: str = "en") -> str:
        """Return the error message, with the labels of sub-factor and options."""
        return say(f"error.{self.code}.what", language, **self._named(language))

    def remedy(self, language: str = "en") -> str:
        """Return the remedy in words, with display names."""
        return say(f"error.{self.code}.remedy", language, **self._named(language))

    def _named(self, language: str) -> dict[str, object]:
        """Return the labels of sub-factor and options that the message names."""
        labels = [option.label[language] for option in self.sub.options]
        if not self.sub.claim:
            labels.append(say("tagging.ui.not_stated", language))
        return {"asked": self.sub.label[language], "known": ", ".join(labels), **self.params}


def options_in(answers: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the options of answers, by sub-factor."""
    return {field: tuple(value["options"]) for field, value in answers.items()}


def checked(sub: SubFactor, value: Any, text: str) -> dict[str, Any]:
    """Return an answer in its stored form: options in the codebook's order, evidence in text order.

    Raises UserError for an invalid answer, for options that the sub-factor does not have (any more)
    or that exclude each other, and for evidence that does not match the text.
    """
    if not isinstance(value, Mapping) or set(value) != {"options", "evidence"}:
        raise TagError("tag_value", sub)
    options = _checked_options(sub, value["options"])
    said = value["evidence"]
    if not isinstance(said, list) or len(said) > MOST_EVIDENCE:
        raise TagError("tag_evidence_many", sub, most=MOST_EVIDENCE)
    pieces = [_checked_evidence(sub, each, options, text) for each in said]
    unique = {(piece["start"], piece["end"], piece["option"]): piece for piece in pieces}
    return {"options": options, "evidence": [unique[place] for place in sorted(unique)]}


def refuse_gone(sub: SubFactor, options: tuple[str, ...]) -> None:
    """Raise UserError for an option that the sub-factor does not have, or no longer has.

    The three options of a claim are fixed.
    """
    for key in options:
        if key not in sub.givable:
            raise TagError("tag_option_gone", sub, option=key[:80])


def _checked_options(sub: SubFactor, value: Any) -> list[str]:
    """Return options in the codebook's order, each once. Raises UserError for invalid ones."""
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise TagError("tag_value", sub)
    options = tuple(dict.fromkeys(value))
    refuse_gone(sub, options)
    if len(options) > 1 and NOT_STATED in options:
        raise TagError("tag_not_stated_alone", sub)
    if len(options) > 1 and sub.exclusive:
        raise TagError("tag_exclusive", sub)
    return sorted(options, key=sub.givable.index)


def _checked_evidence(sub: SubFactor, value: Any, options: list[str], text: str) -> dict[str, Any]:
    """Return a passage, checked against the chosen `options` and the judgment's `text`."""
    if not isinstance(value, Mapping) or set(value) != set(_EVIDENCE):
        raise TagError("tag_value", sub)
    option, start, end, quote = (value[name] for name in _EVIDENCE)
    if type(start) is not int or type(end) is not int or not isinstance(quote, str):
        raise TagError("tag_value", sub)
    if option not in options or option == NOT_STATED:
        raise TagError("tag_evidence_option", sub)
    if not 0 <= start < end:
        raise TagError("tag_value", sub)
    if end > len(text):
        raise TagError("tag_evidence_past", sub, end=end, length=len(text))
    if end - start > LONGEST_QUOTE:
        raise TagError("tag_evidence_long", sub, most=LONGEST_QUOTE)
    if text[start:end] != quote:
        raise TagError("tag_evidence_other", sub, start=start, end=end)
    return {"option": option, "start": start, "end": end, "quote": quote}


def fits_any_codebook(value: Any, text: str) -> bool:
    """Return True if this is an answer in its stored form, to whichever sub-factor."""
    options = value.get("options") if isinstance(value, dict) else None
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        return False
    unnamed = dict.fromkeys(LANGUAGES, "")
    known = tuple(Option(each, unnamed, unnamed) for each in options if each != NOT_STATED)
    anything = SubFactor("", unnamed, unnamed, known, exclusive=False)
    try:
        return bool(checked(anything, value, text)["options"] == options)
    except TagError:
        return False


def labels_of(ws: Workspace, project_slug: str, language: str) -> dict[str, str]:
    """Return labels by key: of sub-factors, of ``<sub-factor>.<option>``, and ``not_stated``."""
    with ws.reading() as session:
        book, _ = book_of(session, find_project(session, project_slug).id)
    found = {"not_stated": say("tagging.ui.not_stated", language)}
    for _, sub in book.places.values():
        found[sub.key] = sub.label[language]
        found |= {f"{sub.key}.{option.key}": option.label[language] for option in sub.options}
    return found


_CASE = "case"
_BOOK = "codebook"  # followed by its version and the sub-factor


class TaggingResting(Resting):
    """The reader of `annotation.gold.resting` for tagged court cases."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> Iterator[Rests]:
        """Yield the citing texts: each case, and the codebook on the answered sub-factors."""
        laws = scope.decided_on(items)
        _, version = book_of(scope.session, scope.project_id)
        asked = _answered_sub_factors(scope)
        for each in items:
            number = each.id or 0
            law = laws.get(number, 0)
            texts = [CitingText((_CASE, each.subject_id or 0), law)]
            texts += [
                CitingText((f"{_BOOK} {version} {key}", scope.project_id), law, "codebook")
                for key in sorted(asked.get(number, ()))
            ]
            yield Rests(number, texts=tuple(texts))

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return the provisions and text of each case, and the codebook's texts."""
        query = select(CourtCase.id, CourtCase.provisions, CourtCase.text)
        wanted = {number for kind, number in keys if kind == _CASE}
        found: dict[TextKey, Sequence[str]] = {
            (_CASE, number): (*provisions, text)
            for number, provisions, text in rows_with(session, query, CourtCase.id, wanted)
        }
        for project_id in {of for kind, of in keys if kind != _CASE}:
            book, _ = book_of(session, project_id)
            told = {key: _parts(*place) for key, place in book.places.items()}
            for kind, of in keys:
                if of == project_id and kind != _CASE:
                    found[kind, of] = told.get(kind.split(" ", 2)[2], ())
        return found


def _answered_sub_factors(scope: Scope) -> dict[int, set[str]]:
    """Return the sub-factors answered in submissions that the reader may see, by item."""
    rows = scope.current_submissions(Task.FACTOR_TAGGING)
    here = of_task(scope.project_id, Task.FACTOR_TAGGING)
    found: dict[int, set[str]] = {}
    for number, said in answers_in(scope.session, here, is_current()).items():
        if number in rows:
            found.setdefault(rows[number][0], set()).update(said)
    return found


def _parts(factor: Factor, sub: SubFactor) -> tuple[str, ...]:
    """Return the texts on a sub-factor, in each language, deduplicated."""
    said = [factor.label, factor.help, sub.label, sub.help]
    said += [by for option in sub.options for by in (option.label, option.help)]
    return tuple(dict.fromkeys(word for by in said for word in by.values() if word))


RESTS = TaggingResting()
