"""What presets and any method are called in few words, and help for parameters.

The presets themselves are in `retrieval.core.preset_specs`, below the registry, which reads them as
names wherever a spec is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from errors import UserError
from messages import catalogue, say
from retrieval.core.model import Parameter, Spec
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
    """The presets as they are known now; a method of one's own is one at its defaults.

    One that must be given something, such as a base, has no defaults and is none.
    """

    def __getitem__(self, name: str) -> Preset:
        return _ALL[name] if name in _ALL else {name: {"method": name} for name in _owned()}[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*_ALL, *_owned()))

    def __len__(self) -> int:
        return len(_ALL) + len(_owned())

    def __contains__(self, name: object) -> bool:
        return name in _ALL or name in _owned()


def _owned() -> list[str]:
    return [
        each.name
        for each in own_methods()
        if each.kind and all(one.default is not None for one in each.kind.parameters())
    ]


PRESETS: Mapping[str, Preset] = _Presets()
"""Every preset by name, those of methods of one's own at the end."""

LONGEST = 100
# Said also where they are the default.
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

    It reads specs of methods that are not there any more too, from what they say themselves. At
    most LONGEST characters are returned, the rest is left out.
    """
    named = _named(_completed(spec))
    if named:
        return named
    said = _described(spec)
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"


def rerankers(spec: Spec) -> list[Spec]:
    """Return what each RefWalk in `spec` scores its candidates with, without repetition.

    It reads specs as they were kept, also of methods that are not there any more.
    """
    found: list[Spec] = []
    if spec.get("method") == "refwalk" and spec.get("rerank", True):
        found += _parts(spec.get("reranker"))
    for value in spec.values():
        for part in _parts(value) if isinstance(value, dict | list) else []:
            found += rerankers(part)
    return [each for at, each in enumerate(found) if each not in found[:at]]


def _described(spec: Spec) -> str:
    name = str(spec.get("method", ""))
    known = parameters(name) if name in METHODS else ()
    listed = {each.name for each in known}
    others = [Parameter(key, "text") for key in spec if key not in listed and key != "method"]
    within, words, changed = [], [name_of(name)], []
    for each in (*known, *others):
        value = spec.get(each.name, each.default)
        if each.kind in ("method", "methods"):
            within += [_described(part) for part in _parts(value)]
        elif each.name in _ALWAYS:
            words += [str(value)] if value else []
        elif each.name in spec and _plain(value) != _plain(each.default):
            changed.append(f"{each.name} {_shown(value)}")
    if within:
        words.append(f"({' + '.join(within)})")
    return " · ".join([" ".join(words), *changed])


def _completed(spec: Spec) -> Spec:
    """Return `spec` with what it leaves out, as it stands where that cannot be."""
    try:
        return complete(spec)
    except UserError:
        return spec


LEARNT = "best (learnt from the gold of other questions)"


def _named(full: Spec) -> str:
    """Return what the two methods to start from are called, "" for any other."""
    recommended, best = _to_start_from()
    if full == recommended:
        return "recommended"
    return LEARNT if full == best else ""


@cache
def _to_start_from() -> tuple[dict[str, Any], dict[str, Any]]:
    return complete(RECOMMENDED), complete(BEST)


def name_of(method: str) -> str:
    """Return a method's name as people write it."""
    return _NAMES.get(method, method.upper() if len(method) <= 5 else method.replace("_", " "))


def _parts(value: Any) -> list[Spec]:
    if isinstance(value, dict):
        return [value]
    return [each for each in value or () if isinstance(each, dict)]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return "/".join(_shown(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)[:40]


def help_of(method: str, parameter: Parameter, language: str = "en") -> str:
    """Return what the parameter does in that method; its own words, where it has them.

    Raises KeyError for one of ours of which nobody has said it.
    """
    if parameter.help or method not in BUILT_IN:
        return parameter.help or say("own_method.no_help", language)
    own = f"parameter.{method}.{parameter.name}"
    known = own if own in catalogue() else f"parameter.any.{parameter.name}"
    return say(known, language)


def title_of(preset: str, language: str = "en") -> str:
    """Return what a preset is called where one is chosen; one of an own method by its name."""
    if preset in OURS:
        return say(f"run_form.presets.{preset}", language)
    return say("own_method.preset", language, name=preset)


def label_of(method: str, parameter: Parameter, language: str = "en") -> str:
    """Return what the parameter is called on a form; one of an own method by its name alone."""
    keys = (f"parameter_name.{of}.{parameter.name}" for of in (method, "any"))
    known = next((key for key in keys if key in catalogue()), None)
    if known is None or method not in BUILT_IN:
        return parameter.name
    return say(known, language)


def choice_of(method: str, parameter: Parameter, choice: str, language: str = "en") -> str:
    """Return what a choice of the parameter is called on a form; one of an own method by its name.

    Raises KeyError for one of ours of which nobody has said it.
    """
    words = _CHOICES.get(parameter.name, f"parameter_choice.{parameter.name}")
    return say(f"{words}.{choice}", language) if method in BUILT_IN else choice


def values_of(parameter: Parameter, language: str = "en") -> str:
    """Return what the parameter may be and what it is unless given: ``0 to 1; default 0.75``."""
    said = [parameter.bounds(language), _default(parameter, language)]
    return "; ".join(each for each in said if each)


def _default(parameter: Parameter, language: str) -> str:
    if parameter.default is None:
        return say("parameter.required", language)
    return say("parameter.default", language, value=_said(parameter.default, language))


def _said(value: Any, language: str) -> str:
    if isinstance(value, bool):
        return say("parameter.on" if value else "parameter.off", language)
    if isinstance(value, Mapping):
        return describe(value)
    if isinstance(value, list | tuple) and value:
        return ", ".join(_said(each, language) for each in value)
    if isinstance(value, int | float):
        return f"{value:,.10g}"
    return str(value) if value else say("parameter.nothing", language)
