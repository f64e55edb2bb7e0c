"""Display names of generated questions' axes, edge roles, layers and rejection reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from messages import catalogue, say
from storage.cascade.names import Names, catalogue_name, label_in, reason_name

_AXES = ("type", "domain", "group", "difficulty")


def axes_named(axes: Mapping[str, Any], names: Names, language: str) -> Iterator[tuple[str, str]]:
    """Yield (axis name, value) of a question's generation plan.

    Each facet has its own name.
    """
    known = {"type": names.types, "domain": names.domains, "group": names.groups}
    for name, value in axes.items():
        if isinstance(value, Mapping):
            for facet, said in value.items():
                if said:
                    words = label_in(str(said), names.values.get(facet, {}), language)
                    yield label_in(facet, names.facets, language), words
        elif value:
            axis = say(f"generated.axis.{name}", language) if name in _AXES else name
            yield axis, label_in(str(value), known.get(name, {}), language)


def type_name(key: str, names: Names, language: str) -> str:
    """Return the display name of a question type."""
    return label_in(key, names.types, language)


def role_name(role: str, names: Names, language: str) -> str:
    """Return the display name of a governing provision's role: an edge type, or a rule."""
    places = (f"cascade.role.{role}", f"corpus.edge.{role}")
    known = next((say(place, language) for place in places if place in catalogue()), None)
    return label_in(role, names.rules, language) if known is None else known


def layer_name(layer: str, language: str) -> str:
    """Return the display name of a filter layer."""
    return catalogue_name(f"cascade.layer.{layer}", layer, language)


def finding_words(reason: Mapping[str, Any], names: Names, language: str) -> str:
    """Return a layer's finding as text: the message of its code, else the code and its values."""
    code, values = str(reason.get("code", "")), dict(reason.get("values") or {})
    if "text" in values and code.startswith("wording."):
        return f"{reason_name(code, names.wordings, language)}: “{values['text']}”"
    if "holds" in values:
        criterion = catalogue_name(f"cascade.reason.{code}", code, language)
        said = f"{criterion}: {_yes(values['holds'], language)}."
        return f"{said} {values.get('reason', '')}".rstrip()
    told = {name: _value(name, value, names, language) for name, value in values.items()}
    key = f"cascade.reason.{code}"
    if "{" in catalogue().get(key, {}).get(language, ""):
        try:  # numbers stay numbers: the message has their format
            return say(key, language, **told)
        except (KeyError, ValueError):  # from another version of the layers
            pass
    said = ", ".join(f"{name}: {value}" for name, value in sorted(told.items()))
    words = catalogue_name(key, code.replace("_", " "), language)
    return f"{words} ({said})" if said else words


def _value(name: str, value: Any, names: Names, language: str) -> Any:
    """Return a value of a finding in words."""
    if isinstance(value, bool):
        return _yes(value, language)
    if isinstance(value, (int, float)):
        return value
    if name == "part":
        return catalogue_name(f"cascade.part.{value}", str(value), language)
    if name == "rule":
        return label_in(str(value), names.rules, language)
    listed = isinstance(value, Iterable) and not isinstance(value, (str, Mapping))
    return ", ".join(map(str, value)) if listed else str(value)


def _yes(value: Any, language: str) -> str:
    """Return yes or no."""
    return say(f"cascade.yes.{'true' if value else 'false'}", language)
