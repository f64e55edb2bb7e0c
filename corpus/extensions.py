"""What installed packages bring along, by entry point, with their errors contained.

A package names what it brings under a group: ``touchstone.importers``, ``touchstone.exporters``,
``touchstone.measures``, ``touchstone.tasks`` or ``touchstone.methods``. What cannot be loaded is
listed with the reason and affects nothing else. Code comes from where the operator installs it,
never from an upload.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errors import UserError, Where

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

IMPORTERS, EXPORTERS, MEASURES, TASKS, METHODS = (
    f"touchstone.{name}" for name in ("importers", "exporters", "measures", "tasks", "methods")
)
GROUPS = (IMPORTERS, EXPORTERS, MEASURES, TASKS)
"""The groups whose extensions are used as they are; of methods, `retrieval.core.own` asks more."""


@dataclass(frozen=True, slots=True)
class Extension:
    """What a package provides under a name, or the reason why it is unusable.

    `origin` is the package with its version. `value` is None exactly where `problem` is set.
    """

    group: str
    name: str
    origin: str
    value: Any = None
    problem: UserError | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the package; its exceptions become UserErrors.

        Raises UserError that names the extension, file and line for whatever it raises, but for a
        UserError of its own.
        """
        try:
            return function(*arguments)
        except UserError:
            raise
        except (Exception, SystemExit) as error:  # sys.exit() must not end what called it
            where, problem = failed_at(error, None), error_text(error)
            raise UserError("extension_failed", where, name=self.name, problem=problem) from error


def extensions(group: str) -> tuple[Extension, ...]:
    """Return the extensions of packages in a group, usable or not, by name.

    Of equal names the first counts. What is installed meanwhile is seen after a start.
    """
    by_name: dict[str, Extension] = {}
    for each in installed(group):
        by_name.setdefault(each.name, each)
    return tuple(by_name[name] for name in sorted(by_name))


def usable(group: str, taken: Iterable[str] = ()) -> dict[str, Extension]:
    """Return the usable extensions of a group by name, but for names that Touchstone has itself."""
    ours = set(taken)
    return {e.name: e for e in extensions(group) if e.problem is None and e.name not in ours}


@cache
def installed(group: str) -> tuple[Extension, ...]:
    """Return every entry point of a group as an extension, in order of name."""
    from importlib.metadata import entry_points

    return tuple(_loaded(group, each) for each in sorted(entry_points(group=group)))


def _loaded(group: str, point: EntryPoint) -> Extension:
    """Load an entry point; an extension with the problem if that fails."""
    origin = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    try:
        return Extension(group, point.name, origin, point.load())
    except (Exception, SystemExit) as error:
        where, text = failed_at(error, None), error_text(error)
        problem = UserError("extension_import", where, name=point.name, problem=text)
        return Extension(group, point.name, origin, problem=problem)


def first_line(value: Any) -> str:
    """Return the first line of a value's docstring, its name where it has none."""
    text = (getattr(value, "__doc__", None) or "").strip()
    return text.splitlines()[0] if text else str(getattr(value, "__name__", value))


def failed_at(error: BaseException, home: Path | None) -> Where:
    """Return the innermost frame in the file `home` that an error passed through, else of all."""
    if isinstance(error, SyntaxError) and error.filename:
        return Where(error.filename, error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if home is not None and Path(frame.filename) == home]
    frame = (own or list(frames))[-1] if frames else None
    return Where(frame.filename, frame.lineno) if frame else Where(str(home) if home else None)


def error_text(error: BaseException) -> str:
    """Return an error's type and message: ``ValueError: no such column``."""
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
