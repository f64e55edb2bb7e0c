from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from messages import say


def script(language: str) -> None:
    from types import SimpleNamespace
    from typing import Any

    from messages import say
    from pages.shell.widgets import draw_table

    context: Any = SimpleNamespace(say=lambda key: say(key, language))
    columns = {"question": ["a"], "compare.became": ["b"], "nDCG@10": [0.5]}
    draw_table(context, "gold", columns, wide="question")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_catalogue_names_the_columns_of_a_table(language: str):
    at = AppTest.from_function(script, kwargs={"language": language}).run()
    named = [say("gold.question", language), say("compare.became", language), "nDCG@10"]
    assert list(at.dataframe[0].value.columns) == named
