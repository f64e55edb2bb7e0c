"""Discovery of user-supplied methods, in installed packages and the workspace's folder.

There are three sources: an entry point ``touchstone.methods`` in an installed package, a Python
file in the folder set by `set_method_folder` (``methods`` in the workspace), and `register`, for a
notebook. Unusable methods are listed with the reason and affect nothing else. Code comes from where
the operator installs or writes it, never from an upload: nothing else of Touchstone writes into
these places.

A file is read again when it has changed. Nothing is looked up or imported until a method is
asked for that is not built in, or all are listed.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corpus.extensions import METHODS, error_text, failed_at, installed
from errors import UserError, Where

if TYPE_CHECKING:
    from retrieval.core.method import Method

FOLDER = "methods"
"""The name of the folder within a workspace."""

_NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")
_ours: set[str] = {"check"}  # taken by the command `methods check`
_lock = threading.RLock()  # a file may ask for other methods while it is imported
_folder: Path | None = None
_registered: dict[str, OwnMethod] = {}
_tried: dict[str, OwnMethod] = {}
_files: dict[Path, tuple[tuple[int, int], tuple[OwnMethod, ...]]] = {}


@dataclass(frozen=True, slots=True)
class OwnMethod:
    """A user-supplied method, or the reason why it is unusable.

    `origin` is its file, or its package with the version. `kind` is None exactly where `problem`
    is set; `name` is then that of the file or entry point.
    """

    name: str
    origin: str
    kind: type[Method] | None = None
    problem: UserError | None = None


def set_method_folder(folder: Path | None) -> None:
    """Set the folder of method files; it need not exist. None for no folder."""
    global _folder
    _folder = folder


def reserve(names: Iterable[str]) -> None:
    """Reserve the names of built-in methods and presets."""
    _ours.update(names)


def register(kind: type[Method]) -> type[Method]:
    """Make a method of this process known under its `NAME`; works as a decorator of its class.

    It takes the place of one that was registered under that name before, as when a cell of a
    notebook is run again. Raises UserError for a class that is no method, and for a name that is no
    name or is taken.
    """
    found = _validated(kind, f"{kind.__module__}.{kind.__qualname__}", "registered")
    if found.problem is None and found.name in _ours:
        found = _name_conflict(found, "Touchstone")
    if found.problem is not None:
        raise found.problem
    with _lock:
        _registered[found.name] = found
    return kind


def own_methods() -> tuple[OwnMethod, ...]:
    """Return every user-supplied method, usable or not, sorted by name.

    Of equal names the first counts: registered ones, then files of the folder, then packages.
    """
    with _lock:
        every = [*_tried.values(), *_registered.values(), *_methods_in_folder(), *_in_packages()]
        taken = dict.fromkeys(_ours, "Touchstone")
        kept: list[OwnMethod] = []
        for each in every:
            if each.problem is None and each.name in taken:
                if each.name in _tried:
                    continue  # shadowed by the method under trial
                each = _name_conflict(each, taken[each.name])
            if each.problem is None:
                taken[each.name] = each.origin
            kept.append(each)
        return tuple(sorted(kept, key=lambda each: (each.name, each.origin)))


def own_method(name: str) -> OwnMethod | None:
    """Return the method of that name, preferably a usable one; None if there is none."""
    found = [each for each in own_methods() if each.name == name]
    return next((each for each in found if each.kind), found[0] if found else None)


def own_names() -> tuple[str, ...]:
    """Return the names of the usable user-supplied methods, ascending."""
    return tuple(each.name for each in own_methods() if each.kind is not None)


def methods_of_file(file: Path) -> tuple[OwnMethod, ...]:
    """Return the methods defined in a file, or the one reason why there are none."""

    def unusable(problem: UserError) -> tuple[OwnMethod, ...]:
        return (OwnMethod(file.stem, str(file), problem=problem),)

    try:
        code = file.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        return unusable(UserError("own_method_unread", Where(str(file)), reason=reason))
    digest = sha256(code).hexdigest()[:12]
    try:
        module = _imported(file, code, f"touchstone_method_{file.stem}_{digest}")
    except (Exception, SystemExit) as error:
        where, said = failed_at(error, file), error_text(error)
        return unusable(UserError("own_method_import", where, problem=said))
    if kinds := _method_classes(module):
        return tuple(_validated(kind, str(file), digest) for kind in kinds)
    return unusable(UserError("own_method_none", Where(str(file), 1)))


def _imported(file: Path, code: bytes, name: str) -> ModuleType:
    """Import a file's code as a module. Raises what its code raises."""
    module = ModuleType(name)
    module.__file__ = str(file)
    sys.modules[name] = module  # dataclasses look up their module there
    try:
        exec(compile(code, str(file), "exec"), vars(module))  # noqa: S102  (the operator's own code)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def tried(methods: Sequence[OwnMethod]) -> Iterator[None]:
    """Make usable `methods` known within the context, with priority over equal names.

    On leaving, every method under trial is forgotten.
    """
    _tried.update({each.name: each for each in methods if each.kind is not None})
    try:
        yield
    finally:
        _tried.clear()


