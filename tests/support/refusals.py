"""How tests say that the product refuses something: by the code of its user error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from errors import UserError
from messages import LANGUAGES


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[UserError]]:
    """Expect a user error of this code; what is yielded has it once the block is left."""
    with pytest.raises(UserError) as caught:
        yield caught
    assert caught.value.code == code


def code_of(act: Callable[..., object], *given: Any, **named: Any) -> str:
    """Return the code of the user error that a call ends in, which every language has words for."""
    with pytest.raises(UserError) as caught:
        act(*given, **named)
    assert all(caught.value.render(language) for language in LANGUAGES)
    return caught.value.code
