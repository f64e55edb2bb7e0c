"""Pages that a command writes are what it would write now."""

from __future__ import annotations

from types import ModuleType

import pytest

from scripts import api_doc, architecture_doc, cli_docs, keys_doc, measured, roles_doc


@pytest.mark.parametrize(
    "page",
    [api_doc, architecture_doc, cli_docs, keys_doc, measured, roles_doc],
    ids=lambda page: page.__name__,
)
def test_the_page_is_what_its_command_writes(page: ModuleType) -> None:
    written = page.TARGET.read_text(encoding="utf-8")
    assert written == page.render(), f"run python -m {page.__name__}"


def test_every_command_and_option_says_what_it_is_for() -> None:
    for line in cli_docs.render().splitlines():
        if line.startswith("* `"):
            assert line.split("`: ")[1].strip(), line