def _methods_in_folder() -> Iterator[OwnMethod]:
    """Yield the methods of files in the folder, loaded again when a file changes."""
    if _folder is None or not _folder.is_dir():
        return
    files = [each for each in sorted(_folder.glob("*.py")) if not each.name.startswith("_")]
    for file in files:
        try:
            about = file.stat()
        except OSError:  # deleted meanwhile
            continue
        mark = (about.st_mtime_ns, about.st_size)
        if file not in _files or _files[file][0] != mark:
            _files[file] = (mark, methods_of_file(file))
        yield from _files[file][1]


def _in_packages() -> Iterator[OwnMethod]:
    """Yield the methods of installed packages; later installations need a restart."""
    for each in installed(METHODS):
        if each.problem is not None:
            yield OwnMethod(each.name, each.origin, problem=each.problem)
        else:
            made = _validated(each.value, each.origin, each.origin.replace(" ", "-"))
            yield replace(made, origin=each.origin)


def _method_classes(module: ModuleType) -> list[type[Method]]:
    """Return the concrete methods that a module itself defines, in order of definition."""
    from retrieval.core.method import Method

    return [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Method)
        and each.__module__ == module.__name__
        and not getattr(each, "__abstractmethods__", None)
    ]


def _validated(kind: Any, origin: str, version: str) -> OwnMethod:
    """Validate a method class and return it with its errors contained, or its problem."""
    from retrieval.core.contained import contained, home_of
    from retrieval.core.method import Method

    where = Where(*(home_of(kind) or (origin, 1)))
    name = getattr(kind, "NAME", "")
    label = name if isinstance(name, str) and name else Path(origin).stem
    if not (isinstance(kind, type) and issubclass(kind, Method)):
        return OwnMethod(label, origin, problem=UserError("own_method_none", where))
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        problem = UserError("own_method_name", where, name=str(name))
        return OwnMethod(label, origin, problem=problem)
    made = contained(kind, version)
    try:
        _check_parameters(name, made.parameters(), where)
    except UserError as error:  # an unfit default names its parameter, not its place
        placed = error if error.where.file else UserError(error.code, where, **error.params)
        return OwnMethod(name, origin, problem=placed)
    return OwnMethod(name, origin, made)


def _check_parameters(method: str, parameters: Any, where: Where) -> None:
    """Raise UserError for parameters that are none, or have an unfit name or default."""
    from retrieval.core.model import Parameter

    sound = isinstance(parameters, tuple | list) and all(
        isinstance(each, Parameter) and each.name.isidentifier() and each.name != "method"
        for each in parameters
    )
    if not sound:
        raise UserError("own_method_parameters", where, method=method)
    for each in parameters:
        if each.default is not None:
            each.check(method, each.default)


def _name_conflict(each: OwnMethod, by: str) -> OwnMethod:
    """Return a method as unusable, as its name is taken."""
    from retrieval.core.contained import home_of

    home = home_of(each.kind) or (each.origin, 1)
    problem = UserError("own_method_taken", Where(*home), name=each.name, by=by)
    return OwnMethod(each.name, each.origin, problem=problem)
