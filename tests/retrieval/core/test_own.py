"""Methods of one's own: found by name, contained in their errors, never in the way of others."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from corpus import extensions
from errors import UserError
from retrieval.core import own
from retrieval.core.contract import CHECKS, check_method
from retrieval.core.method import Method, ModelReply, Resources
from retrieval.core.model import Corpus, Document, Parameter, Query
from retrieval.core.own import own_methods, own_names
from retrieval.core.presets import PRESETS, describe, help_of, label_of, title_of
from retrieval.core.registry import (
    BUILT_IN,
    METHODS,
    complete,
    learns_from_gold,
    make,
    method_class,
)
from tests.conftest import ROOT
from tests.support.refusals import code_of

PAGE = (ROOT / "docs" / "own-method.md").read_text("utf-8")
TEMPLATE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
LAW = Corpus.of([Document("a", body="fire alarm"), Document("b", heading="Alarm", body="water")])
START = "from touchstone import Hit, Method, Parameter, Query\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    own.set_method_folder(tmp_path)
    yield tmp_path
    own.set_method_folder(None)
    own._registered.clear()


def written(folder: Path, name: str, body: str, start: str = START) -> Path:
    file = folder / f"{name}.py"
    file.write_text(start + body, "utf-8")
    return file


def simple(name: str, search: str, more: str = "") -> str:
    return (
        f"class Mine(Method):\n    '''Mine.'''\n    NAME = '{name}'\n{more}"
        f"    def _fit(self, corpus): self.law = corpus\n"
        f"    def _search(self, queries, k): {search}\n"
    )


def fitted(name: str, resources: Resources | None = None) -> Method:
    method = make({"method": name}, resources)
    method.fit(LAW)
    return method


def test_the_template_of_the_page_is_a_method_like_any_other(folder: Path) -> None:
    written(folder, "word_overlap", TEMPLATE, "")
    assert own_names() == ("word_overlap",) and "word_overlap" in METHODS
    assert list(METHODS) == [*BUILT_IN, "word_overlap"] and len(METHODS) == len(BUILT_IN) + 1
    assert PRESETS["word_overlap"] == {"method": "word_overlap"} and "word_overlap" in PRESETS
    assert complete(PRESETS["word_overlap"])["heading_weight"] == 2.0
    assert describe({"method": "word_overlap", "heading_weight": 3}).endswith("heading_weight 3")
    (parameter,) = method_class("word_overlap").parameters()
    assert help_of("word_overlap", parameter) == "Weight of the heading."
    assert label_of("word_overlap", parameter) == "heading_weight"
    assert title_of("word_overlap") == "word_overlap (a method of your own)"
    run = fitted("word_overlap").search([Query("q", "Alarm"), Query("none", "-")], 5)
    assert run.rankings == {"q": ["b", "a"], "none": []}
    both = make({"method": "rrf", "of": [{"method": "bm25"}, {"method": "word_overlap"}]})
    both.fit(LAW)
    assert set(both.search([Query("q", "alarm")], 5).rankings["q"]) == {"a", "b"}


def test_the_template_holds_to_the_contract(folder: Path) -> None:
    written(folder, "word_overlap", TEMPLATE, "")
    checks = check_method({"method": "word_overlap"})
    assert [each.name for each in checks] == list(CHECKS)
    assert [(each.name, each.problem) for each in checks if not each.held] == []
    for each in checks:
        assert f"| {each.says()} |" in PAGE


@pytest.mark.parametrize(
    "spec", [{"method": "bm25"}, {"method": "sar", "base": {"method": "bm25"}}]
)
def test_methods_of_ours_hold_to_it(spec: dict[str, object]) -> None:
    assert all(each.held for each in check_method(spec))


BREAKING = {
    "ranks": ("return {}", "No question found anything."),
    "shorter": ("return {q.id: {self.law.ids[k % len(self.law)]: 1} for q in queries}", "are not"),
    "alone": (
        "return {q.id: {unit: len(queries) for unit in self.law.ids} for q in queries}",
        "asked alone",
    ),
    "again": (
        "import random; return {q.id: {u: random.random() for u in self.law.ids} for q in queries}",
        "second time",
    ),
    "small": ("return {q.id: {u: 1 / (len(self.law) - 1) for u in self.law.ids} for q in queries}",
              "ZeroDivisionError"),
    "own_law": (
        "return {q.id: {u: len(self.law.parent) for u in self.law.ids} for q in queries}",
        "AttributeError",
    ),
}  # fmt: skip


@pytest.mark.parametrize("part", BREAKING)
def test_what_breaks_a_part_is_told(folder: Path, part: str) -> None:
    search, problem = BREAKING[part]
    written(folder, "mine", simple("mine", search))
    checks = {each.name: each for each in check_method({"method": "mine"})}
    assert not checks[part].held and problem in checks[part].problem
    assert checks[part].says("ko") != checks[part].says("en")


def test_what_is_kept_otherwise_than_it_was_is_told(folder: Path) -> None:
    more = (
        "    KEEPS = True\n"
        "    def _load(self, folder, corpus): self.law = corpus; self.off = True\n"
    )
    search = "return {q.id: {u: hasattr(self, 'off') + 1 for u in self.law.ids} for q in queries}"
    written(folder, "mine", simple("mine", search, more))
    held = {each.name: each.held for each in check_method({"method": "mine"})}
    assert not held.pop("kept") and held.pop("ranks")


@pytest.mark.parametrize(
    ("search", "code", "said"),
    [
        ("raise KeyError('x')", "own_method_failed", "KeyError: 'x'"),
        ("raise SystemExit(0)", "own_method_failed", "SystemExit: 0"),
        ("return [q.text for q in queries]", "own_method_result", "list"),
        ("return {q.id: 7 for q in queries}", "own_method_result", "int"),
        ("return {q.id: {'z': 1} for q in queries}", "own_method_result", '"z"'),
        ("return {q.id: {'a': float('nan')} for q in queries}", "own_method_result", "nan"),
        ("return {q.id: [Hit('a', 1)] * 2 for q in queries}", "own_method_result", "twice"),
        ("return {q.id: [Hit('a', 1), Hit('b', 2)] for q in queries}", "own_method_result", "fall"),
        ("return {q.id: [Hit('b', 1), Hit('a', 1)] for q in queries}", "own_method_result", "fall"),
    ],
)
def test_an_error_names_the_method_the_file_and_the_line(
    folder: Path, search: str, code: str, said: str
) -> None:
    file = written(folder, "mine", simple("mine", search))
    method = fitted("mine")
    with pytest.raises(UserError) as caught:
        method.search([Query("q", "alarm")], 5)
    error = caught.value
    assert error.code == code and "mine" in error.what() and said in error.what()
    assert error.where.file == str(file)
    assert error.where.line == 6  # that of `_search`
    assert "mine" in error.what("ko")


def test_what_it_does_to_the_list_of_questions_is_its_own_affair(folder: Path) -> None:
    search = "found = {q.id: {'a': 1} for q in queries}; queries.clear(); return found"
    written(folder, "clears", simple("clears", search))
    asked = [Query("q", "alarm"), Query("r", "alarm")]
    assert fitted("clears").search(asked, 5).rankings == {"q": ["a"], "r": ["a"]}


def test_fitting_and_making_are_contained_too(folder: Path) -> None:
    fails = "    def __init__(self, *given): super().__init__(*given); 1 / 0\n"
    written(folder, "making", simple("making", "return {}", fails))
    lacks = "    def __init__(self, *given): pass\n"
    written(folder, "lacking", simple("lacking", "return {}", lacks))
    fitting = simple("fitting", "return {}").replace("self.law = corpus", "self.nothing()")
    written(folder, "fitting", fitting)
    for name, code in (("making", "own_method_failed"), ("lacking", "own_method_init")):
        assert code_of(make, {"method": name}) == code
    with pytest.raises(UserError) as caught:
        fitted("fitting")
    assert "AttributeError" in caught.value.what() and caught.value.where.line == 5


NAMED = "    PARAMETERS = (Parameter('{}', 'int', 1),)\n"
BROKEN = {
    "missing": ("import nothing_there\n", "own_method_import", 2),
    "syntax": ("def f(:\n", "own_method_import", 2),
    "exits": ("raise SystemExit(3)\n", "own_method_import", 2),
    "empty": ("x = 1\n", "own_method_none", 1),
    "half": ("class Half(Method):\n    NAME = 'half'\n", "own_method_none", 1),
    "nameless": (simple("Not A Name", "return {}"), "own_method_name", 5),
    "taken": (simple("bm25", "return {}"), "own_method_taken", 5),
    "preset": (simple("recommended", "return {}"), "own_method_taken", 5),
    "odd": (simple("odd", "return {}", "    PARAMETERS = ('k',)\n"), "own_method_parameters", 6),
    "spaced": (simple("spaced", "return {}", NAMED.format("a b")), "own_method_parameters", 6),
    "other": (simple("other", "return {}", NAMED.format("method")), "own_method_parameters", 6),
    "unfit": (
        simple("unfit", "return {}", NAMED.replace("1)", "0.5)").format("k")),
        "method_parameter",
        6,
    ),
}


def test_what_cannot_be_used_is_listed_with_the_reason_and_stops_nothing(folder: Path) -> None:
    for name, (body, _, _) in BROKEN.items():
        written(folder, name, body)
    written(folder, "_helper", "1 / 0\n")
    (folder / "heap.py").mkdir()
    written(folder, "sound", simple("sound", "return {q.id: {'a': 1} for q in queries}"))
    assert own_names() == ("sound",) and "missing" not in METHODS
    problems = {Path(each.origin).stem: each.problem for each in own_methods() if each.problem}
    for name, (_, code, line) in BROKEN.items():
        problem = problems.pop(name)
        assert (problem.code, problem.where.line) == (code, line), name
        assert problem.where.file == str(folder / f"{name}.py")
    assert problems.pop("heap").params == {"reason": "Is a directory"} and problems == {}
    assert code_of(complete, {"method": "missing"}) == "own_method_import"
    assert fitted("sound").search([Query("q", "x")], 1).rankings == {"q": ["a"]}
    assert method_class("bm25").__module__.startswith("retrieval.")


def test_the_second_of_one_name_is_broken(folder: Path) -> None:
    written(folder, "one", simple("mine", "return {}"))
    written(folder, "two", simple("mine", "return {}"))
    one, two = own_methods()
    assert one.kind is not None and one.origin.endswith("one.py")
    assert two.problem is not None and "one.py" in two.problem.what()
    written(folder, "zoo", simple("other", "return {}"))
    with own.tried([one]):  # hides its equals and no more
        assert own_names() == ("mine", "other")


def test_a_changed_file_is_another_version(folder: Path) -> None:
    file = written(folder, "mine", simple("mine", "return {q.id: {'a': 1} for q in queries}"))
    before = fitted("mine")
    written(folder, "mine", simple("mine", "return {q.id: {'b': 1, 'a': 2} for q in queries}"))
    after = fitted("mine")
    assert after.search([Query("q", "x")], 9).rankings == {"q": ["a", "b"]}
    assert before.versions != after.versions and before.content != after.content
    assert before.versions.startswith("1@")
    file.unlink()
    assert own_names() == ()


def test_one_that_must_be_given_something_is_no_preset(folder: Path) -> None:
    more = "    PARAMETERS = (Parameter('base', 'method'),)\n"
    written(folder, "over", simple("over", "return self.parts[0].search(queries, k)", more))
    assert "over" in METHODS and "over" not in PRESETS
    method = make({"method": "over", "base": {"method": "bm25"}})
    method.fit(LAW)
    assert method.search([Query("q", "water")], 5).rankings == {"q": ["b"]}


def test_gold_and_models_come_only_to_who_declares_it(folder: Path) -> None:
    written(folder, "plain", simple("plain", "return {}"))
    declared = "    LEARNS = True\n    calls_models = property(lambda self: True)\n"
    written(folder, "asks", simple("asks", "return {}", declared))
    using = Resources(gold=list, ask=SimpleNamespace(), embed=lambda name: None)  # type: ignore
    given = make({"method": "plain"}, using).resources
    assert (given.gold, given.ask, given.embed) == (None, None, None)
    asks = make({"method": "asks"}, using)
    assert asks.resources == using and asks.calls_models
    assert learns_from_gold({"method": "asks"}) and not learns_from_gold({"method": "plain"})
    assert learns_from_gold({"method": "rrf", "of": [{"method": "asks"}]})
    assert ModelReply() == ModelReply()


def test_what_stops_work_passes_through(folder: Path) -> None:
    class StoppedError(Exception):
        pass

    StoppedError.__module__ = "services.background.tasks"

    def stop(done: int, total: int) -> None:
        raise StoppedError

    body = simple("mine", "return {}").replace("self.law = corpus", "self.resources.progress(1, 2)")
    written(folder, "mine", body)
    with pytest.raises(StoppedError):
        fitted("mine", Resources(progress=stop))


class Registered(Method):
    """Of a notebook."""

    NAME = "noted"
    PARAMETERS = (Parameter("k", "int", 3),)

    def _fit(self, corpus: Corpus) -> None:
        pass

    def _search(self, queries, k):
        return {query.id: {"a": 1.0} for query in queries}


def test_a_notebook_registers_its_own() -> None:
    assert own.register(Registered) is Registered and own.register(Registered) is Registered
    assert fitted("noted").search([Query("q", "x")], 1).rankings == {"q": ["a"]}
    assert help_of("noted", Registered.PARAMETERS[0]) == "Its author does not say what it does."
    for name, code in (("bm25", "own_method_taken"), ("", "own_method_name")):
        kind = type("Other", (Registered,), {"NAME": name})
        assert code_of(own.register, kind) == code
    assert code_of(own.register, int) == "own_method_none"


def test_packages_bring_methods_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("noted", f"{__name__}:Registered", extensions.METHODS),
        EntryPoint("lost", "nothing_there:Method", extensions.METHODS),
    ]
    found = {extensions.METHODS: points}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found[group])
    extensions.installed.cache_clear()
    try:
        lost, noted = own_methods()
        assert noted.kind is not None and own_names() == ("noted",)
        assert lost.problem is not None and "nothing_there" in lost.problem.what()
    finally:
        monkeypatch.undo()
        extensions.installed.cache_clear()
