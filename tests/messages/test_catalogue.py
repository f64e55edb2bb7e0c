from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from messages import LANGUAGES, catalogue, say
from tests.conftest import ROOT

SOURCES = ("app.py", "server.py", "touchstone.py", "errors/__init__.py")
ROOMS = (
    "annotation", "commands", "construction", "corpus", "evaluation", "services", "llm", "pages",
    "library", "retrieval", "serving", "storage",
)  # fmt: skip


def source_files() -> Iterator[Path]:
    yield from (ROOT / name for name in SOURCES)
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


@cache
def calls_by_file() -> dict[Path, list[ast.Call]]:
    """Return the calls that the code makes, by file; it is read once for all questions."""
    return {
        path: [
            each
            for each in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(each, ast.Call)
        ]
        for path in source_files()
    }


def first_literals(name: str) -> set[str]:
    """Return the plain strings that a function is called with first, anywhere."""
    return {
        value
        for calls in calls_by_file().values()
        for call in calls
        if _called(call) == name
        for value in _firsts(call)
    }


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_both_languages_say_something_and_take_the_same_fields() -> None:
    """In one test for all: one for each of thousands of keys takes half a minute."""
    assert len(catalogue()) > 1_000
    silent = [
        key
        for key, entry in sorted(catalogue().items())
        if not all(entry[language].strip() for language in LANGUAGES)
    ]
    unlike = [
        key
        for key, entry in sorted(catalogue().items())
        if fields(entry["en"]) != fields(entry["ko"])
    ]
    assert (silent, unlike) == ([], [])


def test_every_word_that_code_asks_for_is_in_the_catalogue() -> None:
    asked = first_literals("say")
    assert asked
    assert sorted(asked - set(catalogue())) == []


def test_every_word_that_a_report_asks_for_is_below_a_key_that_it_names() -> None:
    """`words("title")` of `Words("ocr_report", …)`: its module, else any, names the key above."""
    modules = dict(_asked_below())
    everywhere = set().union(*(above for above, _ in modules.values()))
    lacking = [
        (path, name)
        for path, (above, names) in modules.items()
        for name in names
        if not any(f"{key}.{name}" in catalogue() for key in above or everywhere)
    ]
    assert sum(len(names) for _, names in modules.values()) > 300
    assert lacking == []


def _asked_below() -> Iterator[tuple[str, tuple[set[str], set[str]]]]:
    """Return, by file, the keys that its Words stand below, and the names that it asks them for."""
    for path, calls in calls_by_file().items():
        keys = {
            value for call in calls if _called(call) == "Words" for value in _firsts(call, path)
        }
        names = {v for call in calls if _called(call) in {"words", "heads"} for v in _firsts(call)}
        if names and "Words" in path.read_text("utf-8"):
            yield str(path.relative_to(ROOT)), (keys, names)


DRAWN = {
    "text",
    "lines",
    "number",
    "tick",
    "switch",
    "pick",
    "pick_any",
    "several",
    "file",
    "press",
}


def test_every_field_of_a_form_has_its_label() -> None:
    """`fields.number("k", …)` of `Fields(context, "answers.ask", …)`: its module names the key."""
    lacking, count = [], 0
    for path, calls in calls_by_file().items():
        made = [call for call in calls if _called(call) == "Fields" and len(call.args) > 1]
        keys = {value for call in made for value in _said(call.args[1], path)}
        for call in calls if keys else ():
            named = {each.arg for each in call.keywords}
            own = named & {"label", None}  # labelled otherwise, perhaps in what `**` unpacks
            for name in _firsts(call) if _called(call) in DRAWN and not own else ():
                count += 1
                if not any(f"{key}.{name}" in catalogue() for key in keys):
                    lacking.append((path.name, name))
    assert count > 80
    assert lacking == []


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _firsts(call: ast.Call, path: Path | None = None) -> Iterator[str]:
    """Return the plain strings that a call's first value may be; a constant of the file counts."""
    return _said(call.args[0] if call.args else None, path)


def _said(first: ast.expr | None, path: Path | None = None) -> Iterator[str]:
    """Return the plain strings that a value may be; a constant of the file counts."""
    if isinstance(first, ast.Name) and path is not None:
        found = re.search(rf'^{first.id} = "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
        if found:
            yield found[1]
    choices = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
    for choice in choices:
        if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
            yield choice.value


def test_every_error_has_its_words_and_every_error_word_its_error() -> None:
    raised = set().union(*map(first_literals, ("UserError", "require_known", "refuse_repeated")))
    written = {key.split(".")[1] for key in catalogue() if key.startswith("error.")}
    for code in raised:
        assert {f"error.{code}.what", f"error.{code}.remedy"} <= set(catalogue()), code
    assert raised <= written


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("no.such.word")


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "1 line has no run"), (0, "0 lines have no run"), (2, "2 lines have no run")],
)
def test_words_agree_with_their_number(count: int, said: str) -> None:
    assert say("experiments.unfinished", count=count).startswith(said)
    assert say("data.add.ignored", count=f"{count:,}").startswith(
        f"{count} other file{'' if count == 1 else 's'} in the upload w"
    )


def test_a_choice_by_number_is_whole_and_in_english_alone() -> None:
    for key, entry in catalogue().items():
        assert "|" not in entry["ko"], key
        for _, name, spec, _ in string.Formatter().parse(entry["en"]):
            if name is not None and "|" in (spec or ""):
                assert str(spec).count("|") == 1, key
