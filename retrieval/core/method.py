"""The base class of retrieval methods: fitted to a corpus, searched, saved in a folder.

A saved index records its files, so that damage is noticed before it affects rankings. A file's
size is checked whenever an index is opened, its checksum (CRC-32) where it is at most
`ALWAYS_READ` bytes or was modified after the index was complete: a larger, unmodified one stays
unread until it is searched, so that opening takes no time whatever its size.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import get_ident
from typing import Any, BinaryIO, ClassVar, Protocol, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpus.graph.model import Graph
from corpus.long_work import Progress, check_stop
from errors import UserError
from normalization.grouping import grouped
from normalization.hashing import text_hash
from retrieval.core.model import Corpus, Hit, JudgedQuestion, Parameter, Query, Run, Spec

ALWAYS_READ = 16 * 2**20
_BLOCK = 2**22


def described(folder: Path) -> dict[str, dict[str, int]]:
    """Return size and CRC-32 of each file in `folder`, by relative path, for `require_sound`.

    The files are synced to disk first: after a power cut their sizes may be right and their
    contents not.
    """
    found: dict[str, dict[str, int]] = {}
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        total = _checksum(file, to_disk=True)
        name = str(file.relative_to(folder))
        found[name] = {"bytes": file.stat().st_size, "crc32": total}
    return found


def require_sound(manifest: Path, files: Mapping[str, Any]) -> None:
    """Raise ValueError for a changed file, OSError for a missing one, by what `described` recorded.

    `manifest` lies in the folder of the files and was written after them. Raises ValueError for a
    changed file, OSError for a missing one, KeyError or TypeError for an invalid record.
    """
    folder, complete = manifest.parent, manifest.stat().st_mtime_ns
    for name, known in files.items():
        file = folder / name
        about = file.stat()
        if about.st_size != known["bytes"]:
            raise ValueError(f"{name} has another size")
        trusted = about.st_mtime_ns <= complete and about.st_size > ALWAYS_READ
        if not trusted and _checksum(file) != known["crc32"]:
            raise ValueError(f"{name} has been changed")


def _checksum(file: Path, to_disk: bool = False) -> int:
    """Return the CRC-32 of a file, optionally flushing it to disk."""
    total = 0
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            total = crc32(block, total)
        if to_disk:
            os.fsync(opened.fileno())
    return total


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """Yield a file to write, which takes the place of `file` once it is complete and on disk.

    Nobody reads a partial one; a block that fails leaves things as they were.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}-{get_ident()}.part")
    try:
        with part.open("wb") as opened:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


EVERY = 1_000  # texts: less than half a second of cutting

T = TypeVar("T")


def with_progress(texts: Iterable[T], total: int, progress: Progress | None) -> Iterator[T]:
    """Yield `texts`, reporting progress and stopping if cancelled.

    `progress`, if given, is called with (texts done, `total`) after every EVERY and at the end.
    """
    done = 0
    for done, text in enumerate(texts, 1):
        check_stop()
        yield text
        if progress and done % EVERY == 0 and done < total:
            progress(done, total)
    if progress and done:
        progress(done, total)


MANIFEST = "method.json"
QUERY_CHARACTERS = 20_000
"""Longer queries are truncated: no person's question is longer, and time grows with it."""


class DamagedIndexError(Exception):
    """A saved index is missing, incomplete or from another version. Build it again."""


@dataclass(frozen=True, slots=True)
class ModelPrompt:
    """A prompt for a language model: name, language, and `values` for its placeholders."""

    prompt: str
    language: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """The cost of one model call. Equal questions share one `key` and are one call.

    Tokens are None where the server does not report them.
    """

    key: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's reply; `problem` says why there is no text: refused, invalid or failed.

    Where the prompt asks for a form, `text` is JSON of that form. `reason` specifies a problem
    in a word (``unfinished``), `passing` that a retry may succeed. `calls` are all calls that the
    reply took, made now or cached.
    """

    text: str = ""
    problem: str = ""
    reason: str = ""
    passing: bool = False
    calls: tuple[ModelCall, ...] = field(default=(), compare=False)


class Asker(Protocol):
    """A function that asks a language model and caches its replies."""

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return the model's reply to each prompt.

        Raises UserError if no model is set or it accepts no calls.
        """
        ...

    def identity(self, prompts: Sequence[str]) -> str:
        """Return an identifier of the model, its settings and the wordings of these prompts.

        Raises UserError where there is no model.
        """
        ...


