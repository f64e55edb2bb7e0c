"""Groups of commands that import a command's module only when the command is asked for.

So the start of one command pays for no other, and a help page imports what it describes.
"""

from __future__ import annotations

import inspect
from collections import UserDict
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from commands.shell.registry import COMMANDS, Command, Group, Members


class LazyGroup(TyperGroup):
    """A group of the registry; by default that of the whole command line."""

    def __init__(self, *, members: Members = COMMANDS, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Loaded(members)
        self._members = members
        self._summarised = False

    def list_commands(self, ctx: object) -> list[str]:
        """Return the members' names, in the order of the registry."""
        return list(self._members)

    def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | TyperGroup | None:
        """Return the member of that name, imported now; None where there is none."""
        member = self._members.get(cmd_name)
        if self._summarised and isinstance(member, Command):
            return TyperCommand(name=cmd_name, help=member.summary)
        return None if member is None else _load(cmd_name, member)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help page; a member whose summary the registry has is not imported for it."""
        self._summarised = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._summarised = False


class _Loaded(UserDict[str, Any]):
    """The members by name, each imported when it is looked up."""

    def __getitem__(self, name: str) -> TyperCommand | TyperGroup:
        return _load(name, super().__getitem__(name))


def _load(name: str, member: Command | Group | str) -> TyperCommand | TyperGroup:
    """Return a member with all its options."""
    if isinstance(member, Group):
        return LazyGroup(name=name, help=member.summary, members=member.members)
    function = member.function if isinstance(member, Command) else member
    module, _, attribute = function.partition(":")
    alone = typer.Typer(add_completion=False)
    alone.command(name)(with_state(getattr(import_module(module), attribute)))
    command: TyperCommand = typer.main.get_command(alone)  # type: ignore[assignment]
    return command


def with_state(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command's function as Typer calls it: with the context, which holds the `State`."""
    first, *others = inspect.signature(function, eval_str=True).parameters.values()

    @wraps(function)
    def called(context: typer.Context, **given: Any) -> None:
        function(context.obj, **given)

    context = inspect.Parameter("context", first.kind, annotation=typer.Context)
    called.__signature__ = inspect.Signature([context, *others])  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in (context, *others)}
    return called
