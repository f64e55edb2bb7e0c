"""The one error type that a user can mend, and where in their input it happened.

Everything a user can put right raises :class:`UserError`. Its words live in the catalogue
(`messages/`), so the command line and the app say the same thing in either language. Anything
else that escapes is a defect of ours and is reported as one.
"""

from __future__ import annotations

from dataclasses import dataclass

from messages import catalogue, say

_LONGEST = 500  # characters of the user's input that a message repeats


@dataclass(frozen=True, slots=True)
class Where:
    """The place in the user's input that is wrong. `line` counts from 1."""

    file: str | None = None
    line: int | None = None
    field: str | None = None

    def render(self, language: str = "en") -> str:
        """Return e.g. ``questions.jsonl, line 3, field "answer"``; empty if nothing is known."""
        parts = [self.file] if self.file else []
        if self.line is not None:
            parts.append(say("where.line", language, line=self.line))
        if self.field:
            named = self.field if parts else _named(self.field, language)
            parts.append(say("where.field", language, field=_short(named)))
        return ", ".join(parts)


def _named(field: str, language: str) -> str:
    """Return what forms call the field in `language`; fields of files keep their own names."""
    key = f"where.names.{field}"
    return say(key, language) if key in catalogue() else field


def _short(value: object) -> object:
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
        self.params = {name: _short(value) for name, value in params.items()}
        super().__init__(self.render())

    def what(self, language: str = "en") -> str:
        """Say what is wrong, in one sentence."""
        return say(f"error.{self.code}.what", language, **self.params)

    def remedy(self, language: str = "en") -> str:
        """Say what to do about it, in one sentence."""
        return say(f"error.{self.code}.remedy", language, **self.params)

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
