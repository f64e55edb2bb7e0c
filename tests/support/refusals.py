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


def refusal(act: Callable[..., object], *given: Any, **named: Any) -> UserError:
    """Return the user error that a call ends in, which says what is wrong and its remedy."""
    with pytest.raises(UserError) as caught:
        act(*given, **named)
    for language in LANGUAGES:
        assert caught.value.what(language) and caught.value.remedy(language)
    return caught.value


def code_of(act: Callable[..., object], *given: Any, **named: Any) -> str:
    """Return the code of the user error that a call ends in."""
    return refusal(act, *given, **named).code


def code_and_field(act: Callable[..., object], *given: Any, **named: Any) -> tuple[str, str | None]:
    """Return the code and the field of the user error that a call ends in."""
    error = refusal(act, *given, **named)
    return error.code, error.where.field


def fault_of(
    act: Callable[..., object], *given: Any, **named: Any
) -> tuple[str, int | None, str | None]:
    """Return the code, the line and the field of the user error that a call ends in."""
    error = refusal(act, *given, **named)
    return error.code, error.where.line, error.where.field
