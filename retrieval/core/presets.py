"""Short display names of methods and presets, and help texts for parameters.

The presets themselves are in `retrieval.core.preset_specs`, below the registry, which resolves
their names wherever a spec is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from errors import UserError
from messages import catalogue, say
from retrieval.core.model import Parameter, Spec, specs_within
from retrieval.core.own import own_methods, reserve
from retrieval.core.preset_specs import BEST as BEST
from retrieval.core.preset_specs import DOWNLOAD_FREE as DOWNLOAD_FREE
from retrieval.core.preset_specs import PRESETS as _ALL
from retrieval.core.preset_specs import RECOMMENDED as RECOMMENDED
from retrieval.core.preset_specs import Preset
from retrieval.core.registry import BUILT_IN, METHODS, complete, parameters

_CHOICES = {"tokeniser": "leaderboard.tokenisers", "edges": "corpus.edge"}
OURS = tuple(_ALL)
"""The presets that come with Touchstone."""
reserve(OURS)


class _Presets(Mapping[str, Preset]):
    """All presets at present; a user-supplied method is one at its defaults.

    A method with a required parameter, such as a base, has no preset.
    """

    def __getitem__(self, name: str) -> Preset:
        return (
            _ALL[name]
            if name in _ALL
            else {name: {"method": name} for name in _own_presets()}[name]
        )

    def __iter__(self) -> Iterator[str]:
        return iter((*_ALL, *_own_presets()))

    def __len__(self) -> int:
        return len(_ALL) + len(_own_presets())

    def __contains__(self, name: object) -> bool:
        return name in _ALL or name in _own_presets()


def _own_presets() -> list[str]:
    """Return the names of the user's usable methods whose parameters all have defaults."""
    return [
        each.name
        for each in own_methods()
        if each.kind and all(one.default is not None for one in each.kind.parameters())
    ]


PRESETS: Mapping[str, Preset] = _Presets()
"""Every preset by name, user-supplied methods at the end."""

LONGEST = 100
# Shown even at their default.
_ALWAYS = frozenset({"tokeniser", "model", "kind", "reader"})
_NAMES = {
    "bm25": "BM25",
    "rank_bm25": "rank-bm25",
    "tfidf": "TF-IDF",
    "minmax": "min-max",
    "keller": "KELLER",
    "refwalk": "RefWalk",
    "nativerag": "NativeRAG",
    "hipporag2": "HippoRAG-2",
    "lightrag": "LightRAG",
    "pikerag": "PIKE-RAG",
    "legalsearchlm": "LegalSearchLM",
}


def describe(spec: Spec) -> str:
    """Return e.g. ``BM25 bigram · k1 0.9`` or ``RRF (BM25 bigram + LSA bigram) · k 30``.

    Specs of methods that no longer exist are described by their own fields. Truncated to
    LONGEST characters.
    """
    named = _named(_completed(spec))
    if named:
        return named
    said = _spec_text(spec)
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"


def rerankers(spec: Spec) -> list[Spec]:
    """Return the reranker specs of each RefWalk in `spec` that reranks, without repetition.

    It reads stored specs, also of methods that no longer exist.
    """
    found = [
        part
        for each in specs_within(spec)
        if each.get("method") == "refwalk" and each.get("rerank", True)
        for part in _parts(each.get("reranker"))
    ]
    return [each for at, each in enumerate(found) if each not in found[:at]]


def _spec_text(spec: Spec) -> str:
    name = str(spec.get("method", ""))
    known = parameters(name) if name in METHODS else ()
    listed = {each.name for each in known}
    others = [Parameter(key, "text") for key in spec if key not in listed and key != "method"]
    within, words, changed = [], [name_of(name)], []
    for each in (*known, *others):
        value = spec.get(each.name, each.default)
        if each.kind in ("method", "methods"):
            within += [_spec_text(part) for part in _parts(value)]
        elif each.name in _ALWAYS:
            words += [str(value)] if value else []
        elif each.name in spec and _plain(value) != _plain(each.default):
            changed.append(f"{each.name} {_setting_text(value)}")
    if within:
        words.append(f"({' + '.join(within)})")
    return " · ".join([" ".join(words), *changed])


