"""What lies beside the code for whoever picks the project up is what the code and its tools say."""

from __future__ import annotations

import hashlib
import re
import tomllib
from datetime import date
from importlib.metadata import PackageNotFoundError, metadata

import yaml

import touchstone
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
MIGRATIONS = sorted((ROOT / "storage" / "migrations" / "versions").glob("[0-9]*.py"))
APACHE = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
COPYLEFT = re.compile(r"GPL|MPL|Affero|Lesser General|Mozilla|\bEPL|\bCDDL|\bEUPL|\bOSL", re.I)


def _pinned(file: str) -> list[str]:
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return [re.split(r"[=>]=|\[", line)[0] for line in lines if re.search("[=>]=", line)]


def _licence(name: str) -> str:
    """Return what a package's metadata says of its licence, without a whole text of one."""
    about = metadata(name)
    said = about.get_all("License-Expression") or []
    said += [each.split("\n")[0] for each in about.get_all("License") or []]
    said += [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
    return "; ".join(said)


def _copyleft(file: str) -> dict[str, str]:
    """Return the installed packages that a file pins and whose licence is copyleft, with it."""
    found = {}
    for name in _pinned(file):
        try:
            said = _licence(name)
        except PackageNotFoundError:
            continue  # pinned for another machine
        if COPYLEFT.search(said):
            found[name.lower()] = said
    return found


def test_the_licence_is_the_exact_text() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert all((ROOT / name).is_file() for name in PROJECT["project"]["license-files"])


def test_the_notice_names_every_copyleft_dependency() -> None:
    found = _copyleft("constraints.txt")
    assert {"pymupdf", "psycopg", "certifi", "krippendorff"} <= found.keys()
    lines = NOTICE.lower()
    for name, said in found.items():
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", lines), f"{name}: {said}"


def test_the_notice_begins_with_pymupdf_and_ends_with_what_only_tests_install() -> None:
    titles = re.findall(r"^\d\. .*$", NOTICE, re.MULTILINE)
    assert titles[0].startswith("1. PyMuPDF: GNU AGPL 3.0")
    runs, tests = NOTICE.split("\n4. ")
    strictest = {name for name, said in _copyleft("constraints.txt").items() if "GPL" in said}
    assert {name for name in strictest if f"* {name} " in tests} == {"krippendorff", "yattag"}
    assert "krippendorff" not in runs
    assert "krippendorff" not in _pinned("requirements.txt")


def test_the_notice_tells_of_files_that_are_there_and_of_the_katex_that_is_here() -> None:
    paths = re.findall(r"\b[\w.]+(?:/[\w.-]+)+\.(?:py|js|txt|yaml)\b", NOTICE)
    assert [path for path in paths if not (ROOT / path).is_file()] == []
    script = next(path for path in paths if path.endswith("katex.min.js"))
    (version,) = re.findall(r'version:"([\d.]+)"', (ROOT / script).read_text("utf-8"))
    assert f"KaTeX {version}, {script}: MIT" in NOTICE
    licence = (ROOT / script).with_name("katex-LICENSE.txt").read_text("utf-8")
    (holder,) = re.findall(r"Copyright \(c\) .*", licence)
    assert holder in " ".join(NOTICE.split())


def test_every_migration_has_its_entry_in_the_changelog() -> None:
    entries = re.findall(r"^\* \*\*(\d{4})\*\* (.{40,})", CHANGES, re.MULTILINE)
    assert [number for number, _ in entries][::-1] == [path.name[:4] for path in MIGRATIONS]


def test_the_changelog_is_kept_in_its_form_and_ends_at_the_version_of_the_project() -> None:
    heads = re.findall(r"^## (.*)$", CHANGES, re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    released = [re.findall(r"^\[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", head) for head in heads[1:]]
    versions = [each for ((each, _),) in released]
    assert versions[0] == touchstone.__version__
    days = [date.fromisoformat(each) for ((_, each),) in released]
    assert days == sorted(days, reverse=True)
    parts = set(re.findall(r"^### (.*)$", CHANGES, re.MULTILINE))
    known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Database"}
    assert parts <= known


def test_the_citation_can_be_read_and_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors", "version"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert all(author.keys() == {"name"} and author["name"] for author in citation["authors"])
    assert citation["version"] == touchstone.__version__
    assert citation["license"] == PROJECT["project"]["license"]
    assert f"## [{citation['version']}] - {citation['date-released']}\n" in CHANGES


def test_pre_commit_runs_what_ci_lints_and_downloads_nothing() -> None:
    settings = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    (repository,) = settings["repos"]
    assert repository["repo"] == "local"
    assert [hook["entry"] for hook in repository["hooks"]] == _linted()
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False
        assert set(hook["stages"]) <= set(settings["default_install_hook_types"])


def _linted() -> list[str]:
    """Return the commands of ``make lint`` with the Makefile's own settings."""
    settings = dict(re.findall(r"^(\w+) (?:\?=|:=) (\S+)$", MAKEFILE, re.MULTILINE))
    (rule,) = re.findall(r"^lint:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    return [
        re.sub(r"\$\((\w+)\)", lambda name: settings[name[1]], line.strip())
        for line in rule.splitlines()
    ]


def test_what_contributors_are_told_to_make_can_be_made() -> None:
    told = set(re.findall(r"(?:^|`)make ([\w-]+)", CONTRIBUTING, re.MULTILINE))
    assert {"run", "test", "lint"} <= told <= set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))


def test_what_contributors_are_told_to_run_is_there() -> None:
    told = re.findall(r"\b(?:scripts|tests|corpus|storage)/\w+[\w/]*(?:\.py)?", CONTRIBUTING)
    wanted = {path for path in told if not path.startswith(("tests/X/", "storage/db/"))}
    assert [path for path in sorted(wanted) if not (ROOT / path).exists()] == []
