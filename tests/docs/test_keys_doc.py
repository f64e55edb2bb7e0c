"""The page of keys says what the map says."""

from scripts.keys_doc import TARGET, render


def test_the_page_is_that_of_the_map() -> None:
    assert TARGET.read_text(encoding="utf-8") == render()
