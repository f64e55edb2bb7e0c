"""Links into the code become paths on the docs site, and nothing is loaded from elsewhere."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest

from scripts.docs_site import (
    code_links_as_paths,
    external_resources,
    on_page_content,
    on_post_page,
)

PAGE = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))


@pytest.mark.parametrize(
    ("source", "text", "shown"),
    [
        ("terms.md", "the [catalogue](../messages/)", "the catalogue (`messages/`)"),
        ("architecture.md", "[pages](../pages/mcq/)", "`pages/mcq/`"),
        ("a.md", "[`evaluation/figure.py`](../evaluation/figure.py#L3)", "`evaluation/figure.py`"),
        ("decisions/a.md", "[NOTICE](../../NOTICE)", "`NOTICE`"),
        ("decisions/a.md", "[keys](../keys.md)", "[keys](../keys.md)"),
        ("guides/a.md", "![Keys](../images/keys.png)", "![Keys](../images/keys.png)"),
        ("measured.md", "[records](../docs/measured/)", "records (`docs/measured/`)"),
        (
            "a.md",
            "[page](b.md#c) and [site](https://a.org)",
            "[page](b.md#c) and [site](https://a.org)",
        ),
    ],
)
def test_links_out_of_docs_are_shown_as_paths(source: str, text: str, shown: str) -> None:
    assert code_links_as_paths(text, source) == shown


def test_a_path_that_does_not_exist_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    code_links_as_paths("[gone](../gone.py)", "a.md")
    assert caplog.messages == ["a.md links to gone.py, which does not exist"]


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://a.org/x.js"></script>',
        "<script async src=//a.org/x.js></script>",
        '<link rel="stylesheet" href="https://a.org/x.css">',
        '<link href="https://a.org/x.css" rel=stylesheet>',
        '<img alt="" src="http://a.org/x.png">',
    ],
)
def test_what_is_loaded_from_another_server_is_warned_of(
    html: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert on_post_page(html, page=PAGE) == html
    assert len(caplog.messages) == 1


def test_links_and_own_files_are_no_external_resources() -> None:
    html = '<a href="https://a.org">a</a><link rel="canonical" href="https://a.org/a.html">'
    assert external_resources(html + '<script src="assets/x.js"></script>') == []


def test_a_list_that_is_read_as_text_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    html = "<p>Three:\n* one</p>\n<pre>* code\n* code</pre>\n<ul>\n<li>item</li>\n</ul>"
    with caplog.at_level(logging.WARNING):
        assert on_page_content(html, page=PAGE) == html
    assert caplog.messages == ["a.md: no list or table: * one</p>"]
