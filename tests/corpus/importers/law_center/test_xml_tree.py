from __future__ import annotations

import time

import pytest

from corpus.importers.law_center import xml_tree
from corpus.importers.law_center.xml_tree import MAX_DEPTH, read_xml
from errors import Where
from tests.support.refusals import code_of, refusal


def test_elements_know_their_text_children_and_line() -> None:
    root = read_xml("\n<a>\n<b> x  y </b>\n<c/><b>z</b><d><b>w</b></d></a>", "f")
    assert (root.tag, root.value("b"), root.content("b"), root.value("none")) == (
        *("a", "x y", " x  y ", ""),
    )
    assert [e.text for e in root.all("b")] == [" x  y ", "z"]
    assert [e.text for e in root.below("b")] == [" x  y ", "z", "w"]
    assert [c.line for c in root.children] == [2, 3, 3, 3]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<![CDATA[a]]><![CDATA[b]]>", "a\nb"),
        ("<![CDATA[a]]> <![CDATA[b]]>", "a \nb"),
        ("<![CDATA[a]]>\n<![CDATA[\n]]>\n<![CDATA[b]]>", "a\n\n\nb"),
        ("<![CDATA[a]]> and <![CDATA[b]]>", "a and b"),
        ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
        ("<![CDATA[<개정 2020.1.1>]]>", "<개정 2020.1.1>"),
        ("&lt;b&gt; &#48;", "<b> 0"),
    ],
)
def test_sections_that_follow_one_another_are_lines(inside: str, text: str) -> None:
    assert read_xml(f"<a>{inside}</a>", "f").text == text


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "text",
    [
        f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><a>&l9;</a>',
        f'<!DOCTYPE a [<!ENTITY q "{"x" * 100_000}">]><a>{"&q;" * 1000}</a>',
        '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>',
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><a/>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><a/>',
        "<!DOCTYPE a><a/>",
    ],
)
def test_no_entity_is_declared_expanded_or_fetched(text: str) -> None:
    began = time.process_time()
    assert code_of(read_xml, text, "f.xml") == "xml_doctype"
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("<a>\n<b></a>", "xml_broken", 2),
        ("\n\n<a>", "xml_broken", 3),
        ("", "xml_broken", 1),
        ("<a>&undeclared;</a>", "xml_broken", 1),
        ("<a>&#0;</a>", "xml_broken", 1),
        ("<a/><b/>", "xml_broken", 1),
        ("<a>" * (MAX_DEPTH + 1), "xml_deep", 1),
    ],
)
def test_faults_are_named(text: str, code: str, line: int) -> None:
    error = refusal(read_xml, text, "f.xml")
    assert (error.code, error.where) == (code, Where("f.xml", line))


def test_more_elements_than_any_law_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 100)
    assert read_xml("<a>" + "<b/>" * 99 + "</a>", "f").tag == "a"
    assert code_of(read_xml, "<a>" + "<b/>" * 100 + "</a>", "f") == "xml_many"


def test_the_deepest_tree_allowed_is_read() -> None:
    assert read_xml("<a>" * MAX_DEPTH + "x" + "</a>" * MAX_DEPTH, "f").tag == "a"
