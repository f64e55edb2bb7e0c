"""No module of the product imports itself by way of others, at its top or inside a function.

Every import statement counts, also one that only types need. What is left is loading a module by
its name, which is for the registries of methods, forms, pages and public names.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.conftest import ROOT

LINTED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]
PACKAGES: list[str] = LINTED["root_packages"]
REGISTRIES = {
    "annotation.work.registry",
    "pages.shell.entry.screens",
    "retrieval.core.registry",
    "server",
    "touchstone",
}


def modules(root: Path, packages: list[str]) -> dict[str, Path]:
    """Return the file of every module, by name: those of the packages, and the scripts beside."""
    paths = [path for each in packages for path in (root / each).rglob("*.py")]
    return {_name(path.relative_to(root)): path for path in [*paths, *root.glob("*.py")]}


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(name: str, path: Path) -> Iterator[str]:
    """Yield the full names that a module's import statements could mean, wherever they stand."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: -(node.level - 1) or None] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def arrows(found: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return, by module, the modules that it imports, with the packages that this runs first.

    A module's own packages are none of them: a package may hand on what its modules have.
    """
    drawn: dict[str, set[str]] = {name: set() for name in found}
    for name, path in found.items():
        for each in imported(name, path):
            parts = each.split(".")
            runs = {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
            drawn[name] |= {
                one for one in runs & found.keys() if not f"{name}.".startswith(f"{one}.")
            }
    return drawn


def cycle(drawn: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of one ring, each imported by the next; none where there is no ring."""
    try:
        TopologicalSorter(drawn).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    found = modules(ROOT, PACKAGES)
    assert {name.partition(".")[0] for name in found} >= {*PACKAGES, "app", "server", "touchstone"}
    assert cycle(arrows(found)) == []


def test_only_registries_load_modules_by_name() -> None:
    found = modules(ROOT, PACKAGES)
    by_name = re.compile("import_module|resolve_name")
    loading = {name for name, path in found.items() if by_name.search(path.read_text("utf-8"))}
    assert loading == REGISTRIES


def written(root: Path, **texts: str) -> dict[str, Path]:
    for name, text in texts.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return modules(root, ["house"])


def test_a_ring_is_found_wherever_its_imports_stand(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        house__one="from house.floor import two",
        house__floor__two="def act():\n    from ..three import name",
        house__three="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import house.one",
    )
    assert {*cycle(arrows(found))} == {"house.one", "house.floor.two", "house.three"}


def test_a_package_is_run_before_what_is_in_it(tmp_path: Path) -> None:
    found = written(tmp_path, house__one="import house.floor.two", house__floor__two="")
    (tmp_path / "house/floor/__init__.py").write_text("from house.one import name")
    found = modules(tmp_path, ["house"])
    assert {*cycle(arrows(found))} == {"house.one", "house.floor"}


def test_a_package_may_hand_on_what_its_modules_have(tmp_path: Path) -> None:
    written(tmp_path, house__floor__one="from house.floor import two", house__floor__two="")
    (tmp_path / "house/floor/__init__.py").write_text("from .one import name")
    found = modules(tmp_path, ["house"])
    assert arrows(found)["house.floor"] == {"house.floor.one"}
    assert cycle(arrows(found)) == []