class Embedder(Protocol):
    """A function that embeds texts with a model on a server."""

    @property
    def model(self) -> str:
        """The model's name on the server."""
        ...

    @property
    def identity(self) -> str:
        """An identifier of the server, the model and its settings, on which vectors depend."""
        ...

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text. Raises UserError if the server returns none."""
        ...


@dataclass(frozen=True, slots=True)
class Resources:
    """What methods may use beyond their corpus; each is None or absent where it is not there.

    `graph` returns the citation graph, `folder` is where caches are kept (embeddings by model and
    text, tokens by tokeniser and text), `ask` asks a language model, `embed` a server's embedding
    model (by name; "" is the one that the settings name). `settings` are further facts by name:
    ``graph`` says by what version of the reading of citations the graph was made, ``parallel``
    which parallel groups are in it ("" for none), ``gold`` what is gold, by a hash. `gold` returns
    the questions of a project with their gold, for methods that learn from them; it is there where
    questions are answered, and nowhere else. `progress` is told how far slow fitting has come:
    (texts done, texts to do).
    """

    graph: Callable[[], Graph] | None = None
    folder: Path | None = None
    ask: Asker | None = None
    embed: Callable[[str], Embedder] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    gold: Callable[[], Sequence[JudgedQuestion]] | None = None
    progress: Progress | None = None


class Method(ABC):
    """A retrieval method with its parameters.

    `spec` is complete: every parameter stands in it with its value. `parts` are the methods that
    it builds on. A subclass names itself in `NAME`, lists its `PARAMETERS`, and raises `VERSION`
    whenever the same spec would rank differently or be kept differently. `KEEPS` says whether
    fitting is worth keeping on disk; `LEARNS`, of a method of one's own, that it learns from what
    is gold for other questions; `POOL` the parameter that is how many units of what it builds on it
    puts into an order of its own: below these it goes on in the order that they have there.
    """

    NAME: ClassVar[str]
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = ()
    VERSION: ClassVar[int] = 1

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return its parameters, with the defaults that hold in this environment."""
        return cls.PARAMETERS

    KEEPS: ClassVar[bool] = False
    LEARNS: ClassVar[bool] = False
    POOL: ClassVar[str] = ""

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        """Take a complete `spec` and the methods made of its parts; `retrieval.core.registry.make`
        does.

        Raises UserError for parameters that do not go together, and for a resource that is needed
        and not there.
        """
        self.spec = spec
        self.parts = tuple(parts)
        self.resources = resources or Resources()
        self._corpus: Corpus | None = None
        self._narrower: dict[str, Method] = {}
        self._counts: Counter[str] = Counter()
        self._set_up()

    def _set_up(self) -> None:  # noqa: B027  (there may be nothing to check)
        """Check the spec, the parts and the resources, and take from them what searches need.

        Raises UserError as `__init__` does.
        """

    @property
    def corpus(self) -> Corpus:
        """The corpus it was fitted to. Raises RuntimeError before that."""
        if self._corpus is None:
            raise RuntimeError(f"{self.NAME} has not been fitted")
        return self._corpus

    @classmethod
    def part_corpus(cls, spec: Spec, corpus: Corpus) -> Corpus:
        """Return the corpus that the parts of a method of `spec` search; by default the whole."""
        return corpus

    def fit(self, corpus: Corpus) -> None:
        """Get ready to search `corpus`; parts that are ready for it stay as they are."""
        self._ensure_parts_fitted(corpus)
        self._corpus, self._narrower = corpus, {}
        self._fit(corpus)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the best `k` units of each query in its jurisdiction's law, in the queries' order.

        A query without any searchable text finds nothing; one longer than QUERY_CHARACTERS is cut.
        Each is searched in the law of its own jurisdiction only, by the method that `within`
        returns. Raises ValueError when two queries have one id.
        """
        if len({query.id for query in queries}) != len(queries):
            raise ValueError("every query needs an id of its own")
        found: dict[str, Sequence[Hit]] = {}
        for jurisdiction, some in grouped((each.jurisdiction, each) for each in queries).items():
            found |= self.within(jurisdiction)._search_whole(some, k)
        return Run({query.id: found.get(query.id, ()) for query in queries}, depth=k)

    def _search_whole(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Search the whole corpus, which has the law of the queries' jurisdiction alone."""
        cut = [replace(query, text=query.text[:QUERY_CHARACTERS]) for query in queries]
        asked = [query for query in cut if query.text.strip()]
        return self._search(asked, k) if asked and k > 0 and len(self.corpus) else {}

    def within(self, jurisdiction: str) -> Method:
        """Return the method fitted to the corpus of a jurisdiction.

        It is this one where that is the whole corpus (see `Corpus.within`), else one of the same
        spec whose statistics, vectors and links are of that part alone; so nothing of other law can
        be found, nor say what ranks. It is fitted when it is first asked for, unless
        `take_narrower` has brought it.
        """
        corpus = self.corpus.within(jurisdiction)
        if corpus is self.corpus:
            return self
        if corpus.fingerprint not in self._narrower:
            self.take_narrower(self._fitted_to(corpus.without_documents()))
        return self._narrower[corpus.fingerprint]

    def take_narrower(self, method: Method) -> None:
        """Take the same method fitted to a part of the corpus, so that `within` need not fit it."""
        self._narrower[method.corpus.fingerprint] = method

    def _fitted_to(self, corpus: Corpus) -> Method:
        """Return a new method of the same spec, fitted on a corpus."""
        inside = self.part_corpus(self.spec, corpus)
        parts = [part._fitted_to(inside) for part in self.parts]
        made = type(self)(self.spec, parts, self.resources)
        made.fit(corpus)
        return made

    @property
    def content(self) -> str:
        """A hash of all that its rankings depend on: spec, versions, corpus."""
        return self.content_for(self.corpus)

    def content_for(self, corpus: Corpus) -> str:
        """Return the hash that `content` will be once the method is fitted to `corpus`."""
        said = [self._identity_facts(), corpus.fingerprint]
        return text_hash(json.dumps(said, sort_keys=True, ensure_ascii=False))

    def save(self, folder: Path) -> None:
        """Write what fitting made into a new or empty `folder`; the manifest comes last.

        Raises FileExistsError when the folder holds anything: another process may have it mapped.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FileExistsError(folder)
        self._save(folder)
        manifest = {
            "content": self.content,
            "corpus": self.corpus.fingerprint,
            "spec": self.spec,
            "files": described(folder),
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False)
        (folder / MANIFEST).write_text(text, encoding="utf-8")

    def load(self, folder: Path, corpus: Corpus) -> None:
        """Take from `folder` what `save` wrote; large arrays stay on disk, memory-mapped.

        Raises UserError where it was built on another corpus, DamagedIndexError when it is
        missing, damaged (see `require_sound`), or of another spec or version.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            if manifest["corpus"] != corpus.fingerprint:
                raise UserError("index_other_corpus", method=self.NAME)
            if manifest["content"] != self.content_for(corpus):
                raise DamagedIndexError(f"{folder}: made of another spec or version")
            require_sound(folder / MANIFEST, manifest["files"])
            self._ensure_parts_fitted(corpus)
            self._load(folder, corpus)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DamagedIndexError(f"{folder}: {error}") from error
        self._corpus, self._narrower = corpus, {}

    @abstractmethod
    def _fit(self, corpus: Corpus) -> None:
        """Get ready; the parts already are."""

    @abstractmethod
    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank for queries that have text; a query left out found nothing."""

    def _save(self, folder: Path) -> None:  # noqa: B027  (there may be nothing to keep)
        """Write the state that `_load` reads."""

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read the state that `_save` wrote; the parts are ready."""
        self._fit(corpus)

    def _ensure_parts_fitted(self, corpus: Corpus) -> None:
        """Fit the parts that are not fitted on their corpus."""
        within = self.part_corpus(self.spec, corpus)
        for part in self.parts:
            part._require(within)

    def _require(self, corpus: Corpus) -> None:
        """Fit on a corpus, unless fitted on it already."""
        if self._corpus is None or self._corpus.fingerprint != corpus.fingerprint:
            self.fit(corpus)

    @property
    def versions(self) -> str:
        """The versions of the method and of its parts, e.g. ``2(1,1)``."""
        parts = ",".join(part.versions for part in self.parts)
        return f"{self.VERSION}({parts})" if parts else str(self.VERSION)

    @property
    def calls_models(self) -> bool:
        """Whether searching asks a model server, which may cost money; so do its parts."""
        return any(part.calls_models for part in self.parts)

    @property
    def trained_on(self) -> list[Mapping[str, Any]]:
        """The gold that models of it and of its parts were trained on; mostly none."""
        return [gold for part in self.parts for gold in part.trained_on]

    def _with_parts(self) -> Iterator[Method]:
        """Yield the method, then its parts, nested ones too."""
        yield self
        for part in self.parts:
            yield from part._with_parts()

    @property
    def notes(self) -> dict[str, int]:
        """Counts of what happened in its searches so far, and in those of its parts, for the run.

        Those of the methods that `within` returned are in them.

        Each is named ``<method>.<what>``, e.g. ``expand.refused``.
        """
        counted = Counter({f"{self.NAME}.{what}": n for what, n in self._counts.items()})
        for part in (*self.parts, *self._narrower.values()):
            counted.update(part.notes)
        return dict(sorted(counted.items()))

    @property
    def made(self) -> Mapping[str, int]:
        """Counts of what fitting read and made, which an index keeps; most methods have none."""
        return {}

    @property
    def fit_notes(self) -> dict[str, int]:
        """Counts of what fitting it and its parts read and made, for every run; named as `notes`.

        Equal parts count once.
        """
        found = {f"{self.NAME}.{what}": n for what, n in self.made.items()}
        for part in self.parts:
            found |= part.fit_notes
        return dict(sorted(found.items()))

    def _identity_facts(self) -> list[Any]:
        """Return the spec and versions, on which the content depends."""
        return [self.spec, self.versions]


