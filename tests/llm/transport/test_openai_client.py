"""What is read of a server's completion."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from llm.transport.openai_client import read_chat


def completion(content: Any, **more: Any) -> Any:
    message = SimpleNamespace(content=content, refusal=None, **more)
    choice = SimpleNamespace(message=message, logprobs=None, finish_reason="stop")
    return SimpleNamespace(choices=[choice], usage=None)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_a_thought_in_a_field_of_its_own_is_no_answer(field: str) -> None:
    assert read_chat(completion("B", **{field: "The answer is A."})).text == "B"
    assert read_chat(completion(None, **{field: "The answer is A."})).text == ""


def test_of_an_answer_in_parts_its_text_is_read_and_no_thought() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "A?"}]}
    parts: list[Any] = [thought, {"type": "text", "text": "The answer "}]
    parts.append(SimpleNamespace(type="text", text="is B."))
    assert read_chat(completion(parts)).text == "The answer is B."


@pytest.mark.parametrize("content", [7, {"text": "B"}])
def test_what_is_no_text_is_no_answer(content: Any) -> None:
    with pytest.raises(ValueError, match="no text"):
        read_chat(completion(content))
