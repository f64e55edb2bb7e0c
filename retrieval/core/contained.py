"""Error containment for user-supplied methods: each error names the method, file and line.

Results are validated too: an invalid ranking would spoil figures unnoticed.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

from corpus.extensions import error_text, failed_at
from errors import UserError, Where
from messages import Localized, say
from retrieval.core.method import DamagedIndexError, Method
from retrieval.core.model import Corpus, Hit, Query, best

_CONTAINED = ("__init__", "_fit", "_save", "encode", "nearest")
_OURS = ("annotation", "corpus", "llm", "retrieval", "services", "storage")
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError)  # damage to `load`


def contained(kind: type[Method], version: str) -> type[Method]:
    """Return a subclass of `kind` whose errors become UserErrors and whose rankings are checked.

    `version` says what its code is (a hash of the file, a release) and becomes part of the
    method's versions, so that changed code makes another run and another index. It gets
    what it declares it needs: gold only with `LEARNS`, models only with `calls_models`.
    """
    home = _file_of(kind)
    space: dict[str, Any] = {
        name: _contained(kind, getattr(kind, name), home)
        for name in _CONTAINED
        if hasattr(kind, name)
    }
    space["__init__"] = _init_with_permitted_resources(kind, space["__init__"])
    space["_search"] = _checked_search(kind, home)
    space["_load"] = _contained(kind, kind._load, home, _UNREADABLE)
    if hasattr(kind, "score"):
        space["score"] = _contained(kind, kind.score, home, (KeyError,))
    space["parameters"] = classmethod(
        lambda cls: _contained(kind, lambda _: kind.parameters(), home)(cls)
    )
    space["versions"] = property(lambda self: f"{_versions(kind, self)}@{version}")
    space |= {"__module__": kind.__module__, "__doc__": kind.__doc__}
    space["__qualname__"] = kind.__qualname__
    metaclass: Callable[..., type[Method]] = type(kind)
    return metaclass(kind.__name__, (kind,), space)


def home_of(kind: Any) -> tuple[str, int] | None:
    """Return the source file of a class and the line of its first function, None if unknown."""
    for base in kind.__mro__ if isinstance(kind, type) else ():
        codes = [each.__code__ for each in vars(base).values() if inspect.isfunction(each)]
        own = [code for code in codes if code.co_filename != __file__]
        if own:
            first = min(own, key=lambda code: code.co_firstlineno)
            return first.co_filename, first.co_firstlineno
    return None


def _file_of(kind: type[Method]) -> Path | None:
    """Return the source file of a method, None if unknown."""
    home = home_of(kind)
    return Path(home[0]) if home else None


def _contained(
    kind: type[Method],
    function: Callable[..., Any],
    home: Path | None,
    passing: tuple[type[Exception], ...] = (),
) -> Callable[..., Any]:
    """Wrap a method's function so that its exceptions become UserErrors naming the method."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        """Call the function; an exception becomes a UserError that names the method."""
        try:
            return function(*arguments, **named)
        except (Exception, SystemExit) as error:  # sys.exit() must not end what called it
            if isinstance(error, (UserError, DamagedIndexError, *passing)):
                raise
            if type(error).__module__.partition(".")[0] in _OURS:
                raise  # e.g. the exception that cancels a job
            where = failed_at(error, home)
            raise UserError(
                "own_method_failed", where, method=kind.NAME, problem=error_text(error)
            ) from error

    return call


def _init_with_permitted_resources(
    kind: type[Method], init: Callable[..., None]
) -> Callable[..., None]:
    """Wrap `__init__` so that a method gets only the resources it may use."""

    @wraps(init)
    def checked_init(self: Method, *arguments: Any, **named: Any) -> None:
        """Initialise the method, then take away gold and models that it may not use."""
        init(self, *arguments, **named)
        if not hasattr(self, "resources"):
            where = Where(*(home_of(kind) or (None, None)))
            raise UserError("own_method_init", where, method=kind.NAME)
        if not kind.LEARNS:
            self.resources = replace(self.resources, gold=None)
        if not self.calls_models:
            self.resources = replace(self.resources, ask=None, embed=None)

    return checked_init


def _checked_search(kind: type[Method], home: Path | None) -> Callable[..., Any]:
    """Return the method's search with exceptions as UserErrors and its rankings checked."""
    search = _contained(kind, kind._search, home)

    def checked(self: Method, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Search, and check the rankings."""
        found = search(self, list(queries), k)
        if not isinstance(found, Mapping):
            raise _invalid_ranking(kind, home, "", "no_mapping", {"kind": type(found).__name__})
        return {
            query.id: _ranking(kind, home, self.corpus, query.id, found[query.id], k)
            for query in queries
            if query.id in found
        }

    return checked


def _ranking(
    method: type[Method], home: Path | None, corpus: Corpus, query: str, result: Any, k: int
) -> tuple[Hit, ...]:
    """Validate a method's result and return it as ranking, scores by unit sorted; else UserError.

    Raises UserError for an invalid one.
    """

    def problem(key: str, **params: object) -> UserError:
        """Return the error for an invalid ranking."""
        return _invalid_ranking(method, home, query, key, params)

    pairs = _pairs(result)
    if pairs is None:
        raise problem("no_hits", kind=type(result).__name__)
    for unit, score in pairs:
        if unit not in corpus.positions:
            raise problem("unknown", unit=str(unit))
        if not math.isfinite(score):
            raise problem("no_number", unit=unit, score=str(score))
    if isinstance(result, Mapping):
        return best(dict(pairs), k)
    if len({unit for unit, _ in pairs}) != len(pairs):
        raise problem("twice")
    if pairs != sorted(pairs, key=lambda each: (-each[1], each[0])):
        raise problem("order")
    return tuple(Hit(unit, score) for unit, score in pairs[:k])


def _pairs(result: Any) -> list[tuple[str, float]] | None:
    """Return (unit, score) pairs; None if the result is neither scores by unit nor hits."""
    try:
        if isinstance(result, Mapping):
            return [(unit, float(score)) for unit, score in result.items()]
        return [(hit.unit_id, float(hit.score)) for hit in result]
    except (TypeError, ValueError, AttributeError):
        return None


def _invalid_ranking(
    method: type[Method], home: Path | None, query: str, key: str, params: Mapping[str, object]
) -> UserError:
    """Return the error for an invalid ranking; `key` names what is wrong in the catalogue."""
    words = Localized(lambda language: say(f"own_method.{key}", language, **params))
    where = Where(str(home) if home else None, method._search.__code__.co_firstlineno)
    return UserError("own_method_result", where, method=method.NAME, query=query, problem=words)


def _versions(kind: type[Method], method: Method) -> str:
    """Return the method's versions as text."""
    said_by = kind.versions.fget  # type: ignore[attr-defined]
    return str(said_by(method))
