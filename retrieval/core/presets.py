"""Presets, methods worth starting from, by name; any method in few words, help for parameters.

`RECOMMENDED` is the one to start from where nothing can be downloaded: all of it runs on a
processor. It is a sum of what articles say (cut in two ways), what others say when they cite them,
how much other law relies on them, what they are called, latent semantic analysis, and their family
as a whole. How the weights were chosen, and what it reaches, is told in ``docs/retrieval.md``;
nothing in it knows a statute or a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from errors import UserError
from messages import catalogue, say
from retrieval.core.model import Parameter, Spec
from retrieval.core.own import own_methods, reserve
from retrieval.core.registry import BUILT_IN, METHODS, complete, parameters

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


BEST: dict[str, Any] = {
    "method": "weighted",
    "of": [
        *RECOMMENDED["of"],
        {"method": "similar_questions"},
        {"method": "gold_prior", "level": "unit"},
        {"method": "gold_prior", "level": "family"},
    ],
    "weights": [*RECOMMENDED["weights"], 1.0, 0.5, 0.5],
}
"""The recommended method and what is gold for other questions: the more gold, the more it finds."""


Preset = Mapping[str, Any]

_BM25: Preset = {"method": "bm25"}
_LSA: Preset = {"method": "lsa"}

# The encoder that all systems of paper 001 share (A.1).
_QWEN3: Preset = {"method": "dense", "model": "Qwen/Qwen3-Embedding-0.6B"}

_ALL: dict[str, Preset] = {
    "bm25": _BM25,
    "bm25_jamo": {"method": "bm25", "tokeniser": "jamo3"},
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "bm25_morphemes": {"method": "bm25", "tokeniser": "morphemes"},
    "rank_bm25": {"method": "rank_bm25"},
    "recommended": RECOMMENDED,
    "best": BEST,
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
    "dense_contriever": {"method": "dense", "model": "facebook/contriever", "similarity": "dot"},
    "dense_dpr": {
        "method": "dense",
        "model": "sentence-transformers/facebook-dpr-ctx_encoder-single-nq-base",
        "similarity": "dot",
    },
    "rerank": {"method": "rerank", "base": _BM25, "model": "BAAI/bge-reranker-v2-m3"},
    "expand": {"method": "expand", "base": _BM25},
    "decompose": {"method": "decompose", "base": _BM25},
    "refwalk": {"method": "refwalk", "base": _LSA},
    "nativerag": {"method": "nativerag", "base": _LSA},
    "nativerag_paper": {
        "method": "nativerag",
        "base": _QWEN3,
        "rerank": True,
        "model": "Qwen/Qwen3-Reranker-0.6B",
    },
    "hipporag2": {"method": "hipporag2", "base": _LSA},
    "hipporag2_paper": {
        "method": "hipporag2",
        "base": _QWEN3,
        "reader": "model",
        "recognition": "model",
    },
    "lightrag": {"method": "lightrag", "base": _LSA},
    "pikerag": {"method": "pikerag", "base": _LSA},
    "pikerag_loop": {"method": "pikerag", "base": _LSA, "loop": True},
    "lightrag_paper": {"method": "lightrag", "base": _QWEN3, "reader": "model"},
    "pikerag_paper": {"method": "pikerag", "base": _QWEN3, "reader": "model"},
    "legalsearchlm": {"method": "legalsearchlm", "model": "google/mt5-base"},
}


OURS = tuple(_ALL)
"""The presets that come with Touchstone."""
reserve(OURS)


class _Presets(Mapping[str, Preset]):
    """The presets as they are known now; a method of one's own is one at its defaults.

    One that must be given something, such as a base, has no defaults and is none.
    """

    def __getitem__(self, name: str) -> Preset:
        return _ALL[name] if name in _ALL else {name: _own(name) for name in _owned()}[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*_ALL, *_owned()))

    def __len__(self) -> int:
        return len(_ALL) + len(_owned())

    def __contains__(self, name: object) -> bool:
        return name in _ALL or name in _owned()


def _own(name: str) -> Preset:
    return {"method": name}


def _owned() -> list[str]:
    return [
        each.name
        for each in own_methods()
        if each.kind and all(one.default is not None for one in each.kind.parameters())
    ]


PRESETS: Mapping[str, Preset] = _Presets()

_OF_MODELS = frozenset(
    {
        *("dense", "dense_contriever", "dense_dpr", "rerank"),
        *("expand", "decompose", "refwalk", "pikerag_loop"),
        *("nativerag_paper", "lightrag_paper", "hipporag2_paper", "pikerag_paper"),
        "legalsearchlm",
    }
)

_OF_GOLD = frozenset({"best"})

DOWNLOAD_FREE = tuple(name for name in OURS if name not in _OF_MODELS | _OF_GOLD)
"""The presets that need neither a model's files, nor a server, nor gold to learn from."""


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