def _completed(spec: Spec) -> Spec:
    """Return `spec` with defaults filled in; unchanged if it is invalid."""
    try:
        return complete(spec)
    except UserError:
        return spec


LEARNT = "best (learnt from the gold of other questions)"


def _named(full: Spec) -> str:
    """Return the display name of a complete spec that equals a starting preset, else ""."""
    recommended, best = _starting_presets()
    if full == recommended:
        return "recommended"
    return LEARNT if full == best else ""


@cache
def _starting_presets() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the recommended and the best preset, complete."""
    return complete(RECOMMENDED), complete(BEST)


def name_of(method: str) -> str:
    """Return a method's display name."""
    return _NAMES.get(method, method.upper() if len(method) <= 4 else method.replace("_", " "))


def _parts(value: Any) -> list[Spec]:
    """Return the specs in a parameter's value: itself, or those in a list."""
    if isinstance(value, dict):
        return [value]
    return [each for each in value or () if isinstance(each, dict)]


def _plain(value: Any) -> Any:
    """Return tuples as lists."""
    return list(value) if isinstance(value, tuple) else value


def _setting_text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return "/".join(_setting_text(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)[:40]


def help_of(method: str, parameter: Parameter, language: str = "en") -> str:
    """Return a parameter's own `help`, else the catalogue's; of a user's method that there is none.

    Raises KeyError for a built-in parameter without a help text.
    """
    if parameter.help or method not in BUILT_IN:
        return parameter.help or say("own_method.no_help", language)
    own = f"parameter.{method}.{parameter.name}"
    known = own if own in catalogue() else f"parameter.any.{parameter.name}"
    return say(known, language)


def title_of(preset: str, language: str = "en") -> str:
    """Return a preset's title in selection lists; a user-supplied method by its name."""
    if preset in OURS:
        return say(f"run_form.presets.{preset}", language)
    return say("own_method.preset", language, name=preset)


def label_of(method: str, parameter: Parameter, language: str = "en") -> str:
    """Return a parameter's label on a form; of a user-supplied method its name."""
    keys = (f"parameter_name.{of}.{parameter.name}" for of in (method, "any"))
    known = next((key for key in keys if key in catalogue()), None)
    if known is None or method not in BUILT_IN:
        return parameter.name
    return say(known, language)


def choice_of(method: str, parameter: Parameter, choice: str, language: str = "en") -> str:
    """Return the label of a parameter's choice on a form; of a user-supplied method its name.

    Raises KeyError for a built-in choice without a label.
    """
    words = _CHOICES.get(parameter.name, f"parameter_choice.{parameter.name}")
    return say(f"{words}.{choice}", language) if method in BUILT_IN else choice


def values_of(parameter: Parameter, language: str = "en") -> str:
    """Return a parameter's bounds and default: ``0 to 1; default 0.75``."""
    said = [parameter.bounds(language), _default(parameter, language)]
    return "; ".join(each for each in said if each)


def _default(parameter: Parameter, language: str) -> str:
    """Return a parameter's default in words."""
    if parameter.default is None:
        return say("parameter.required", language)
    return say("parameter.default", language, value=_value_text(parameter.default, language))


def _value_text(value: Any, language: str) -> str:
    """Return a value in words."""
    if isinstance(value, bool):
        return say("parameter.on" if value else "parameter.off", language)
    if isinstance(value, Mapping):
        return describe(value)
    if isinstance(value, list | tuple) and value:
        return ", ".join(_value_text(each, language) for each in value)
    if isinstance(value, int | float):
        return f"{value:,.10g}"
    return str(value) if value else say("parameter.nothing", language)
