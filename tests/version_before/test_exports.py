"""A workspace of the version before opens, is sound, and gives the exports it gave then."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.commands.called import command_line
from tests.version_before.exports import PRINTED, WRITTEN, printed, write
from tests.version_before.kept import (
    EXPORTS,
    MEANT,
    kept_exports,
    kept_files,
    kept_workspace,
    printed_place,
    unpacked,
)

WORK = {
    *("adjudication.decided", "batch.made", "candidates.built", "case_query.chosen"),
    *("comment.asked", "comment.declined", "comment.written", "court_cases.imported"),
    *("draft.add", "draft.comment", "draft.flag", "draft.label", "draft.migrate", "draft.skip"),
    *("draft.undo", "experiment.begun", "guideline.version", "known_answer.set", "levels.set"),
    *("migration.guideline", "person.added", "person.renamed", "person.role", "referral.recalled"),
    *("referral.sent_back", "run.kept", "settlement.decided", "snapshot.imported"),
    *("submission.kept", "submission.submit", "submission.withdraw", "suggestions.set"),
    "typology.version",
}
# Places in a drawing that is fitted in single precision: other processors give other last digits.
FITTED = "neighbourhood."
NUMBER, NAME = re.compile(rb"-?\d+\.\d+"), re.compile(rb"\bp[0-9a-f]{10}\b")
# What exports hold beyond what they held then; the graded judgements are what `stricter` was.
GRADED = ("qrels/stricter_graded.trec", "qrels/stricter_graded.tsv")
ADDED = {
    *("judging/law.json", "mcq/law.json", "mcq-unchecked/law.json", "stricter/README.md"),
    *("mcq/report_likelihood.json", "mcq-unchecked/report_likelihood.json"),
    *("mcq/searchfiresafety.jsonl", "mcq-unchecked/searchfiresafety.jsonl"),
    *(f"stricter/{place}" for place in GRADED),
}
WHY = ("--by", "Lee Sora", "--reason", "So it is.")


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the kept workspace, brought up to date; exports change nothing in it."""
    folder = kept_workspace(tmp_path_factory.mktemp("before") / "workspace")
    done = command_line(folder, "init")
    assert done.returncode == 0, done.stderr
    return folder


def test_it_is_sound(workspace: Path) -> None:
    done = command_line(workspace, "--json", "check")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"problems": []})


def test_the_history_tells_of_every_kind_of_work(workspace: Path) -> None:
    done = command_line(workspace, "--json", "history", "--limit", "1000000")
    assert done.returncode == 0, done.stderr
    assert {each["kind"] for each in json.loads(done.stdout)["entries"]} >= WORK


def test_nothing_that_is_kept_is_left_out() -> None:
    known = {f"{name}/" for name in WRITTEN}
    places = {place for place in unpacked(EXPORTS) if not place.startswith("printed/")}
    assert {f"{place.partition('/')[0]}/" for place in places} == known
    shown = {place for place in unpacked(EXPORTS) if place.startswith("printed/")}
    assert shown == {printed_place(command) for command in PRINTED}
    assert unpacked(MEANT).keys() - unpacked(EXPORTS).keys() == ADDED


@pytest.mark.parametrize("name", WRITTEN)
def test_an_export_is_what_it_was(name: str, workspace: Path, tmp_path: Path) -> None:
    found, before = write(name, workspace, tmp_path / "out"), kept_files(name)
    assert sorted(found) == sorted(before)
    for place, content in found.items():
        same(_as_then(name, content), before[place], f"{name}/{place}")


@pytest.mark.parametrize("place", GRADED)
def test_the_graded_judgements_are_those_of_then(
    place: str, workspace: Path, tmp_path: Path
) -> None:
    now = write("stricter", workspace, tmp_path / "out")[place]
    assert now == unpacked(EXPORTS)[f"stricter/{place.replace('_graded', '')}"]


def _as_then(name: str, content: bytes) -> bytes:
    """Return the annotations of a file as files were before they held those of forms.

    Tasks with a form stand behind citation mapping, and their documents name them.
    """
    if name != "annotations":
        return content
    lines = content.partition(b'{"type": "task"')[0].splitlines(keepends=True)
    mark = re.compile(rb', "task": "[a-z_]+"\}\n$')
    document = b'{"type": "document"'
    return b"".join(mark.sub(b"}\n", each) if each.startswith(document) else each for each in lines)


