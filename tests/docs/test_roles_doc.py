from __future__ import annotations

from scripts.roles_doc import TARGET, render


def test_the_page_is_the_table_as_it_is() -> None:
    assert TARGET.read_text(encoding="utf-8") == render()