class Scoring(Method):
    """A method that can score any unit, also one outside its ranking."""

    @abstractmethod
    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of each unit on the scale of `search`; 0 where nothing matches.

        The scores of hits below a pool follow from their rank alone. Raises
        KeyError for a unit that the corpus lacks.
        """


_SCORES_AT_ONCE = 64  # scores per block, of which the highest is taken


def best_positions(scores: NDArray[np.float64], k: int) -> NDArray[np.intp]:
    """Return the positions of the `k` highest positive scores; ties by ascending position."""
    found = np.flatnonzero((scores > 0) & (scores >= _top_k_bound(scores, k)))
    if found.size > k > 0:
        values = scores[found]
        least = np.partition(values, found.size - k)[found.size - k]
        found = found[values >= least]  # keeps all ties at the cut-off
    order = np.argsort(-scores[found], kind="stable")
    return found[order][: max(k, 0)]


def _top_k_bound(scores: NDArray[np.float64], k: int) -> float:
    """Return a lower bound of the `k` highest scores, so that few scores have to be compared.

    Each block's maximum is one of its scores, so the k-th highest maximum is such a bound.
    """
    blocks = scores.size // _SCORES_AT_ONCE
    if blocks < k or k < 1:
        return 0.0
    highest = scores[: blocks * _SCORES_AT_ONCE].reshape(blocks, _SCORES_AT_ONCE).max(axis=1)
    return float(np.partition(highest, blocks - k)[blocks - k])


class ScoresAll(Scoring):
    """A method that scores all documents at once, cheaper than one by one."""

    @abstractmethod
    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return the score of every document, in corpus order."""

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of units as `all_scores` has them; 0 where nothing matches."""
        places = [self.corpus.positions[unit] for unit in unit_ids]
        found: NDArray[np.float64] = self.all_scores(query)[places]
        return found

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank the documents with a score above 0."""
        return {query.id: self._best(self.all_scores(query), k) for query in queries}

    def _best(self, scores: NDArray[np.float64], k: int) -> list[Hit]:
        """Return the `k` best hits by the score of every document."""
        return best_hits(self.corpus.ids, scores, k)


def best_hits(ids: Sequence[str], scores: NDArray[np.float64], k: int) -> list[Hit]:
    """Return the `k` best of units with their scores, best first, as `best_positions` does."""
    best = best_positions(scores, k)
    return [Hit(ids[at], score) for at, score in zip(best, scores[best].tolist(), strict=True)]


class Dense(Scoring):
    """A method that ranks by the inner product of vectors, mostly of length one."""

    @property
    def unit_length(self) -> bool:
        """Whether vectors have length one, so that products are cosines."""
        return True

    @property
    @abstractmethod
    def vectors(self) -> NDArray[np.float32]:
        """One row per document of the corpus, in its order."""

    @abstractmethod
    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Return one row per query."""

    @abstractmethod
    def nearest(
        self, queries: Sequence[Query], vectors: NDArray[np.float32], k: int
    ) -> Mapping[str, Sequence[Hit]]:
        """Rank documents by their product with `vectors`, one row per query."""
