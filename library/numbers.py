"""Whole numbers as a notebook gives them, numpy's among them."""

from __future__ import annotations

from operator import index

from errors import UserError


def whole(value: object, name: str, example: int) -> int:
    """Return a whole number. Raises UserError, with what it is called, for any other value.

    A number with a point is none, and neither is True, which Python takes for 1.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)  # type: ignore[arg-type]
    except TypeError as error:
        said = type(value).__name__
        raise UserError("library_whole", name=name, type=said, example=example) from error
