"""User errors: what the user can fix, with its place in the input and a remedy.

Everything a user can put right raises :class:`UserError`. Its texts live in the catalogue
(`messages/`), so the command line and the app show the same in either language. Any
other exception that escapes is a defect and is reported as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from messages import Localized, catalogue, say

_LONGEST = 500  # characters of the user's input that a message repeats
_MOST = 30  # errors that a message lists one by one
_ALIKE = 0.6  # minimum similarity (of 1) of two names, for a suggestion


@dataclass(frozen=True, slots=True)
class Where:
    """The location of an error in the user's input. `line` counts from 1."""

    file: str | None = None
    line: int | None = None
    field: str | None = None

    def render(self, language: str = "en") -> str:
        """Return e.g. ``questions.jsonl, line 3, field "answer"``; empty if nothing is known."""
        parts = [self.file] if self.file else []
        if self.line is not None:
            parts.append(say("where.line", language, line=self.line))
        if self.field:
            named = self.field if parts else _field_label(self.field, language)
            parts.append(say("where.field", language, field=_truncate(named)))
        return ", ".join(parts)


def _field_label(field: str, language: str) -> str:
    """Return a field's label on forms in `language`; fields of files keep their own names."""
    key = f"where.names.{field}"
    return say(key, language) if key in catalogue() else field


def _truncate(value: object) -> object:
    """Return a long text cut to what a message shows; any other value unchanged."""
    long = isinstance(value, str) and len(value) > _LONGEST
    return f"{str(value)[:_LONGEST]}…" if long else value


class UserError(Exception):
    """Something the user can mend: what is wrong, where, and what to do about it.

    `code` names an entry ``error.<code>`` of the word catalogue that has the sub-entries
    ``what`` and ``remedy``; `params` fill both templates, long texts cut short.
    """

    def __init__(self, code: str, where: Where | None = None, **params: object) -> None:
        self.code = code
        self.where = where or Where()
        self.params = {name: _truncate(value) for name, value in params.items()}
        super().__init__(self.render())

    def what(self, language: str = "en") -> str:
        """Say what is wrong, in one sentence."""
        return say(f"error.{self.code}.what", language, **self.params)

    def remedy(self, language: str = "en") -> str:
        """Say what to do about it, in one sentence."""
        # With a suggested name, the list of all names would only distract.
        return self._remedy("remedy_meant" if self.params.get("meant") else "remedy", language)

    def _remedy(self, entry: str, language: str) -> str:
        """Return the remedy of an entry, the general one if it has none."""
        key = f"error.{self.code}.{entry}"
        if key not in catalogue():
            key = f"error.{self.code}.remedy"
        return say(key, language, **self.params)

    def render(self, language: str = "en") -> str:
        """Return the whole message on one line: place, what is wrong, remedy."""
        place = self.where.render(language)
        lead = f"{place}: " if place else ""
        return f"{lead}{self.what(language)} {self.remedy(language)}"

    def as_dict(self) -> dict[str, object]:
        """Return the error for ``--json`` output."""
        return {
            "error": self.code,
            "what": self.what(),
            "remedy": self.remedy(),
            "file": self.where.file,
            "line": self.where.line,
            "field": self.where.field,
        }


def require_known(code: str, known: Iterable[str], where: Where | None = None, **name: str) -> None:
    """Raise UserError for a name that is not among those known, which the message lists.

    The name is given as the message's parameter: ``judge="gpt"``.
    """
    names = list(known)
    if not set(name.values()) <= set(names):
        raise UserError(code, where, known=", ".join(names) or "–", **name)


class SeveralProblemsError(UserError):
    """Several user errors, each with its own location; at least two.

    Its own location is their file alone.
    """

    def __init__(self, errors: Iterable[UserError]) -> None:
        self.errors = tuple(errors)
        super().__init__("several", Where(self.errors[0].where.file), count=len(self.errors))

    def what(self, language: str = "en") -> str:
        """Return their number, and the first of them with location and remedy, a line each."""
        # A single file is named once, at the top.
        files = {each.where.file for each in self.errors}
        told, listed = [], set[object]()
        for each in self.errors[:_MOST]:
            names = None if each.params.get("meant") else each.params.get("known")
            again = names is not None and names in listed
            remedy = each._remedy("remedy_again", language) if again else each.remedy(language)
            told.append(_line_of(each, language, len(files) == 1, remedy))
            listed.add(names)
        if (more := len(self.errors) - _MOST) > 0:
            told.append(say("error.several.more", language, count=more))
        return "\n".join([super().what(language), *told])

    def as_dict(self) -> dict[str, object]:
        """Return all errors for ``--json`` output."""
        return super().as_dict() | {"errors": [each.as_dict() for each in self.errors]}


def _line_of(error: UserError, language: str, without_file: bool, remedy: str) -> str:
    """Return an error as a line of the list."""
    where = Where(None, error.where.line, error.where.field) if without_file else error.where
    place = where.render(language)
    return f"{place + ': ' if place else ''}{error.what(language)} {remedy}"


class Problems:
    """Collects the errors of one input, so that the user sees all of them at once."""

    def __init__(self) -> None:
        self.errors: list[UserError] = []

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Collect the errors raised in the block, and continue after it."""
        try:
            yield
        except UserError as error:
            self.add(error)

    def add(self, error: UserError) -> None:
        """Collect an error, or each of several."""
        self.errors += error.errors if isinstance(error, SeveralProblemsError) else [error]

    def refuse(self) -> None:
        """Raise what was collected, if anything: one as itself, several as one, in line order."""
        once = {each.render(): each for each in self.errors}.values()
        found = sorted(once, key=lambda each: each.where.line or 0)
        if len(found) > 1:
            raise SeveralProblemsError(found)
        if found:
            raise found[0]


def did_you_mean(
    name: str, known: Iterable[str], other_words: Mapping[str, str] | None = None
) -> Localized | str:
    """Return "Did you mean …?" with the known name nearest to `name`; "" if none is near.

    `other_words` are synonyms of known names, however different they are.
    """
    from difflib import get_close_matches  # late: few errors ask for it

    by_folded = {each.casefold(): each for each in known}
    folded = name[:_LONGEST].casefold()
    if other_words and folded in other_words:
        meant = other_words[folded]
    elif near := get_close_matches(folded, by_folded, n=1, cutoff=_ALIKE):
        meant = by_folded[near[0]]
    else:
        return ""
    return Localized(lambda language: say("where.meant", language, name=meant))
