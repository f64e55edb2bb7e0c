"""Configurations of other tools as first drafts: each question in our words, the rest listed."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from annotation.tasks.foreign_configs import TaskDraft, draft_task
from annotation.tasks.reading import read_spec
from tests.support.refusals import code_of

STUDIO = """<View>
  <Header value="Read"/>
  <Text name="t" value="$judgment"/>
  <Choices name="Relevant?" toName="t" required="true">
    <Choice value="Yes, whole" alias="yes" hotkey="e"/><Choice value="no" hotkey="ctrl+n"/>
  </Choices>
  <View visibleWhen="choice-selected" whenTagName="Relevant?" whenChoiceValue="yes">
    <Labels name="parts" toName="t"><Label value="Party"/>
      <Label value="Holding" hotkey="x"/></Labels>
    <TextArea name="why" toName="t"/>
  </View>
  <Choices name="topics" toName="t" choice="multiple">
    <Choice value="a"/><Choice value="b"/></Choices>
  <Rating name="왜" toName="t" maxRating="4"/>
  <Rating name="?" toName="t"/>
  <Image name="i" value="$img"/>
  <View visibleWhen="region-selected" whenTagName="topics" whenChoiceValue="a">
    <HyperText name="u"/><Pairwise toName="t"/>
  </View>
  <View visibleWhen="choice-selected" whenTagName="gone" whenChoiceValue="a, b">
    <Number name="years" toName="t" min="1" max="30"/>
  </View>
</View>"""
POTATO = """
item_properties: {id_key: id, text_key: body}
annotation_schemes:
- annotation_type: radio
  name: relevance
  description: How relevant?
  labels: [{name: high, key_value: '1'}, low]
  label_requirement: {required: true}
- {annotation_type: likert, name: sure, description: Sure?, size: 5}
- {annotation_type: multirate, name: m}
- just a text
- {annotation_type: likert, label_requirement: {required: 'no'}}
- {annotation_type: multiselect, name: s, labels: [A, {name: B}]}
- {annotation_type: slider, name: n, min_value: 0, max_value: 10}
- {annotation_type: text, name: words}
"""


def declared(draft: TaskDraft, columns: list[str]) -> list[dict[str, Any]]:
    """Return the fields of a draft, which can be read and shows these columns."""
    read_spec(draft.text)
    content: dict[str, Any] = yaml.safe_load(draft.text)
    about = {"kind": "text", "file": "rows.csv", "title": columns[0], "show": columns}
    assert (content["title"], content["subject"]) == ("My task", about)
    return list(content["fields"])


def test_a_configuration_of_label_studio_is_a_first_draft() -> None:
    draft = draft_task(STUDIO, "label-studio", "config.xml")
    condition = {"required": "no", "shown_when": {"relevant": ["yes"]}}
    assert declared(draft, ["judgment", "text"]) == [
        {"field": "relevant", "kind": "choice"}
        | {"options": [{"option": "yes", "label": "Yes, whole", "key": "e"}, "no"]},
        {"field": "parts", "kind": "spans"}
        | {"options": ["Party", {"option": "Holding", "key": "x"}], **condition},
        {"field": "why", "kind": "text", **condition},
        {"field": "topics", "kind": "choices", "options": ["a", "b"], "required": "no"},
        {"field": "field", "kind": "scale", "least": "1", "most": "4", "required": "no"},
        {"field": "field_2", "kind": "scale", "least": "1", "most": "5", "required": "no"},
        {"field": "pairwise", "kind": "choice", "options": ["left", "right"], "required": "no"},
        {"field": "years", "kind": "number", "least": "1", "most": "30", "required": "no"},
    ]
    assert draft.left_out == [("Image", 16)]
    assert draft.text.startswith("# Left out, as it has no counterpart: Image, line 16\ntask: ")


def test_a_configuration_of_potato_is_a_first_draft() -> None:
    draft = draft_task(POTATO, "potato", "config.yaml")
    assert declared(draft, ["body"]) == [
        {"field": "relevance", "kind": "choice", "label": "How relevant?"}
        | {"options": [{"option": "high", "key": "1"}, "low"]},
        {"field": "sure", "kind": "scale", "label": "Sure?"}
        | {"least": "1", "most": "5", "required": "no"},
        {"field": "likert", "kind": "scale", "least": "1", "most": "5", "required": "no"},
        {"field": "s", "kind": "choices", "options": ["A", "B"], "required": "no"},
        {"field": "n", "kind": "number", "least": "0", "most": "10", "required": "no"},
        {"field": "words", "kind": "text", "required": "no"},
    ]
    assert draft.left_out == [("multirate", 10), ("annotation_schemes", 11)]


def test_the_layers_of_inception_are_a_first_draft() -> None:
    layers = [
        {"name": "webanno.custom.Part", "uiName": "Part", "type": "span", "enabled": True}
        | {"features": [{"name": "role", "uiName": "Role", "tag_set": {"name": "roles"}}]},
        {"name": "webanno.custom.Grade", "uiName": "Grade", "type": "document-metadata"}
        | {
            "features": [
                {"name": "why", "required": True},
                {"name": "level", "tag_set": {"name": "levels"}},
            ]
        },
        {"name": "webanno.custom.Link", "uiName": "Link", "type": "relation", "features": []},
        {"name": "x.Token", "type": "span", "enabled": False, "features": []},
        "a text",
        {"name": "webanno.custom.Mark", "type": "span", "features": []},
    ]
    roles = {"name": "roles", "tags": [{"tag_name": "who"}, {"tag_name": "what"}]}
    sets = [roles, {"name": "levels", "tags": [{"tag_name": "low"}]}]
    made = draft_task(json.dumps({"layers": layers, "tag_sets": sets}), "inception", "p.json")
    assert declared(made, ["text"]) == [
        {"field": "part_role", "kind": "spans", "label": "Part · Role"}
        | {"options": ["who", "what"], "required": "no"},
        {"field": "grade_why", "kind": "text", "label": "Grade"},
        {"field": "grade_level", "kind": "choice", "label": "Grade"}
        | {"options": ["low"], "required": "no"},
        {"field": "mark", "kind": "spans", "options": ["Mark"], "required": "no"},
    ]
    assert made.left_out == [("Link", 1)]


def test_long_names_are_cut_and_numbered() -> None:
    schemes = [{"annotation_type": "text", "name": "n" * 70 + end} for end in "ab"]
    made = draft_task(json.dumps({"annotation_schemes": schemes}), "potato")
    assert [each["field"] for each in declared(made, ["text"])] == ["n" * 64, "n" * 60 + "_2"]


@pytest.mark.parametrize(
    ("text", "tool", "code"),
    [
        ("<View/>", "label-studio", "task_draft_empty"),
        ("<View><Image/></View>", "label-studio", "task_draft_empty"),
        ("<View>", "label-studio", "xml_broken"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><View>&b;</View>', "label-studio", "xml_doctype"),
        ("- 1", "potato", "task_draft_empty"),
        ("annotation_schemes: {a: b}", "potato", "task_draft_empty"),
        (
            "annotation_schemes: [1, [2], {annotation_type: best_worst}]",
            "potato",
            "task_draft_empty",
        ),
        ("x", "prodigy", "labels_tool"),
    ],
)
def test_what_is_no_configuration_is_refused(text: str, tool: str, code: str) -> None:
    assert code_of(draft_task, text, tool, "config") == code
