"""docs/own-task.md: its declarations are read, and it names every kind of field."""

from __future__ import annotations

import re

from annotation.tasks.reading import read_spec
from annotation.tasks.spec import Kind
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "own-task.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_declarations_of_the_page_are_read() -> None:
    whole, repeated, stages, disputes = BLOCKS
    spec = read_spec(whole)
    assert list(spec.fields) == ["relevance", "evidence", "why"]
    assert read_spec(f"task: claims\n{repeated}").repeating == dict.fromkeys(
        ("supported", "why"), "claims"
    )
    assert read_spec(f"task: staged\n{stages}").seals == ("revealed",)
    assert [each.key for each in read_spec(whole + disputes).differences] == [
        "relevance",
        "evidence",
    ]


def test_every_kind_that_a_project_may_use_is_in_its_table() -> None:
    assert {f"`{kind}`" for kind in Kind if kind is not Kind.RECORD} <= set(
        re.findall(r"`\w+`", PAGE)
    )