@pytest.mark.parametrize("command", PRINTED)
def test_a_figure_is_what_it_was(command: str, workspace: Path) -> None:
    found, then = printed(command, workspace), kept_exports()[printed_place(command)]
    now, before = json.loads(found), json.loads(then)
    if command == "llm prompts":
        now, before = _unchanged_prompts(now, before)
    if command == "experiment starters":  # more stand beside them since
        files = {each["file"] for each in before["starters"]}
        now["starters"] = [each for each in now["starters"] if each["file"] in files]
    if command == "status":  # intervals of answers draw whole questions since
        answers = [e for e in before["overview"]["agreement"] if e["task"] == "answer_rating"]
        assert [each.pop("ci") for each in answers] != [None]
    holds(now, before, command)


def _unchanged_prompts(now: Any, before: Any) -> tuple[Any, Any]:
    """Return both without the prompts added since, and without those of a higher number since."""

    def number(prompt: Any) -> int:
        return int(prompt["version"].partition("-")[0])

    today = {(each["id"], each["language"]): each for each in now["prompts"]}
    pairs = [(today[each["id"], each["language"]], each) for each in before["prompts"]]
    kept = [(new, old) for new, old in pairs if number(new) <= number(old)]
    return (
        now | {"prompts": [new for new, _ in kept]},
        before | {"prompts": [old for _, old in kept]},
    )


def test_people_work_on_in_it(tmp_path: Path) -> None:
    folder = kept_workspace(tmp_path / "workspace")
    file = tmp_path / "guideline.md"
    file.write_text("Read the whole law.", encoding="utf-8")
    for words in (
        ("init",),
        ("adjudicate", "decide", "ko-03", "--no-provision", *WHY),
        ("mcq", "settle", "mcq-ko-1", "--verdict", "keep", *WHY),
        ("factors", "settle", "fraud-3", "settlement", "--option", "none", *WHY),
        ("guideline", "edit", str(file), "--note", "Shorter"),
        ("candidates",),
        ("retrieve", "--method", "bm25", "--k", "5"),
        ("person", "add", "Bae Dan"),
        ("check",),
        ("backup", str(tmp_path / "all.backup")),
    ):
        done = command_line(folder, *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    there = tmp_path / "there"
    assert command_line(there, "restore", str(tmp_path / "all.backup")).returncode == 0
    assert command_line(there, "check").returncode == 0
    here = tmp_path / "first", tmp_path / "second"
    assert write("gold", folder, here[0]) == write("gold", there, here[1]) != kept_files("gold")


def holds(now: Any, before: Any, where: str) -> None:
    """Fail where a value that was printed is not: something may be told beside it."""
    if isinstance(before, dict) and isinstance(now, dict):
        assert before.keys() <= now.keys(), where
        for key, value in before.items():
            holds(now[key], value, f"{where}: {key}")
    elif isinstance(before, list) and isinstance(now, list):
        assert len(now) == len(before), where
        for number, (one, other) in enumerate(zip(now, before, strict=True)):
            holds(one, other, f"{where}[{number}]")
    else:
        assert now == before, where


def same(found: bytes, before: bytes, name: str) -> None:
    """Fail with the first line that differs: a whole file is too much to be read or compared."""
    if found == before:
        return
    close = _close if name.startswith(FITTED) else bytes.__eq__
    lines, then = found.split(b"\n"), before.split(b"\n")
    assert len(lines) == len(then), f"{name} has another number of lines"
    for number, (line, old) in enumerate(zip(lines, then, strict=True), 1):
        assert close(line, old), f"{name}, line {number}: {line[:300]!r} was {old[:300]!r}"


def _close(line: bytes, old: bytes) -> bool:
    """Return whether two lines say the same but for digits that depend on the processor."""
    line, old = NAME.sub(b"", line), NAME.sub(b"", old)
    if NUMBER.sub(b"", line) != NUMBER.sub(b"", old):
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(old), strict=True)
    return all(abs(float(one) - float(other)) < 0.001 for one, other in pairs)
