"""The law as a notebook has it: statutes read from files, their citations, methods that search."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from corpus.citations.catalogue import Catalogue
from corpus.citations.labels import unit_of_label
from corpus.files.given_paths import named_as_given
from corpus.graph.build import build_graph, graph_of
from corpus.graph.model import READING, Graph
from corpus.importers.beir import QUERIES, read_beir_questions, read_questions
from corpus.importers.registry import AUTO, read_statutes
from corpus.long_work import Progress, in_bulk
from corpus.model import (
    RETRIEVED_LEVELS,
    Level,
    Question,
    Statute,
    Unit,
    in_jurisdiction,
    jurisdiction_of,
    words_of_place,
)
from errors import UserError, Where
from library.files import Gold, whole
from library.models import Model, NotebookAsker
from retrieval.core.method import Method, Resources
from retrieval.core.model import MAX_DEPTH, Corpus, Document, Query, Run, Spec
from retrieval.core.presets import PRESETS, describe
from retrieval.core.registry import METHODS, complete, make, unknown_method
from retrieval.core.spec_file import parse_spec

Questions = Mapping[str, str] | Iterable[Question] | Iterable[Query]


@dataclass(frozen=True, slots=True)
class Found:
    """A unit that `Law.search` found: its place in the ranking (from 1), id, score and words.

    `title` is the statute, the place and its heading on one line. Scores compare within one
    question of one method only.
    """

    rank: int
    unit_id: str
    score: float
    title: str
    text: str


class Law:
    """Statutes in memory, with what is searched of them and the graph of their citations.

    `statutes` are what was read, `notes` what the reader had to say of the source, `levels` the
    levels of units that are searched. Nothing is written anywhere, but for what methods may keep
    under `cache` (embeddings, words cut), where one is given. `model` is asked by methods that
    ask a language model (expansion, decomposition, the anchor of ``refwalk``): a function that
    takes the messages of a chat, each with ``role`` and ``content``, and returns the reply.
    """

    def __init__(
        self,
        statutes: Sequence[Statute],
        levels: Collection[Level | str] = RETRIEVED_LEVELS,
        cache: str | Path | None = None,
        notes: Sequence[str] = (),
        model: Model | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Take statutes; a level is ``article``, ``section``, ``annex``, ``form``, ``addendum``.

        `progress(done, total)` hears of slow work: building the graph, fitting a method.

        Raises UserError for a level that is none of these.
        """
        self.statutes = tuple(statutes)
        self.notes = tuple(notes)
        wanted = [levels] if isinstance(levels, str) else levels
        self.levels = tuple(each for each in Level if each in set(map(_level, wanted)))
        self._cache = Path(cache) if cache is not None else None
        self._asker = None if model is None else NotebookAsker(model)
        self._fitted: dict[str, Method] = {}
        self._progress = progress

    def __repr__(self) -> str:
        return f"<Law: {len(self.statutes)} statutes, {len(self.corpus)} units searched>"

    def __getitem__(self, unit_id: str) -> Unit:
        """Return a unit by its semantic id. Raises KeyError for one that is not there."""
        return self.units[unit_id]

    @cached_property
    def units(self) -> dict[str, Unit]:
        """Every unit by its semantic id, searched or not, in the order of the source."""
        return {unit.semantic_id: unit for each in self.statutes for unit in each.units}

    @cached_property
    def graph(self) -> Graph:
        """The citation graph; built when it is first asked for."""
        with in_bulk():
            return graph_of(self.statutes, build_graph(self.statutes, self._progress))

    @cached_property
    def corpus(self) -> Corpus:
        """What methods search: the units of `levels` that are not deleted."""
        return Corpus.of(
            _document(statute, unit)
            for statute in self.statutes
            for unit in statute.units
            if unit.level in self.levels and not unit.deleted
        )

    @property
    def resources(self) -> Resources:
        """What methods may use beyond the texts: graph, model, a folder for what they keep."""
        return Resources(
            graph=lambda: self.graph,
            folder=self._cache,
            ask=self._asker,
            settings={"graph": READING},
            progress=self._progress,
        )

    def search(
        self, method: str | Spec | Path, question: str, k: int = 10, jurisdiction: str = ""
    ) -> list[Found]:
        """Return the best `k` units for one question, best first.

        `method` is the name of a preset or method (``"recommended"``, ``"bm25"``), a spec
        (``{"method": "bm25", "k1": 1.2}``) or the path of a YAML file with one. What is fitted
        once is kept for the next question. With a `jurisdiction` no law of another is searched.
        Raises UserError for a method or a depth that cannot be.
        """
        hits = self.run(method, [Query("", _text(question), jurisdiction_of(jurisdiction))], k)[""]
        return [self._hit(rank, hit.unit_id, hit.score) for rank, hit in enumerate(hits, 1)]

    def run(
        self, method: str | Spec | Path, questions: Questions, k: int = 100, name: str = ""
    ) -> Run:
        """Return the best `k` units (1 to 1,000) of each question, as `evaluate` takes them.

        `questions` are texts by id, or what `load_questions` returns; a question that says whose
        law it asks about is answered from that law. `name` is what tables and plots call the run,
        else what the method is called. Raises UserError as `search` does.
        """
        depth = whole(k, "k", 10)
        if not 1 <= depth <= MAX_DEPTH:
            raise UserError("retrieve_depth", k=depth, limit=MAX_DEPTH)
        spec, asked = spec_of(method), list(_queries(questions))
        seen: set[str] = set()
        for each in asked:
            if each.id in seen:
                raise UserError("library_repeated", id=each.id)
            seen.add(each.id)
        run = self.fitted(spec).search(asked, depth)
        return Run(run, name or (method if isinstance(method, str) else describe(spec)), depth)

    def fitted(self, method: str | Spec | Path) -> Method:
        """Return the method fitted to this law, as it was fitted before if it was.

        Raises UserError for a method that cannot be.
        """
        spec = spec_of(method)
        ready = make(spec, self.resources)
        content = ready.content_for(self.corpus)
        if content not in self._fitted:
            with in_bulk():
                ready.fit(self.corpus)
            self._fitted[content] = ready
        return self._fitted[content]

    def gold(self, questions: Iterable[Question]) -> Gold:
        """Return the units that the source of `questions` says answer them, with its grades.

        A label is cut down to its unit (``…_article-12`` for item 3 of that article). One that
        names nothing in this law stays as it is written: nothing can find it, so it counts as
        missed; `not_searched` lists it, `evaluate` counts it and can leave it out. A question
        without labels has no gold and is not scored.
        """
        gold = Gold({}, self)
        for each in _questions(questions):
            units, grades = gold.setdefault(each.external_id, {}), dict(each.grades)
            for label in each.gold_ids:
                unit = self._unit_of(label) or label
                units[unit] = max(units.get(unit, 1), grades.get(label, 1))
        return gold

    def not_searched(self, qrels: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return each gold unit that no method can find, with why: its level, deleted, absent."""
        if not isinstance(qrels, Mapping):
            raise UserError("library_qrels", type=type(qrels).__name__)
        wanted = {unit for units in qrels.values() for unit in units}
        outside = sorted(wanted - self.corpus.positions.keys())
        return {unit: self._left_out(unit) for unit in outside}

    def unsearchable(self, qrels: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return each gold unit of `not_searched`, and each that has no text, with why.

        A unit without text (``no_text``: an annex that is only named) is found by its heading
        alone.
        """
        outside = self.not_searched(qrels)
        wanted = {unit for units in qrels.values() for unit in units}.difference(outside)
        headed = {unit for unit in wanted if not self.units[unit].text.strip()}
        return dict(sorted((outside | dict.fromkeys(headed, "no_text")).items()))

    def _left_out(self, unit_id: str) -> str:
        """Return why a unit is not searched."""
        unit = self.units.get(unit_id)
        if unit is None:
            return "absent"
        return str(unit.level) if unit.level not in self.levels else "deleted"

    def _unit_of(self, label: str) -> str | None:
        """Return the unit of a label, None if there is none."""
        return label if label in self.units else unit_of_label(label, self._catalogue)

    @cached_property
    def _catalogue(self) -> Catalogue:
        """Catalogue of the statutes."""
        return Catalogue.from_statutes(self.statutes)

    def _hit(self, rank: int, unit_id: str, score: float) -> Found:
        """Return a hit with its title and text."""
        document = self.corpus.documents[self.corpus.positions[unit_id]]
        return Found(rank, unit_id, score, document.title, document.body)


def load_law(
    path: str | Path,
    format: str = AUTO,  # noqa: A002  (the word that the command line uses)
    jurisdiction: str = "",
    levels: Collection[Level | str] = RETRIEVED_LEVELS,
    cache: str | Path | None = None,
    progress: Progress | None = None,
    model: Model | None = None,
) -> Law:
    """Read a file or folder of statutes, in any format that Touchstone imports.

    `format` is found by looking unless it is named. `jurisdiction` says whose law it is where the
    source does not. `levels` are the levels of units to search. `cache` is a folder in which
    methods may keep embeddings. `progress(done, total)` hears how far reading has come, and
    later the graph and the fitting of methods. `model` is a function that methods ask, as `Law`
    takes it. Raises UserError, with file and line, for
    whatever in the source must be mended.
    """
    with in_bulk(), named_as_given(Path(path)):
        _, reading = read_statutes(Path(path), format, None, progress)
        statutes = in_jurisdiction(reading.statutes, jurisdiction_of(jurisdiction))
    return Law(statutes, levels, cache, [note.render() for note in reading.notes], model, progress)


def load_questions(path: str | Path) -> list[Question]:
    """Read questions from a JSONL file (``question_id``, ``question``, …) or a BEIR folder.

    Raises UserError, with file, line and field, for the first thing that is wrong.
    """
    folder = Path(path)
    with named_as_given(folder):
        beir = (folder / QUERIES).is_file()
        return read_beir_questions(folder) if beir else read_questions(folder)


def sample() -> Path:
    """Return the folder of the sample: ``statutes/ko``, ``statutes/en``, ``questions.jsonl``.

    Gaon is an invented country; its law and its questions were written for this project.
    """
    return Path(__file__).resolve().parents[1] / "sample"


def spec_of(method: str | Spec | Path) -> dict[str, Any]:
    """Return the complete spec that a name, a spec or the path of a file stands for.

    Raises UserError for one that cannot be.
    """
    if isinstance(method, str) and method.endswith((".yaml", ".yml")):
        method = Path(method)
    if isinstance(method, Path):
        try:
            text = method.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError("spec_unreadable", Where(str(method))) from error
        return parse_spec(text, str(method))
    if isinstance(method, Mapping):
        return complete(method)
    if not isinstance(method, str):
        example = '{"method": "bm25", "k1": 1.2}'
        raise UserError("library_method", type=type(method).__name__, example=example)
    if method in PRESETS:
        return complete(PRESETS[method])
    if method not in METHODS:
        raise unknown_method(method)
    return complete({"method": method})


def _level(level: Level | str) -> Level:
    """Return the level of that name. Raises UserError for an unknown one."""
    try:
        return Level(level)
    except ValueError as error:
        known = ", ".join(Level)
        raise UserError("library_level", level=str(level), known=known) from error


def _questions(questions: Iterable[Question]) -> Iterator[Question]:
    """Yield loaded questions, which alone have gold. Raises UserError for others."""
    if not isinstance(questions, Iterable):
        raise UserError("library_questions", type=type(questions).__name__)
    for each in questions:
        if not isinstance(each, Question):
            raise UserError("library_questions", type=type(each).__name__)
        yield each


def _queries(questions: Questions) -> Iterator[Query]:
    """Yield questions, queries or texts by id as queries. Raises UserError for anything else."""
    if not isinstance(questions, Iterable):
        raise UserError("library_questions", type=type(questions).__name__)
    if isinstance(questions, Mapping):
        yield from (Query(str(name), _text(text)) for name, text in questions.items())
        return
    for each in questions:
        if isinstance(each, Question):
            yield Query(each.external_id, each.text, each.jurisdiction)
        elif isinstance(each, Query):
            yield each
        else:  # texts alone have no ids to judge them by
            raise UserError("library_questions", type=type(questions).__name__)


def _text(question: object) -> str:
    """Return the question. Raises UserError if it is not a text."""
    if not isinstance(question, str):
        raise UserError("library_questions", type=type(question).__name__)
    return question


def _document(statute: Statute, unit: Unit) -> Document:
    """Return a unit as a document for methods."""
    title, label = words_of_place(statute.kind, statute.title, unit.label)
    return Document(
        id=unit.semantic_id,
        statute_title=title,
        label=label,
        heading=unit.heading,
        body=unit.text,
        statute=statute.semantic_id,
        tier=int(statute.tier),
        path=unit.path,
        order=unit.order,
        jurisdiction=statute.jurisdiction,
    )
