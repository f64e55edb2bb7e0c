"""Every kind of entry that code can write has words, and so has every field that it writes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from annotation.history.entry import FAMILIES, Entry
from annotation.history.sources import _sources
from messages import catalogue, say
from services.history.words import in_words, kind_keys, what_in_words, who_in_words
from tests.conftest import ROOT

_WRITERS = {  # the function that writes an event, its family, and where its kind stands
    "write": ("draft", 0),
    "add_event": ("draft", 3),
    "tell": ("batch", 0),
    "note": ("person", 2),
    "_change": ("person", 2),
    "note_account": ("account", 2),
}
_CHOSEN = {  # kinds that are chosen by a condition, where they are written or read
    "draft.submit",
    "draft.withdraw",
    "account.reactivated",
    "account.deactivated",
    *(f"submission.{kind}" for kind in ("submit", "withdraw", "kept")),
    *(f"comment.{kind}" for kind in ("written", "asked", "declined")),
    *(f"referral.{kind}" for kind in ("recalled", "sent_back")),
    *(f"migration.{kind}" for kind in ("guideline", "codebook")),
    *(f"saved_view.{kind}" for kind in ("saved", "removed")),
    *(f"run_mark.{kind}" for kind in ("retired", "restored", "tagged", "untagged", "noted")),
}
# By the submission itself; what somebody enters on a case before deciding is theirs alone.
_TOLD_OTHERWISE = {"draft.submit", "draft.withdraw", "person.case"}
_PASSED_ON = {"annotation/work/commands.py", "annotation/people/members.py"}  # kind=kind


@cache
def _calls() -> list[tuple[str, ast.Call, str, int]]:
    """Return every call that writes an event, found once: the code takes a second to read."""
    return list(_found_calls())


def _found_calls() -> Iterator[tuple[str, ast.Call, str, int]]:
    for path in sorted((ROOT / "annotation").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or "history" in path.parts:  # what reads them
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in _WRITERS and len(node.args) > _WRITERS[name][1]:
                yield str(path.relative_to(ROOT)), node, *_WRITERS[name]


def _text(path: str, node: ast.expr) -> str | None:
    """The kind that an argument is: a text, or the constant of that name."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        module = import_module(path.removesuffix(".py").replace("/", "."))
        found = getattr(module, node.id, None)
        return found if isinstance(found, str) else None
    return None


