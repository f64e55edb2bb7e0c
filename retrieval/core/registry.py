"""The registry of retrieval methods: completes specs and constructs methods.

A method's module is imported only when a method of that kind is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import count
from typing import Any

from errors import UserError, Where, did_you_mean
from retrieval.core.method import Method, Resources
from retrieval.core.model import Parameter, Spec, specs_within
from retrieval.core.own import own_method, own_names, reserve
from retrieval.core.preset_specs import PRESETS

DEEPEST = 6  # maximum nesting depth of methods
MOST_PARTS = 200  # maximum number of methods in a spec: preset names can multiply

# Module and name of each method's class.
_CLASSES: dict[str, tuple[str, str]] = {
    "bm25": ("retrieval.lexical.bm25_method", "BM25"),
    "rank_bm25": ("retrieval.lexical.rank_bm25_method", "RankBM25"),
    "tfidf": ("retrieval.lexical.lexical_method", "TFIDF"),
    "rrf": ("retrieval.fusion.rank_fusion", "RRF"),
    "wrrf": ("retrieval.fusion.rank_fusion", "WRRF"),
    "rrm": ("retrieval.fusion.rank_fusion", "RRM"),
    "minmax": ("retrieval.fusion.rank_fusion", "MinMax"),
    "lsa": ("retrieval.dense.lsa", "LSA"),
    "rerank": ("retrieval.rerank", "Rerank"),
    "bm25_milvus": ("retrieval.lexical.milvus_bm25", "MilvusBM25"),
    "endpoint": ("retrieval.dense.embedding_method", "Endpoint"),
    "rocchio": ("retrieval.dense.rocchio", "Rocchio"),
    "sar": ("retrieval.graph.sar", "SAR"),
    "keller": ("retrieval.rewriting.keller", "Keller"),
    "expand": ("retrieval.rewriting.llm_method", "Expand"),
    "decompose": ("retrieval.rewriting.llm_method", "Decompose"),
    "dense": ("retrieval.dense.sentence_method", "SentenceTransformers"),
    "weighted": ("retrieval.fusion.weighted", "Weighted"),
    "cited_as": ("retrieval.graph.cited", "CitedAs"),
    "cited_by": ("retrieval.graph.cited", "CitedBy"),
    "headings": ("retrieval.lexical.bm25_method", "Headings"),
    "family": ("retrieval.lexical.bm25_method", "FamilyBM25"),
    "refwalk": ("retrieval.refwalk", "RefWalk"),
    "nativerag": ("retrieval.baselines.nativerag", "NativeRAG"),
    "hipporag2": ("retrieval.baselines.hipporag2", "HippoRAG2"),
    "lightrag": ("retrieval.baselines.lightrag", "LightRAG"),
    "pikerag": ("retrieval.baselines.pikerag", "PikeRAG"),
    "similar_questions": ("retrieval.learned", "SimilarQuestions"),
    "gold_prior": ("retrieval.learned", "GoldPrior"),
    "legalsearchlm": ("retrieval.generative.legalsearchlm", "LegalSearchLM"),
}

BUILT_IN = tuple(_CLASSES)
"""The built-in methods."""
reserve(BUILT_IN)


class _Methods(Sequence[str]):
    """The names of all methods at present: built-in ones, then user-supplied ones."""

    def __getitem__(self, at: Any) -> Any:
        return (*_CLASSES, *own_names())[at]

    def __len__(self) -> int:
        return len(_CLASSES) + len(own_names())

    def __contains__(self, name: object) -> bool:
        return name in _CLASSES or name in own_names()

    def __iter__(self) -> Iterator[str]:
        return iter((*_CLASSES, *own_names()))


METHODS: Sequence[str] = _Methods()
"""Every method by name, user-supplied ones (`retrieval.core.own`) at the end."""


def known_names() -> tuple[str, ...]:
    """Return the valid names of specs: presets, and methods at their defaults."""
    return tuple(dict.fromkeys((*PRESETS, *METHODS)))


SIMPLE = frozenset({"bm25", "rank_bm25", "bm25_milvus", "tfidf", "lsa", "dense", "endpoint"})
"""The simple baselines: one lexical or dense method alone.

