"""Multi-hop questions: linked pairs of provisions, seeded samples of them, drafts and items.

Reader of multiple-choice questions in JSON Lines.

``query``, ``options``, ``answer`` (the number of the right option, from 1), ``a`` and ``b`` (the
semantic ids of the provisions) are required; ``id`` and ``explanation`` may be left out. Other
fields are kept unchanged. Rows in SearchFireSafety's published form are read too: ``question``,
``option_1`` to ``option_5``, ``answer_full`` (the right option), ``answer_partial`` (the last one),
``related_semantic_ids`` (A and B) and ``question_id``. Four options are a draft, whose order is
drawn anew; five are a finished item, whose last option is "cannot be determined". Blank lines are
skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.files.rows import check_file, is_storable, parse_object, printable, read_lines
from corpus.graph.model import Edge, EdgeType
from corpus.limits import MCQ_EXPLANATION, MCQ_OPTION, MCQ_QUERY, within
from corpus.model import Statute, Tier, Unit, words_of_place
from errors import UserError, Where
from evaluation.mcq.votes import Setting
from normalization.hashing import seeded_hash, text_hash

WRITTEN = 4  # options of a draft; an item's last one is "cannot be determined"
CANNOT_TELL = {
    "en": "It cannot be determined from the information given.",
    "ko": "주어진 정보만으로는 판단할 수 없다.",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A provision as shown for writing or answering a question."""

    unit_id: str
    statute_id: str
    tier: Tier
    language: str
    head: str
    text: str

    @property
    def shown(self) -> str:
        """The provision's text under its heading line."""
        return f"{self.head}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two provisions, the first of which leads to the second by edges of these types."""

    source: Passage
    target: Passage
    types: tuple[EdgeType, ...]

    @property
    def id(self) -> str:
        """The pair's id, unique in its snapshot."""
        return f"{self.source.unit_id} → {self.target.unit_id}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as written: options without numbers, `answer` counted from 1."""

    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str


@dataclass(frozen=True, slots=True)
class Mcq:
    """An item: five options, the last of which is "cannot be determined"; `answer` from 1."""

    id: str
    pair: Pair
    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str

    @property
    def right(self) -> str:
        """The text of the right option."""
        return self.options[self.answer - 1]

    @property
    def abstention(self) -> int:
        """The number of the "cannot be determined" option, counted from 1."""
        return len(self.options)


def passage(statute: Statute, unit: Unit) -> Passage:
    """Convert a unit of a statute to a passage."""
    return Passage(
        unit_id=unit.semantic_id,
        statute_id=statute.semantic_id,
        tier=statute.tier,
        language=statute.language,
        head=head_of(*words_of_place(statute.kind, statute.title, unit.label), unit.heading),
        text=unit.text,
    )


def head_of(title: str, label: str, heading: str) -> str:
    """Return a provision's heading line: ``소방법 제2조(정의)``, ``Fire Act Article 2 (Terms)``."""
    if not (title or label):
        return heading
    if not heading:
        return f"{title} {label}"
    space = " " if label.isascii() else ""  # Korean law is cited without one
    return f"{title} {label}{space}({heading})"


