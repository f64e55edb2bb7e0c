"""The wheel holds all that the floors read, and works where there is no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import touchstone
from tests.conftest import ROOT

DATA = {"sample", "papers"}
NOTEBOOK = """
import sys
import touchstone
law = touchstone.load_law(touchstone.sample() / "statutes" / "en")
found = [hit.unit_id for hit in law.search("bm25", "smoke compartment", k=10)]
result = touchstone.evaluate({"q": found}, {"q": found[:1]})
assert result.figures["MRR@10"].value == 1
assert not {"sqlalchemy", "streamlit", "torch"} & set(sys.modules)
print(touchstone.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel built from what git tracks, so that nothing that lies about is in it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in _tracked():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation"]
    command += ["-q", "--no-cache-dir", "-w", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=250)
    (found,) = out.glob("touchstone-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a throw-away environment with the wheel, beside this one's packages."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python3*/site-packages")
    ours = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "ours.pth").write_text(ours, "utf-8")
    command = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install"]
    command += ["--no-deps", "--no-index", "--no-compile", "-q", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return folder


def _tracked() -> list[str]:
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True)
    return [name for name in done.stdout.decode().split("\0") if name]


def _elsewhere(installed: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    ours = ("PYTHONPATH", "TOUCHSTONE_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    words = [str(installed / "bin" / command[0]), *command[1:]]
    return subprocess.run(
        words, cwd=folder, env=clean, capture_output=True, text=True, timeout=100, check=False
    )


def test_it_holds_every_file_of_the_floors(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    floors = {*touchstone.FLOORS, *DATA}
    wanted = {
        name for name in _tracked() if name.split("/")[0] in floors and (ROOT / name).is_file()
    }
    assert {"messages/app.toml", "sample/questions.jsonl"} <= wanted
    assert {Path(name).suffix for name in wanted} >= {".toml", ".js", ".css", ".md", ".yaml"}
    assert wanted <= held
    more = {name for name in held - wanted if ".dist-info/" not in name}
    entries = {"app.py", "server.py", "touchstone.py"}
    assert more == {*entries, "serving/.streamlit/config.toml"}


def test_its_names_are_nobody_elses(wheel: Path) -> None:
    held = zipfile.ZipFile(wheel).namelist()
    names = {name.split("/")[0].removesuffix(".py") for name in held}
    names = {name for name in names if not name.endswith(".dist-info")}
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert set(touchstone.FLOORS) == set(contract["root_packages"])
    assert names == {*touchstone.FLOORS, *DATA, "app", "server", "touchstone"}
    assert not names & set(sys.stdlib_module_names)
    others = packages_distributions()
    assert {name for name in names if set(others.get(name, ())) - {"touchstone"}} == set()


def test_it_works_in_any_folder(installed: Path, tmp_path: Path) -> None:
    done = _elsewhere(installed, tmp_path, "python", "-c", NOTEBOOK)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(installed)
    done = _elsewhere(installed, tmp_path, "touchstone", "init")
    assert done.returncode == 0 and "0001" in done.stdout, done.stderr
    assert (tmp_path / ".touchstone" / "touchstone.db").is_file()


def test_it_has_one_version(installed: Path, wheel: Path, tmp_path: Path) -> None:
    number = touchstone.__version__
    assert wheel.name.startswith(f"touchstone-{number}-")
    code = "import touchstone, importlib.metadata as m; print(m.version('touchstone'))"
    assert _elsewhere(installed, tmp_path, "python", "-c", code).stdout.strip() == number
    told = _elsewhere(installed, tmp_path, "touchstone", "--version").stdout
    assert told.strip() == f"touchstone {number}"
    assert f"\nversion: {number}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_a_file_of_the_same_name_is_named(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "evaluation.py").write_text("", "utf-8")
    done = _elsewhere(installed, tmp_path, "python", "-c", "import touchstone; touchstone.load_law")
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert said.startswith("ImportError: touchstone needs the name 'evaluation'")
    assert str(tmp_path / "evaluation.py") in said
