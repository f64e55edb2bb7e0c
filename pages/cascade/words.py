"""What layers and their reasons are called on screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from messages import catalogue
from pages.shell.context import Context

_WORDING = "wording."


def reason_name(context: Context, code: str, labels: Mapping[str, Mapping[str, str]]) -> str:
    """Return what a reason is called; `labels` name the wordings that layers look for."""
    if code.startswith(_WORDING):
        key = code.removeprefix(_WORDING)
        return labels[key][context.language] if key in labels else key
    for place in (f"cascade.reason_name.{code}", f"cascade.reason.{code}"):
        if place in catalogue():
            return context.say(place)
    return code


def role_name(context: Context, role: str) -> str:
    """Return what the role of a governing provision is called: a type of edge, or a rule's key."""
    places = (f"cascade.role.{role}", f"corpus.edge.{role}")
    return next((context.say(place) for place in places if place in catalogue()), role)


def reason_said(
    context: Context, reason: Mapping[str, Any], labels: Mapping[str, Mapping[str, str]]
) -> str:
    """Return what a layer found, with its values."""
    code, values = str(reason["code"]), dict(reason["values"])
    if code.startswith(_WORDING):
        return f"{reason_name(context, code, labels)}: “{values['text']}”"
    if "holds" in values:
        held = context.say(f"cascade.yes.{'true' if values['holds'] else 'false'}")
        return f"{context.say(f'cascade.reason.{code}')}: {held}. {values['reason']}"
    for name, value in values.items():
        if isinstance(value, bool):
            values[name] = context.say(f"cascade.yes.{'true' if value else 'false'}")
        elif name == "part":
            values[name] = context.say(f"cascade.part.{value}")
    place = f"cascade.reason.{code}"
    return context.say(place, **values) if place in catalogue() else code