LEADING = frozenset({EdgeType.DELEGATES_TO, EdgeType.REFERENCES, EdgeType.APPLIES})
"""Edges whose source relies on its target."""


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Criteria for pairs. An empty set of tiers or statutes allows any.

    `tiers` are pairs of source's and target's; `statutes` are semantic ids of source statutes.
    Texts are between `shortest` and `longest` characters.
    """

    types: Collection[EdgeType] = field(default=frozenset({EdgeType.DELEGATES_TO}))
    tiers: Collection[tuple[Tier, Tier]] = ()
    statutes: Collection[str] = ()
    shortest: int = 40
    longest: int = 6_000


def linked_pairs(
    edges: Iterable[Edge], passages: Mapping[str, Passage], pair_filter: PairFilter
) -> list[Pair]:
    """Return the wanted pairs in order of their ids; edges of several types make one pair.

    `passages` are the provisions with a text, by unit id: an edge to anything else (a statute as a
    whole, a deleted provision) makes no pair, nor does a loop.
    """
    types: dict[tuple[str, str], set[EdgeType]] = {}
    for edge in edges:
        if edge.type in pair_filter.types and edge.source != edge.target:
            types.setdefault((edge.source, edge.target), set()).add(edge.type)
    found = []
    for (source, target), kinds in sorted(types.items()):
        if source in passages and target in passages:
            pair = Pair(passages[source], passages[target], tuple(sorted(kinds)))
            if _fits(pair, pair_filter):
                found.append(pair)
    return found


def sample_pairs(
    pairs: Iterable[Pair], number: int, seed: int, per_source: int | None = None
) -> list[Pair]:
    """Draw `number` of the pairs by the seed, or all if there are fewer.

    A larger sample of the same seed begins with the smaller one, and whether a pair is drawn before
    another does not depend on third ones. At most `per_source` pairs share their source.
    """
    order = sorted(pairs, key=lambda pair: (seeded_hash(seed, pair.id), pair.id))
    taken: dict[str, int] = {}
    sample = []
    for pair in order:
        source = pair.source.unit_id
        if per_source is None or taken.get(source, 0) < per_source:
            taken[source] = taken.get(source, 0) + 1
            sample.append(pair)
    return sample[: max(0, number)]


def _fits(pair: Pair, pair_filter: PairFilter) -> bool:
    """Return whether a pair has the wanted tiers, statute and text lengths."""
    tiers = (pair.source.tier, pair.target.tier)
    lengths = (len(pair.source.text.strip()), len(pair.target.text.strip()))
    return (
        (not pair_filter.tiers or tiers in pair_filter.tiers)
        and (not pair_filter.statutes or pair.source.statute_id in pair_filter.statutes)
        and all(pair_filter.shortest <= length <= pair_filter.longest for length in lengths)
    )


GENERATE = "mcq_generate"


def item_of(draft: Draft, pair: Pair, seed: int, number: int = 0, name: str = "") -> Mcq | None:
    """Return the item with its options shuffled by the seed, the abstention last.

    `number` distinguishes the drafts of one pair that have no `name`. None for a draft without four
    options, or whose answer is none of them.
    """
    if len(draft.options) != WRITTEN or not 1 <= draft.answer <= WRITTEN:
        return None
    name = name or f"{pair.id} #{number}"
    order = sorted(range(WRITTEN), key=lambda place: seeded_hash(seed, name, str(place)))
    return Mcq(
        id=name,
        pair=pair,
        query=draft.query.strip(),
        options=(
            *(draft.options[place].strip() for place in order),
            CANNOT_TELL[pair.source.language],
        ),
        answer=order.index(draft.answer - 1) + 1,
        explanation=draft.explanation.strip(),
    )


def generation_values(pair: Pair) -> dict[str, str]:
    """Return the values of the prompt for writing a question."""
    return {"document_a": pair.source.shown, "document_b": pair.target.shown}


def solving_prompt(setting: Setting) -> str:
    """Return the id of the prompt for answering under a setting."""
    return "mcq_solve_closed" if setting is Setting.ZERO else "mcq_solve_context"


def solving_values(item: Mcq, setting: Setting) -> dict[str, str]:
    """Return the values of the prompt for answering an item under a setting."""
    options = "\n".join(f"{number}. {words}" for number, words in enumerate(item.options, 1))
    values = {"question": item.query, "options": options}
    given = {
        Setting.ZERO: (),
        Setting.A: (item.pair.source,),
        Setting.B: (item.pair.target,),
        Setting.BOTH: (item.pair.source, item.pair.target),
    }[setting]
    return values | ({"context": "\n\n".join(each.shown for each in given)} if given else {})


def wording_of(item: Mcq) -> str:
    """Return a digest of question and options, so that votes on other wordings are kept apart."""
    said = json.dumps([item.query, *item.options])
    return text_hash(said)[:12]


LINE_BYTES = 2 * 1024 * 1024
FILE_BYTES = 512 * 1024 * 1024
ID_CHARACTERS = 400
PAIR = "related_semantic_ids"
_PUBLISHED = ("question", "answer_full", "answer_partial", PAIR, "question_id")
_OURS = ("id", "query", "options", "answer", "explanation", "a", "b")


@dataclass(frozen=True, slots=True)
class Written:
    """A question in a file; `id` is empty if missing, `answer` counts from 1."""

    where: Where
    id: str
    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str
    a: str
    b: str
    source: dict[str, Any]
    published: bool

    def named(self, field: str) -> str:
        """Return the file's name of the field `a` or `b`."""
        return PAIR if self.published else field

    @property
    def finished(self) -> bool:
        """Whether the last option is already "cannot be determined"."""
        return len(self.options) == WRITTEN + 1

    def draft(self) -> dict[str, Any]:
        """Return the draft as stored with the attempt."""
        fields = ("query", "options", "answer", "explanation")
        said = {name: getattr(self, name) for name in fields}
        return said | {"options": list(self.options)}


