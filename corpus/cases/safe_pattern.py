"""Users' regular expressions: compiled within bounds, and run within a time budget.

No inspection shows whether an expression ends on every text, so the engine itself stops: `regex`
takes a limit of processor time, and lets other threads run meanwhile. Its additions to Python's own
syntax (recursion, fuzzy matching, its second version) are refused, so that an expression means the
same as in `re`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import thread_time
from typing import Any

import regex

from errors import UserError, Where

PATTERN_CHARACTERS = 1_000
MOST_UNROLLED = 2_000
"""The most pieces of an expression with its counted repetitions written out."""

TEXT_SECONDS = 10.0
"""Processor time per text: real judgments take some thousandths of a second."""

FILE_SECONDS, EACH_SECONDS = 60.0, 0.1
"""Processor time per file of texts: a base, and an amount per text."""

MOST_MATCHES = 300_000
"""The most matches in one text; the longest real judgment has a thousand."""

_EXCERPT = 60
_CLASS = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]"
_PIECE = re.compile(
    _CLASS + r"|\(\?#[^)]*+\)"
    r"|(?P<open>\()(?P<foreign>\?(?!\(|[:=!>]|<[=!]|P[<=]|[aiLmsu-]++:))?+"
    r"|(?P<close>\))(?P<group>[*+?]|\{[^{}]*+\})?+"
    r"|(?P<alone>[*+?]|\{\d*+,?+\d*+\})|(?P<brace>\{)|.",
    re.DOTALL,
)
_FLAGS = re.compile(r"\(\?[aiLmsux]++\)")
_SPACED = re.compile(rf"(?P<kept>{_CLASS})|\s++|#[^\n]*+", re.DOTALL)


@dataclass(slots=True)
class Budget:
    """The time and match budget of expressions on one text, which `name` and `where` identify."""

    name: str = ""
    where: Where = field(default_factory=Where)
    seconds: float = TEXT_SECONDS
    code: str = "pattern_slow"
    matches: int = MOST_MATCHES
    began: float = field(default_factory=thread_time)

    def spent(self) -> float:
        """Return the processor time of this thread since the budget was created, in seconds."""
        return thread_time() - self.began

    def left(self) -> float:
        """Return the seconds left: a small positive number if none are."""
        return max(0.001, self.seconds - self.spent())


@dataclass(slots=True)
class FileBudget:
    """The time budget of expressions on all texts of a file together."""

    texts: int = 0
    spent: float = 0.0

    @contextmanager
    def for_text(self, name: str, where: Where) -> Iterator[Budget]:
        """Yield the budget of the next text, limited by the rest of the file's."""
        self.texts += 1
        whole = FILE_SECONDS + EACH_SECONDS * self.texts
        left = whole - self.spent
        if left < TEXT_SECONDS:
            budget = Budget(name, where, left, "patterns_slow")
        else:
            budget = Budget(name, where, TEXT_SECONDS)
        try:
            yield budget
        finally:
            self.spent += budget.spent()


@dataclass(frozen=True, slots=True)
class SafePattern:
    """A user's expression; `key` is its place in the settings. `^` and `$` match at line ends.

    Every method raises UserError, naming the expression and the text, if it exceeds the budget's
    time or number of matches.
    """

    pattern: str
    key: str
    compiled: Any = field(repr=False, compare=False)

    def finditer(self, text: str, budget: Budget) -> Iterator[Any]:
        """Yield the matches in a text, as `re.finditer` does; UserError beyond the budget."""
        at = 0
        try:
            for found in self.compiled.finditer(text, concurrent=True, timeout=budget.left()):
                self._count(1, text, at, budget)
                yield found
                at = found.end()
        except TimeoutError as error:
            raise self._refused(budget.code, text, at, budget) from error

    def fullmatch(self, text: str, start: int, end: int, budget: Budget) -> Any:
        """Return the match of the whole of text[start:end], None without one."""
        try:
            return self.compiled.fullmatch(text, start, end, concurrent=True, timeout=budget.left())
        except TimeoutError as error:
            raise self._refused(budget.code, text, start, budget) from error

    def search(self, text: str, budget: Budget) -> Any:
        """Return the first match in a text, None without one."""
        return next(self.finditer(text, budget), None)

    def split(self, text: str, budget: Budget) -> list[str]:
        """Return the pieces between matches, as `re.split` does."""
        try:
            pieces = self.compiled.split(text, concurrent=True, timeout=budget.left())
        except TimeoutError as error:
            raise self._refused(budget.code, text, 0, budget) from error
        self._count(len(pieces), text, 0, budget)
        return list(pieces)

    def _count(self, more: int, text: str, at: int, budget: Budget) -> None:
        """Count matches against the budget. Raises UserError beyond it."""
        budget.matches -= more
        if budget.matches < 0:
            raise self._refused("pattern_everywhere", text, at, budget)

    def _refused(self, code: str, text: str, at: int, budget: Budget) -> UserError:
        """Return the error for a pattern that used up its budget."""
        return UserError(
            code,
            budget.where,
            pattern=self.pattern,
            key=self.key,
            text=budget.name,
            excerpt=" ".join(text[at : at + _EXCERPT].split()),
            seconds=f"{max(budget.seconds, 0):.0f}",
            limit=f"{MOST_MATCHES:,}",
        )


