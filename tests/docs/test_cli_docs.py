from __future__ import annotations

from scripts.cli_docs import TARGET, render


def test_the_page_describes_every_command_and_option_as_it_is() -> None:
    assert TARGET.read_text(encoding="utf-8") == render()


def test_every_command_and_option_says_what_it_is_for() -> None:
    for line in render().splitlines():
        if line.startswith("* `"):
            assert line.split("`: ")[1].strip(), line