def read_written(path: Path) -> list[Written]:
    """Read the questions of a file, in order.

    Raises UserError naming file, line and field for the first error.
    """
    name = printable(Path(path).name)
    check_file(path, name, FILE_BYTES)
    found: list[Written] = []
    lines: dict[str, int] = {}
    for number, text in read_lines(path, name, LINE_BYTES):
        one = _written(Where(name, number), parse_object(text, name, number))
        if one.id and one.id in lines:
            first = lines[one.id]
            raise UserError("mcq_id_twice", Where(name, number, "id"), id=one.id, first=first)
        lines[one.id] = number
        found.append(one)
    if not found:
        raise UserError("mcq_file_empty", Where(name))
    return found


def published(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a question to SearchFireSafety's published form."""
    options = {f"option_{at}": text for at, text in enumerate(fields["options"], 1)}
    name = fields["id"]
    return {
        "question_id": int(name) if re.fullmatch("[1-9][0-9]{0,17}", name) else name,
        PAIR: [fields["a"], fields["b"]],
        "question": fields["query"],
        **options,
        "answer_partial": len(options),
        "answer_full": fields["answer"],
    }


def _ours(where: Where, fields: dict[str, Any]) -> dict[str, Any]:
    """Rename a published row's fields to ours. Raises UserError, naming the original field."""
    if "option_1" not in fields:
        return fields
    names = [f"option_{at}" for at in range(1, WRITTEN + 2)]
    options = [_storable(where, name, fields.get(name)) for name in names]
    for name, allowed in (("answer_full", range(1, len(names))), ("answer_partial", (len(names),))):
        if isinstance(fields.get(name), bool) or fields.get(name) not in allowed:
            raise UserError("mcq_published", _at(where, name), field=name)
    pair = fields.get(PAIR)
    if not isinstance(pair, list) or len(pair) != 2:
        raise UserError("mcq_published", _at(where, PAIR), field=PAIR)
    rest = {name: at for name, at in fields.items() if name not in (*names, *_PUBLISHED)}
    return rest | {
        "id": str(fields.get("question_id", "")),
        "query": _storable(where, "question", fields.get("question")),
        "options": options,
        "answer": int(fields["answer_full"]),
        "a": pair[0],
        "b": pair[1],
    }


def _written(where: Where, row: dict[str, Any]) -> Written:
    """Parse a question written elsewhere. Raises UserError with field."""
    fields = _ours(where, row)
    options = fields.get("options")
    if not isinstance(options, list) or len(options) not in (WRITTEN, WRITTEN + 1):
        raise UserError("mcq_options", _at(where, "options"))
    answer = fields.get("answer")
    if type(answer) is not int or not 1 <= answer <= WRITTEN:
        raise UserError("mcq_answer", _at(where, "answer"))
    identity = _text(where, fields, "id", "")
    if len(identity) > ID_CHARACTERS or not identity.isprintable():
        raise UserError("mcq_id", _at(where, "id"), limit=ID_CHARACTERS)
    return Written(
        where=where,
        id=identity.strip(),
        query=within(_text(where, fields, "query"), MCQ_QUERY, _at(where, "query")),
        options=tuple(
            within(_storable(where, "options", option), MCQ_OPTION, _at(where, "options"))
            for option in options
        ),
        answer=answer,
        explanation=within(
            _text(where, fields, "explanation", ""), MCQ_EXPLANATION, _at(where, "explanation")
        ),
        a=_text(where, fields, "a"),
        b=_text(where, fields, "b"),
        published=fields is not row,
        source={name: value for name, value in fields.items() if name not in _OURS},
    )


def _text(where: Where, fields: dict[str, Any], name: str, missing: str | None = None) -> str:
    """Return the stripped text of a field, `missing` if absent. Raises UserError for no text."""
    value = fields.get(name, missing)
    return _storable(where, name, value).strip()


def _storable(where: Where, name: str, value: object) -> str:
    """Return the value. Raises UserError unless it is a text that the database can store."""
    if not isinstance(value, str) or not is_storable(value):
        raise UserError("mcq_text", _at(where, name), field=name)
    return value


def _at(where: Where, field: str) -> Where:
    """Return the place of a field."""
    return Where(where.file, where.line, field)
