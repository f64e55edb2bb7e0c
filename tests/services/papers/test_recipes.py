"""Recipes of papers: published values stand apart, every table has a row, faults have lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from corpus.files.declarations import read_declaration
from errors import UserError
from services.papers import recipes
from services.papers.recipes import LONGEST, PUBLISHED, RECIPE, paper_names, recipe
from tests.support.refusals import refused

_NUMBER = re.compile(r"(?<![\w@.-])\d+\.\d+(?!\w)")
_NAME = re.compile(r"(?:Table|Figure) [0-9]+")
_CAPTION = re.compile(
    rf"(?:{_NAME.pattern})(?=: )|^(?:{_NAME.pattern})(?=$| – continued)", re.MULTILINE
)
CAPTIONS = yaml.safe_load(Path(__file__).with_name("captions.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", paper_names())
def test_a_recipe_has_every_table_of_its_paper_and_no_value_that_it_reports(name: str) -> None:
    found = recipe(name)
    text, printed = (
        set(_NUMBER.findall((found.folder / file).read_text(encoding="utf-8")))
        for file in (RECIPE, PUBLISHED)
    )
    assert text & printed == set()
    assert set(found.published) <= {each.table for each in found.tables}
    for each in found.tables:
        assert each.parts or each.without, f"{each.table} says neither where nor why not"
    told = {match[0] for each in found.tables if (match := _NAME.match(each.table))}
    assert set(CAPTIONS[name]["numbers"]) - told == set()


@pytest.mark.real_data
@pytest.mark.parametrize("name", paper_names())
def test_every_caption_of_the_paper_is_listed(name: str, shared_data: Path) -> None:
    listed = CAPTIONS[name]
    (file,) = (shared_data.parent / "seeds").glob(listed["text"])
    found = set(_CAPTION.findall(file.read_text(encoding="utf-8")))
    assert set(listed["numbers"]).isdisjoint(listed["none"])
    assert found == {*listed["numbers"], *listed["none"]}


def test_an_unknown_paper_is_named_with_the_known_ones() -> None:
    with refused("paper_unknown") as caught:
        recipe("searchfiresafty")
    assert "searchfiresafety" in caught.value.what()


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("paper: x\ntitle: X\ntables: []\n", "field_missing", 3),
        ("paper: x\ntitle: X\ntabels: []\n", "field_unknown", 3),
        ("- a\n", "paper_file", 1),
        (
            "paper: x\ntitle: X\ntables: [{table: T, title: {en: T, ko: T}, like: U}]\n",
            "paper_table_like",
            None,
        ),
        (
            "paper: x\ntitle: X\ntables: [{table: T, title: {en: T, ko: T}}]\n"
            "steps:\n- {step: a, command: run b, needs: [model slove]}\n",
            "paper_need",
            5,
        ),
        (
            "paper: x\ntitle: X\ntables: [{table: T, title: {en: T, ko: T}}]\n"
            "steps:\n- {step: make, command: 'run {mak/folder}'}\n",
            "paper_step_named",
            None,
        ),
    ],
)
def test_a_broken_recipe_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, code: str, line: int | None
) -> None:
    monkeypatch.setattr(recipes, "FOLDER", tmp_path)
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / RECIPE).write_text(text, encoding="utf-8")
    (folder / PUBLISHED).write_text("tables: []\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        recipe("broken")
    assert (caught.value.code, caught.value.where.line) == (code, line)


def test_a_printed_row_has_a_value_or_a_dash_for_each_column() -> None:
    text = "tables:\n- table: T\n  columns: [a, b]\n  rows: {x: [1, -], y: [1]}\n"
    with refused("paper_row") as caught:
        read_declaration(recipes._Published, text, PUBLISHED, limit=LONGEST, empty="paper_file")
    assert (caught.value.where.line, caught.value.params["row"]) == (4, "y")