def written() -> dict[str, set[str]]:
    """Every kind that a call in the code writes, with the fields that it writes beside it."""
    found: dict[str, set[str]] = {}
    for path, call, family, at in _calls():
        kind = _text(path, call.args[at])
        if kind is None or not re.fullmatch(r"[a-z_]+", kind):
            continue
        fields = {
            key.value
            for argument in call.args[at + 1 :]
            if isinstance(argument, ast.Dict)
            for key in argument.keys
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
        found.setdefault(f"{family}.{kind}", set()).update(fields)
    return found


def fixed() -> set[str]:
    """The kinds of families that have but one, as the history reads them."""
    kinds = ((source.family, getattr(source.kind, "value", None)) for source in _sources(1, None))
    return {f"{family}.{kind}" for family, kind in kinds if isinstance(kind, str)}


def words_in(language: str) -> Callable[[str], str]:
    return lambda key: say(key, language)


def every_kind() -> list[str]:
    return sorted(({*written(), *fixed()} | _CHOSEN) - _TOLD_OTHERWISE)


def entry(kind: str, **details: Any) -> Entry:
    return Entry("x-1", datetime(2026, 1, 1, tzinfo=UTC), kind, None, None, None, details)


def test_kinds_are_found_in_the_code() -> None:
    assert {each.partition(".")[0] for each in every_kind()} == set(FAMILIES)
    assert {"draft.undo", "draft.migrate", "batch.people", "person.keys"} <= set(every_kind())
    unread = {
        path
        for path, call, family, at in _calls()
        if family != "draft" and _text(path, call.args[at]) is None
    }
    assert unread <= _PASSED_ON | {"annotation/people/accounts.py"}  # in _CHOSEN


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_kind_that_code_can_write_has_words(language: str) -> None:
    for kind in every_kind():
        ways: list[dict[str, Any]] = [{}]
        if kind in ("batch.items", "batch.people"):
            ways = [{"added": ["q1"]}, {"removed": ["q1"]}]
        for details in ways:
            known = [key for key in kind_keys(kind, details) if key in catalogue()]
            assert known, f"{kind} has no words"
            told = what_in_words(words_in(language), entry(kind, **details))
            assert told.endswith(say(known[0], language))
            if language == "ko":
                assert not re.search(r"[a-z]", told)


def test_every_field_that_code_writes_has_a_name() -> None:
    hidden = {"candidate_set_id", "migration_id", "fields", "unit_id"}
    for kind, fields in written().items():
        if not kind.startswith("account.") and kind not in _TOLD_OTHERWISE:  # without details
            for field in fields - hidden:
                assert f"history.field.{field}" in catalogue(), (kind, field)


def test_no_detail_is_told_as_a_value_of_the_language() -> None:
    odd = {"params": {"a": {"b": [1, None, True]}}, "given": {"x": []}, "before": None, "n": 1.5}
    for language in ("en", "ko"):
        told = " · ".join(in_words(words_in(language), entry("run.kept", **odd)))
        assert not re.search(r"[{}\[\]']|None|True|False", told)


def test_what_files_and_splits_say_is_told_in_words_of_each_language() -> None:
    split = {"split_by": "near", "shares": {"train": 80, "dev": 20}, "seed": 0, "gold_hash": "x"}
    counts = (
        "tool",
        "models",
        "file",
        "content_hash",
        "vote_count",
        "label_count",
        "verdict_count",
    )
    assert all(f"history.field.{field}" in catalogue() for field in (*split, *counts))
    told = in_words(words_in("ko"), entry("split.version", **split))
    assert told[:2] == ["나누는 기준: 거의 같은 질문", "비율(%): train = 80, dev = 20"]


HASH = "57577ecf13f3810bd99ed6706285a9ab4e8943a656af74d54d6b27d58555819c"


def test_a_file_a_law_and_a_run_are_told_in_few_words() -> None:
    origin = {"tool": "argilla", "file": "a.jsonl", "sha256": HASH, "user": "1", "made_at": None}
    drawn = replace(entry("draft.label", imported=origin, snapshot=HASH), snapshot_id=3)
    assert in_words(say, drawn) == ["Imported: a.jsonl (Argilla)", "Law: snapshot 3"]
    assert in_words(words_in("ko"), drawn) == ["가져옴: a.jsonl (Argilla)", "법령: 스냅숏 3"]
    assert drawn.as_dict()["details"] == {"imported": origin, "snapshot": HASH}
    dated = origin | {"made_at": "2025-03-04T05:06:07", "file": ""}
    told = in_words(say, entry("submission.submit", imported=dated, gold_hash=HASH))
    assert told == ["Imported: Argilla, 2025-03-04", "Gold: 57577ecf13f3"]
    params = {"k1": 1.2, "b": 0.75, "tokeniser": "bigram", "run_depth": 100, "run_version": "2.1"}
    kept = entry("run.kept", method="bm25", params=params, snapshot=HASH)
    run = replace(kept, key="run-4", snapshot_id=1)
    told = in_words(say, run)
    assert told[0].startswith("Run: 4 · BM25") and told[1:] == ["Law: snapshot 1"]
    assert "run_depth" not in told[0] and "0.75" not in told[0] and "k1 1.2" in told[0]


def test_what_is_empty_is_told_of_a_draft_alone() -> None:
    empty: dict[str, Any] = {"comment": "", "seconds": None, "units": [], "no_provision": False}
    assert in_words(say, entry("submission.submit", **empty)) == ["No provision: no"]
    assert in_words(say, entry("draft.comment", text="")) == ["Text: –"]
    given = {"role": {"options": "alone", "evidence": []}, "note": "x"}
    told = in_words(say, entry("draft.label", given=given))
    assert told == ["Answers: role = (options = alone, evidence = –), note = x"]
    assert who_in_words(say, entry("batch.made")) == "operator"
    assert who_in_words(say, entry("run.kept")) == "–"
