"""How a command declares its arguments and options: each with its help."""

from __future__ import annotations

from typing import Any

import typer


def option(text: str, *names: str, **more: Any) -> Any:
    """Declare an option by its help; its names follow from the parameter unless given."""
    return typer.Option(*names, help=text, **more)


def argument(text: str, **more: Any) -> Any:
    """Declare an argument by its help."""
    return typer.Argument(help=text, **more)
