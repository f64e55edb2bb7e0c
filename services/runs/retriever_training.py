"""Training of a dense retriever on the train part of a project's gold.

Questions of the train part of the newest split are the queries, their gold units the relevant
passages. Hard negatives are units that people rejected for the question, then units drawn from the
best of BM25 that nobody judged relevant; never gold, nor what contains gold or lies within it.

The folder is a sentence-transformers model, used as ``dense`` with `model` set to it. Beside the
weights ``training.json`` names the gold, the split and the base, and holds a hash of the text of
each question that the model has seen: runs of it are not scored on those questions
(`services.runs.scoring`), whichever project they are in.

Contrastive training of a sentence-transformers model on questions and their passages.

Each example is a question, a relevant passage and hard negatives. The loss is that of the library
(MultipleNegativesRankingLoss, Henderson et al. 2017; its cached form, Gao et al. 2021, for large
batches): every other passage of a batch is a negative too, so no batch holds two examples of which
one has a passage that is relevant to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotation.gold.derivation import GoldItem
from annotation.people.roles import Act, allow
from corpus.model import split_id
from errors import UserError
from llm.batch import End, Progress, Stop
from normalization.hashing import json_hash, text_hash
from retrieval.core.model import Corpus, Query, Spec
from retrieval.core.registry import complete
from retrieval.dense.model_files import model_display_name
from retrieval.dense.sentence_method import SentenceTransformers, load_model
from retrieval.text.passages import readable
from services.generative.training_loop import (
    BOUNDS,
    LoopOptions,
    TrainingLoop,
    check_options,
    require_free,
)
from services.gold.splits import SplitState, split_state
from services.runs.methods.preparation import query_of, ready, resources, searched_corpus, text_key
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_of
from storage.projects import find_project
from storage.runs.search_levels import levels_searched

_AT_ONCE = 32  # examples per forward pass; larger batches use the cached loss


@dataclass(frozen=True, slots=True)
class Example:
    """A question with a relevant passage and hard negatives, as unit ids.

    `excluded` are the units that must not be its negatives: its gold, and what contains that or
    lies within it.
    """

    question: str
    text: str
    positive: str
    negatives: tuple[str, ...]
    excluded: frozenset[str]

    @property
    def units(self) -> Set[str]:
        """Its passages: the relevant one and the negatives."""
        return {self.positive, *self.negatives}

    def conflicts(self, other: Example) -> bool:
        """Return True if one of the two has a passage that the other must not be trained away from.

        Two examples of one question always conflict.
        """
        return bool(self.excluded & other.units or other.excluded & self.units)


@dataclass(frozen=True, slots=True)
class EncoderOptions(LoopOptions):
    """Options of training, with the number of hard `negatives` per example."""

    negatives: int = 1

    def check(self) -> None:
        """Raise UserError for an invalid option."""
        check_options(self, {**BOUNDS, "negatives": (0, 20)})


def batches(examples: Sequence[Example], size: int, epoch: int, seed: int) -> list[list[Example]]:
    """Return the batches of an epoch, shuffled; no two examples of a batch conflict.

    Batches of a single example without negatives teach nothing and are left out.
    """
    order = np.random.default_rng([seed, epoch]).permutation(len(examples))
    waiting = [examples[at] for at in order]
    found: list[list[Example]] = []
    while waiting:
        batch: list[Example] = []
        later: list[Example] = []
        for each in waiting:
            fits = len(batch) < size and not any(each.conflicts(other) for other in batch)
            (batch if fits else later).append(each)
        found.append(batch)
        waiting = later
    return [batch for batch in found if len(batch) > 1 or batch[0].negatives]


class EncoderTraining(TrainingLoop[list[Example]]):
    """Training run of a sentence-transformers model on examples."""

    def __init__(
        self,
        model: Any,
        prompts: tuple[str, str],
        examples: Sequence[Example],
        passages: dict[str, str],
        options: EncoderOptions,
    ) -> None:
        """Take a model, its prompts (query, document), and the text of each passage by id."""
        from sentence_transformers.sentence_transformer import losses

        self.prompts, self.passages = prompts, passages
        epochs = (
            batches(examples, options.batch, at, options.seed) for at in range(options.epochs)
        )
        super().__init__(model, list(epochs), options)
        self.loss: Any = losses.MultipleNegativesRankingLoss(model)
        if options.batch > _AT_ONCE:
            self.loss = losses.CachedMultipleNegativesRankingLoss(model, mini_batch_size=_AT_ONCE)

    def loss_of(self, batch: Sequence[Example]) -> Any:
        """Return the contrastive loss of a batch."""
        import torch

        return self.loss(self._features(batch), torch.zeros(len(batch), device=self.device))

    def _features(self, batch: Sequence[Example]) -> list[dict[str, Any]]:
        """Return the batch as columns: questions, relevant passages, and one per negative."""
        query, document = self.prompts
        least = min(len(each.negatives) for each in batch)
        columns = [[query + each.text for each in batch]]
        rows = [(each.positive, *each.negatives[:least]) for each in batch]
        columns += [[document + self.passages[unit] for unit in c] for c in zip(*rows, strict=True)]
        return [
            {name: value.to(self.device) if hasattr(value, "to") else value for name, value in of}
            for of in (self.model.preprocess(column).items() for column in columns)
        ]


PART = "train"
_POOL = 30  # best units of BM25 that negatives are drawn from


@dataclass(frozen=True, slots=True)
class RetrieverTrained:
    """Result of training: examples and their negatives, and the mean loss of each epoch.

    `judged` counts the negatives that people rejected, `unjudged` the others. `not_searched` counts
    gold units without text in the corpus, which are not learnt. `end` says whether the training is
    complete, or stopped and resumable.
    """

    folder: Path
    questions: int
    examples: int
    judged: int
    unjudged: int
    not_searched: int
    steps: int
    losses: tuple[float, ...]
    split: int
    device: str
    end: End


@dataclass(frozen=True)
class TrainingMaterial:
    """What a model learns: examples, the text of each unit in them, and the gold they are of.

    `spec` is the dense method of the base model, `counts` those of `RetrieverTrained`.
    """

    spec: Spec
    options: EncoderOptions
    examples: Sequence[Example]
    passages: dict[str, str]
    gold: Mapping[str, Any]
    counts: Mapping[str, int]


def training_material(
    ws: Workspace,
    project_slug: str,
    base: str,
    options: EncoderOptions,
    by: int | None = None,
) -> TrainingMaterial:
    """Return the examples on which the model `base` is to be trained.

    Raises UserError for `by` (None: the operator) without permission, invalid options, where the
    gold has not been split, and where nothing can be learnt.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    options.check()
    spec = complete({"method": "dense", "model": base, "max_length": options.max_length})
    state = split_state(ws, project_slug, by=by)
    if state is None:
        raise UserError("retriever_split")
    return _material(ws, project_slug, state, spec, options)


