from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from annotation.exchange import finding
from annotation.exchange.lines import RecordReader
from tests.support.refusals import code_of

MARKED = {"spans": [[0, 3]], "sha256": "x"}
LABEL: dict[str, Any] = {"unit": "a", "snapshot": "b", "decision": "accept"}
TAKEN = {"migration": 1, "document": "codebook", "from": 1, "to": "2-x", "reason": "so"}
MOVED = TAKEN | {"answers": {"accept": "reject", "no_provision": None}, "becomes": "submit"}
CHANGE = {"of": "a", "was": 1, "now": 2}
FORM = TAKEN | {"fields": {"a": CHANGE, "b": None}, "becomes": "withdraw"}
CITED = {"targets": [], "text": "x", "status": "resolved", "start": 0, "end": 1}
NAMED = {"source": "citation", "citation": 1}


SHAPES: list[tuple[Callable[[Any], bool], list[Any], list[Any]]] = [
    (partial(finding.fits, "label"),
     [LABEL, LABEL | {"decision": None}, LABEL | {"evidence": MARKED}],
     [{"unit": "a", "snapshot": "b"}, LABEL | {"decision": "maybe"},
      *(LABEL | {name: 1} for name in ("unit_id", "field", "value", "evidence", "reason"))]),
    (partial(finding.fits, "no_provision"),
     [{"value": True}, {"value": False}, {"value": True, "field": 1}],
     [{"value": 1}, {}, {"value": True, "text": 1}]),
    (partial(finding.fits, "migrate"),
     [MOVED, MOVED | {"becomes": "withdraw"}, MOVED | {"answers": {"unsure": None}}],
     [*(MOVED | {"answers": each} for each in ([0], {"x": None}, {"accept": "x"})), TAKEN,
      *(MOVED | each for each in ({"to": 2}, {"document": 1}, {"becomes": "x"})),
      MOVED | {"answers": {"no_provision": "accept"}}]),
    (partial(finding.fits_form, "migrate"),
     [FORM, FORM | {"fields": {}}],
     [*(FORM | {"fields": each} for each in ([0], {"a": 1, "b": None}, {"a": {"of": "a"}})),
      *(FORM | each for each in ({"to": 2}, {"becomes": "x"}, {"migration_id": 1})),
      {name: FORM[name] for name in TAKEN}, FORM | {"fields": {"a": CHANGE | {"of": 1}}}]),
    (partial(finding.fits_form, "label"),
     [{"field": "a", "value": 1}, {"field": "a", "value": 1, "seal": True}],
     [{"field": 1, "value": 1}, {"value": 1}, {"field": "a", "value": 1, "seal": False}]),
    (partial(finding.fits_form, "submit"), [{}, {"fields": 1}], [{"reason": 1}]),
    (finding.fits_answer,
     [{"units": [], "no_provision": True}, {"units": ["a"], "no_provision": False}],
     [{"units": ["a", 1], "no_provision": True}, {"units": [], "no_provision": 1}, {}]),
    (finding.fits_citation,
     [CITED], [{**CITED, name: None} for name in CITED] + [[], CITED | {"start": True}]),
    (lambda why: finding.fits_why(why, ["a", "b"]),
     [[], [{"source": "lexical"}, NAMED], [NAMED | {"citation": 0}]],
     [[1], {}, [{}], [{"source": 1}], [{"source": "citation"}], [NAMED | {"citation": -1}],
      [{"source": "x"}, NAMED | {"citation": 2}]]),
]  # fmt: skip


@pytest.mark.parametrize(("fits", "good", "bad"), SHAPES)
def test_a_shape_is_told_from_what_lacks_it(
    fits: Callable[[Any], bool], good: list[Any], bad: list[Any]
) -> None:
    assert [each for each in good if not fits(each)] == []
    assert [each for each in bad if fits(each)] == []


def line(**fields: Any) -> RecordReader:
    return RecordReader(fields, "a.jsonl", 1)


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (RecordReader.flag, (True, False), (1, None)),
        (RecordReader.number, (0, -3, 2**31 - 1), (True, 1.0, "1", 2**31, -(2**31))),
        (RecordReader.amount, (0.0, 1.5, 2), (-0.5, True, float("inf"), float("nan"), "1")),
        (RecordReader.amount_or_none, (None, 0.5), (-1, False)),
        (RecordReader.maybe_time, (None,), ("2026-01-01", "noon", 1)),
        (
            lambda at, it: at.parts(it, str, int),
            ([["a", 2], ["b", 3]], []),
            ([["a", 2], 3], [["a", True]], [["a", 2**31]], {}),
        ),
        (lambda at, name: at.one_of(name, "a", "b"), ("a", "b"), ("c", 1)),
    ],
)
def test_a_field_is_read_as_it_stands_or_refused(
    read: Callable[[RecordReader, str], Any], good: Any, bad: Any
) -> None:
    assert [read(line(it=each), "it") for each in good] == [*good]
    for each in bad:
        assert code_of(read, line(it=each), "it") == "exchange_field"
    assert code_of(read, line(other=1), "it") == "exchange_field"
