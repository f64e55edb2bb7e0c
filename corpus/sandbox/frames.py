"""Messages between a process and its children: one JSON value, and blocks of bytes beside it.

Nothing that a child sends is run or unpickled, and what it may send is bounded.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    value: Any
    blocks: Sequence[bytes] = ()


class FrameTooLargeError(Exception):
    """More bytes were announced than may come."""


def send(stream: BinaryIO, frame: Frame) -> None:
    """Write a message. Raises OSError where nobody reads."""
    head = {"value": frame.value, "blocks": [len(block) for block in frame.blocks]}
    body = json.dumps(head, ensure_ascii=False).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    for block in frame.blocks:
        stream.write(block)
    stream.flush()


def receive(stream: BinaryIO, most: int) -> Frame:
    """Return the next message.

    Raises EOFError at the end of the stream, ValueError for what is no message, and
    FrameTooLargeError for one of more than `most` bytes.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > most:
        raise FrameTooLargeError
    head = json.loads(_exactly(stream, length))
    if not isinstance(head, dict) or not isinstance(head.get("blocks"), list):
        raise ValueError("no message")
    sizes = [size if isinstance(size, int) and size >= 0 else most for size in head["blocks"]]
    if length + sum(sizes) > most:
        raise FrameTooLargeError
    return Frame(head.get("value"), [_exactly(stream, size) for size in sizes])


def _exactly(stream: BinaryIO, size: int) -> bytes:
    read = stream.read(size)
    if len(read) < size:
        raise EOFError
    return read