def safe_pattern(
    text: str,
    where: Where | None = None,
    *,
    any_case: bool = False,
    word_lists: Mapping[str, Sequence[str]] | None = None,
) -> SafePattern:
    """Compile a user's expression, of bounded size, to be run within a time budget.

    `any_case` ignores case.

    ``\\L<name>`` matches any of the list of that name in `word_lists`, which does not count towards
    the length limit. Raises UserError for one that is too long, would be too large when compiled,
    or is not one of Python's.
    """
    where = where or Where()
    if len(text) > PATTERN_CHARACTERS:
        raise UserError("pattern_long", where, limit=PATTERN_CHARACTERS)
    pieces = _PIECE.finditer(_plain(text))
    if foreign := next((piece for piece in pieces if _is_foreign(piece)), None):
        raise _pattern_error(
            text, where, f"{foreign.string[foreign.start() :][:8]} is not known here"
        )
    if unrolled(text) > MOST_UNROLLED:
        raise UserError("pattern_large", where, pattern=text, limit=f"{MOST_UNROLLED:,}")
    try:
        flags = regex.VERSION0 | regex.MULTILINE | (regex.IGNORECASE if any_case else 0)
        compiled = regex.compile(text, flags, **(word_lists or {}))
    except Exception as problem:  # whatever the engine's error, the expression is at fault
        raise _pattern_error(text, where, str(problem) or type(problem).__name__) from problem
    return SafePattern(text, where.field or "", compiled)


def _pattern_error(text: str, where: Where, reason: str) -> UserError:
    """Return the error for an invalid pattern."""
    return UserError("pattern_broken", where, pattern=text, reason=reason)


def _plain(text: str) -> str:
    """Return an expression without its flags, and in verbose mode without blanks and comments."""
    flags = _FLAGS.match(text)
    if flags is None:
        return text
    body = text[flags.end() :]
    return _SPACED.sub(lambda found: found["kept"] or "", body) if "x" in flags[0] else body


def _is_foreign(piece: re.Match[str]) -> bool:
    """Return whether `re` interprets a piece differently than `regex`, or not at all."""
    group = piece["group"]
    odd = group is not None and re.fullmatch(r"[*+?]|\{\d*+,?+\d*+\}", group) is None
    return odd or piece["foreign"] is not None or piece["brace"] is not None


def unrolled(text: str) -> int:
    """Return the number of pieces with the minimum of every repetition written out.

    That is how engines compile them: ``(?:a{100}){100}`` becomes 10,000 pieces, and every ``+``
    around another doubles the repeated part.
    """
    sizes = [[0, 0]]  # per open group: its whole size, and that of its last piece
    for piece in _PIECE.finditer(_plain(text)):
        group = sizes[-1]
        if piece["open"]:
            sizes.append([0, 0])
        elif piece["close"] and len(sizes) > 1:
            inside = sizes.pop()[0] + 1
            sizes[-1][1] = inside * _copies(piece["group"])
            sizes[-1][0] += sizes[-1][1]
        elif piece["alone"]:
            group[0] += group[1] * (_copies(piece["alone"]) - 1)
        else:
            group[0], group[1] = group[0] + 1, 1
    return sum(size for size, _ in sizes)


def nests_repetition(text: str) -> bool:
    """Return whether an unbounded repetition is nested in another repetition.

    Such an expression (``(?:a+b?)*``) can match in as many ways as a text has divisions, which
    doubles with each letter. Most slow expressions are of this kind.
    """
    inside = [False]  # whether each open group has a repetition without end
    for piece in _PIECE.finditer(_plain(text)):
        if piece["open"]:
            inside.append(False)
        elif piece["close"] and len(inside) > 1:
            endless = inside.pop()
            if endless and _repeats(piece["group"]):
                return True
            inside[-1] = inside[-1] or endless or _is_endless(piece["group"])
        elif piece["alone"]:
            inside[-1] = inside[-1] or _is_endless(piece["alone"])
    return False


def _is_endless(times: str | None) -> bool:
    """Return True for a repeat without upper bound."""
    return times is not None and (times in ("*", "+") or times.endswith(",}"))


def _repeats(times: str | None) -> bool:
    """Return whether a repetition can occur more than once."""
    return times is not None and times not in ("?", "{0}", "{1}", "{,1}", "{0,1}", "{1,1}")


def _copies(times: str | None) -> int:
    """Return the number of copies of a repetition when written out."""
    if not times or times in "*?":
        return 1
    least = times.strip("{}").partition(",")[0]
    return 2 if times == "+" else int(least or 0) + 1
