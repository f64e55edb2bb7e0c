"""Exports of Label Studio as tests write them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def result(name: str, kind: str, **value: Any) -> Json:
    """Return one value of an annotation."""
    return {"from_name": name, "type": kind, "value": value}


def chose(*choices: Any, name: str = "provisions") -> Json:
    """Return a choice as one value of an annotation."""
    return result(name, "choices", choices=[*choices])


def annotation(user: Any, *results: Any, **more: Any) -> Json:
    """Return what a user said of a task."""
    return {"completed_by": user, "result": [*results], "created_at": "2024-05-01T09:00Z"} | more


def task(item: Any, *annotations: Any, key: str = "question_id") -> Json:
    """Return a task with what users said of it."""
    return {"data": {key: item}, "annotations": [*annotations]}


def record(number: int, choice: str = "Article 1", user: Any = 10) -> Json:
    """Return a question that two users have labelled alike."""
    return task(f"q{number}", *(annotation(each, chose(choice)) for each in (user, 11)))