async def train_retriever(
    material: TrainingMaterial, folder: Path, progress: Progress, stop: Stop
) -> RetrieverTrained:
    """Train the base model and write it to `folder`.

    Resumes an interrupted run of equal material. Raises UserError for a folder with a complete
    model, another run or other files, and for an unusable base.
    """
    require_free(folder)
    method, options = SentenceTransformers(material.spec), material.options
    loading = method.loading("document")
    seen = {text for gold in method.trained_on for text in gold["texts"]}
    gold = {**material.gold, "texts": sorted(seen.union(material.gold["texts"]))}
    rows = [(each.text, each.positive, each.negatives) for each in material.examples]
    identity = json_hash([asdict(options), loading.fingerprint, gold, rows])
    model = load_model(loading).float()
    prompts = _prompts(method, model)
    training = EncoderTraining(model, prompts, material.examples, material.passages, options)
    about = {
        "base": {"name": model_display_name(loading.folder), "files": loading.fingerprint},
        "gold": gold,
        **material.counts,
    }

    def save() -> None:
        """Save the model with its prompts."""
        model.prompts = dict(zip(("query", "document"), prompts, strict=True))
        model.save_pretrained(str(folder), create_model_card=False)

    end = training.go(folder, identity, about, save, progress, stop)
    return RetrieverTrained(
        folder,
        gold["questions"],
        **material.counts,
        steps=training.step,
        losses=training.losses,
        split=gold["split"],
        device=training.device,
        end=end,
    )


