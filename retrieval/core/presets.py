"""Presets, methods worth starting from, by name; any method in few words, help for parameters.

`RECOMMENDED` is the one to start from where nothing can be downloaded: all of it runs on a
processor. It is a sum of what articles say (cut in two ways), what others say when they cite them,
how much other law relies on them, what they are called, latent semantic analysis, and their family
as a whole. How the weights were chosen, and what it reaches, is told in ``docs/retrieval.md``;
nothing in it knows a statute or a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from errors import UserError
from messages import catalogue, say
from retrieval.core.model import Parameter, Spec
from retrieval.core.registry import METHODS, complete, parameters

_SHORT = {"k1": 0.9, "b": 0.4}

RECOMMENDED: dict[str, Any] = {
    "method": "weighted",
    "of": [
        {"method": "bm25", "tokeniser": "bigram", **_SHORT},
        {"method": "bm25", "tokeniser": "morphemes", **_SHORT},
        {"method": "cited_as"},
        {"method": "cited_by"},
        {"method": "headings"},
        {"method": "lsa", "tokeniser": "morphemes"},
        {"method": "family", "k1": 1.2, "b": 0.5},
    ],
    "weights": [1.0, 1.0, 0.75, 0.75, 0.5, 0.5, 0.5],
}


Preset = Mapping[str, Any]

_BM25: Preset = {"method": "bm25"}
_LSA: Preset = {"method": "lsa"}

_ALL: dict[str, Preset] = {
    "bm25": _BM25,
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "bm25_morphemes": {"method": "bm25", "tokeniser": "morphemes"},
    "recommended": RECOMMENDED,
    "tfidf": {"method": "tfidf"},
    "lsa": _LSA,
    "rocchio": {"method": "rocchio", "base": _LSA},
    "sar": {"method": "sar", "base": _LSA},
    "rrf": {"method": "rrf", "of": [_BM25, _LSA]},
    "wrrf": {"method": "wrrf", "of": [_BM25, _LSA]},
    "rrm": {"method": "rrm", "of": [_BM25, _LSA]},
    "minmax": {"method": "minmax", "of": [_BM25, _LSA]},
    "keller": {"method": "keller", "base": _BM25},
    "dense": {"method": "dense", "model": "sentence-transformers/all-MiniLM-L6-v2"},
    "rerank": {"method": "rerank", "base": _BM25, "model": "BAAI/bge-reranker-v2-m3"},
    "expand": {"method": "expand", "base": _BM25},
    "decompose": {"method": "decompose", "base": _BM25},
    "refwalk": {"method": "refwalk", "base": _LSA},
}


PRESETS: Mapping[str, Preset] = _ALL

_OF_MODELS = frozenset({"dense", "rerank", "expand", "decompose", "refwalk"})

DOWNLOAD_FREE = tuple(name for name in PRESETS if name not in _OF_MODELS)
"""The presets that need neither a model's files nor a server."""


LONGEST = 100
_ALWAYS = frozenset({"tokeniser", "model", "kind"})  # said also where they are the default
_NAMES = {
    "bm25": "BM25",
    "tfidf": "TF-IDF",
    "minmax": "min-max",
    "keller": "KELLER",
    "refwalk": "RefWalk",
}


def describe(spec: Spec) -> str:
    """Return e.g. ``BM25 bigram · k1 0.9`` or ``RRF (BM25 bigram + LSA bigram) · k 30``.

    It reads specs of methods that are not there any more too, from what they say themselves. At
    most LONGEST characters are returned, the rest is left out.
    """
    if _completed(spec) == _recommended():
        return "recommended"
    said = _described(spec)
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"


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
            words.append(str(value))
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


@cache
def _recommended() -> dict[str, Any]:
    return complete(RECOMMENDED)


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
    """Return what the parameter does in that method. Raises KeyError where nobody has said it."""
    own = f"parameter.{method}.{parameter.name}"
    known = own if own in catalogue() else f"parameter.any.{parameter.name}"
    return say(known, language)


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