A simple baseline scores each unit by its own text, once, with terms or with vectors. It has no
other method within, and uses no citation or family of statutes, no fusion, feedback, reranking,
rewriting or language model that writes. A more complex method has to be worth it against the
strongest of these that was run, not only against the weakest.
"""


def is_simple(spec: Spec) -> bool:
    """Return whether `spec`, complete or not, is a simple baseline, one of SIMPLE."""
    return spec.get("method") in SIMPLE


LEARNING = frozenset({"similar_questions", "gold_prior"})
"""The built-in methods that learn from the gold of other questions."""


def method_class(name: str) -> type[Method]:
    """Return the class of the method called `name`; UserError if it is unknown or unusable."""
    if name not in _CLASSES:
        own = own_method(name)
        if own is not None and own.problem is not None:
            raise UserError(own.problem.code, own.problem.where, **own.problem.params)
        if own is not None and own.kind is not None:
            return own.kind
        raise unknown_method(name)
    module, attribute = _CLASSES[name]
    found: type[Method] = getattr(import_module(module), attribute)
    return found


def unknown_method(name: str, where: Where | None = None) -> UserError:
    """Return the error for an unknown method or preset name."""
    names = known_names()
    known, meant = ", ".join(names), did_you_mean(name, names)
    return UserError("unknown_method", where, name=name, known=known, meant=meant)


def unknown_parameter(
    method: str, name: str, known: Iterable[str], where: Where | None = None
) -> UserError:
    """Return the error for an unknown parameter; the method has those `known`."""
    listed = tuple(dict.fromkeys(known))
    return UserError(
        "method_parameter_unknown",
        where,
        method=method,
        name=name,
        known=", ".join(listed) or "–",
        meant=did_you_mean(name, listed),
    )


def spelled_out(spec: Spec | str) -> Spec:
    """Resolve a name to its spec: a preset, else a method at its defaults.

    A spec whose method is the name of a preset only starts from that preset, and its other fields
    override the preset's. Any other is returned unchanged.
    """
    if isinstance(spec, str):
        return PRESETS.get(spec, {"method": spec})
    name = spec.get("method")
    if isinstance(name, str) and name not in _CLASSES and name in PRESETS:
        return {**PRESETS[name], **{key: spec[key] for key in spec if key != "method"}}
    return spec


def parameters(name: str) -> tuple[Parameter, ...]:
    """Return the parameters of a method. Raises UserError for an unknown one."""
    return method_class(name).parameters()


def with_effect(spec: Spec) -> tuple[Parameter, ...]:
    """Return the parameters that can change the rankings of a complete spec."""
    known = {each.name: each for each in parameters(spec["method"])}

    def has_effect(each: Parameter) -> bool:
        """Return True if a parameter affects rankings, given those it depends on."""
        if each.when is None:
            return each.orders
        name, values = each.when
        return each.orders and spec[name] in values and has_effect(known[name])

    return tuple(each for each in known.values() if has_effect(each))


def complete(spec: Spec | str) -> dict[str, Any]:
    """Return `spec` with every parameter, those not given at their defaults.

    It may be the name of a preset or a method, and so may any method within it. A missing required
    parameter comes from the preset of the method's own name, where there is one.
    Raises UserError for an unknown method or parameter, an invalid value, a missing
    required parameter, and methods nested more than DEEPEST deep or more than MOST_PARTS.
    """
    return _complete(spec, 0, count())


def _complete(spec_or_name: Spec | str, depth: int, parts: Iterator[int]) -> dict[str, Any]:
    """Fill in defaults, in nested methods too. Raises UserError for invalid specs."""
    if next(parts) > MOST_PARTS:
        raise UserError("method_parts", limit=MOST_PARTS)
    spec = spelled_out(spec_or_name)
    name = spec.get("method")
    if not isinstance(name, str):
        raise UserError("method_unnamed", known=", ".join(known_names()))
    if depth > DEEPEST:
        raise UserError("method_depth", limit=DEEPEST)
    known = {parameter.name: parameter for parameter in parameters(name)}
    for given in spec:
        if given != "method" and given not in known:
            raise unknown_parameter(name, str(given), known)
    preset = PRESETS.get(name, {})
    if preset.get("method") == name:  # required parameters come from the preset of that name
        needed = (each for each in known if known[each].default is None and each in preset)
        spec = {each: preset[each] for each in needed} | dict(spec)
    return {"method": name} | {
        each.name: _complete_value(name, each, spec, depth, parts) for each in known.values()
    }


def make(spec: Spec, resources: Resources | None = None) -> Method:
    """Construct the method of `spec`, with its parts, not yet fitted.

    Raises UserError as `complete` does, and if the method itself rejects its parameters.
    """
    return _construct(complete(spec), resources or Resources())


def part_specs(spec: Spec) -> list[dict[str, Any]]:
    """Return the specs of a complete spec's direct parts, in order."""
    found: list[dict[str, Any]] = []
    for parameter in parameters(spec["method"]):
        if parameter.kind == "method":
            found.append(spec[parameter.name])
        elif parameter.kind == "methods":
            found.extend(spec[parameter.name])
    return found


def learns_from_gold(spec: Spec) -> bool:
    """Return whether the method of `spec`, complete or not, or one of its parts learns from gold.

    An unknown method does not. Built-in methods are recognised by name, without an import.
    """
    return any(_learns(each.get("method")) for each in specs_within(spec))


def _learns(name: object) -> bool:
    """Return True if a method learns from gold."""
    if name in LEARNING or name in _CLASSES or not isinstance(name, str):
        return name in LEARNING
    own = own_method(name)
    return own is not None and own.kind is not None and own.kind.LEARNS


def _construct(spec: Mapping[str, Any], resources: Resources) -> Method:
    """Construct a method with its parts."""
    parts = [_construct(each, resources) for each in part_specs(spec)]
    return method_class(spec["method"])(spec, parts, resources)


def _complete_value(
    method: str, parameter: Parameter, spec: Spec, depth: int, parts: Iterator[int]
) -> Any:
    """Check a parameter's value; complete it if it is a method."""
    value = spec.get(parameter.name, parameter.default)
    if value is None:
        raise UserError("method_parameter_missing", method=method, name=parameter.name)
    read = parameter.check(method, value)
    if parameter.kind == "method":
        return _complete(read, depth + 1, parts)
    if parameter.kind == "methods":
        return [_complete(each, depth + 1, parts) for each in read]
    return read
