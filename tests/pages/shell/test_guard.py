"""What is shown when something fails."""

from __future__ import annotations

import re
import string

from hypothesis import given
from hypothesis import strategies as st

from pages.shell.guard import plain


@given(st.text(alphabet=string.printable + "가「"))
def test_plain_escapes_every_sign_of_markdown_and_loses_nothing(text: str):
    escaped = plain(text)
    assert re.sub(r"\\(.)", r"\1", escaped) == text
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>$~:#|=&@\"'^%]", escaped)