def _prompts(method: SentenceTransformers, model: Any) -> tuple[str, str]:
    """Return the prefixes of query and document: recommended, else the model's own."""
    query, document = method.prompt("query"), method.prompt("document")
    known = model.prompts
    own = known.get("document") or known.get("passage") or known.get("corpus") or ""
    return (
        (known.get("query") or "") if query is None else query,
        own if document is None else document,
    )


def _material(
    ws: Workspace, slug: str, state: SplitState, spec: Spec, options: EncoderOptions
) -> TrainingMaterial:
    """Return the examples of the train part. Raises UserError where there is none."""
    gold = state.gold
    with ws.reading() as session:
        project = find_project(session, slug)
        law = snapshot_of(session, project, gold.snapshot_id)
        levels = levels_searched(session, project.id)
    corpus = searched_corpus(ws, law.id, levels, law.content_hash)
    texts = {each.id: readable(each.compared(spec)) for each in corpus.documents}
    there = {unit for unit, text in texts.items() if text.strip()}
    items = [each for each in gold.items if state.parts.get(each.external_id) == PART]
    queries = {each.external_id: query_of(gold.questions[each.external_id]) for each in items}
    bm25 = ready(ws, {"method": "bm25"}, corpus, resources(ws, law.id, slug))
    found = bm25.search(list(queries.values()), _POOL)
    examples = [
        example
        for item in items
        for hits in ([hit.unit_id for hit in found[item.external_id]],)
        for example in _examples(item, queries[item.external_id], hits, there, corpus, options)
    ]
    if not batches(examples, options.batch, 0, options.seed):
        raise UserError("retriever_nothing", number=state.view.number)
    used = {unit for each in examples for unit in each.units}
    asked = {each.question: each.text for each in examples}
    rejected = {item.external_id: set(item.rejected) for item in items}
    judged = sum(unit in rejected[e.question] for e in examples for unit in e.negatives)
    return TrainingMaterial(
        spec,
        options,
        examples,
        {unit: texts[unit] for unit in sorted(used)},
        {
            "project": slug,
            "gold": gold.label,
            "hash": gold.hash,
            "snapshot": law.content_hash,
            "split": state.view.number,
            "part": PART,
            "questions": len(asked),
            "texts": sorted({text_key(text) for text in asked.values()}),
        },
        {
            "examples": len(examples),
            "judged": judged,
            "unjudged": sum(len(each.negatives) for each in examples) - judged,
            "not_searched": sum(unit not in there for item in items for unit in item.units),
        },
    )


def _examples(
    item: GoldItem,
    query: Query,
    hits: Sequence[str],
    there: set[str],
    corpus: Corpus,
    options: EncoderOptions,
) -> Iterator[Example]:
    """Yield an example per gold unit of a question that has a text in the corpus."""
    gold = set(item.units)
    ids = [each for each in corpus.within(query.jurisdiction).ids if each in there]
    excluded = frozenset(gold | {each for each in ids if any(_related(each, g) for g in gold)})
    rejected = [each for each in item.rejected if each in there and each not in excluded]
    pool = [each for each in hits if each in there and each not in {*excluded, *rejected}]
    draw = np.random.default_rng([options.seed, int(text_hash(item.external_id)[:8], 16)])
    for positive in sorted(gold & there) if query.text.strip() else ():
        drawn = [pool[at] for at in draw.permutation(len(pool))]
        if len(rejected) + len(drawn) < options.negatives:  # few units share a term
            others = [e for e in ids if e not in {*excluded, *rejected, *pool}]
            drawn += [others[at] for at in draw.permutation(len(others))]
        negatives = (*rejected, *drawn)[: options.negatives]
        text = readable(query.text)
        yield Example(item.external_id, text, positive, tuple(negatives), excluded)


def _related(one: str, other: str) -> bool:
    """Return True if one unit may lie within the other: their places begin alike.

    That is also so of articles 1 and 10: fewer negatives, and none that is gold.
    """
    (law, place), (other_law, other_place) = split_id(one), split_id(other)
    return law == other_law and (place.startswith(other_place) or other_place.startswith(place))
