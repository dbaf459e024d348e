"""What a run leaves."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional


class Lanes:
    """A register in the four lanes of a quad: top left, top right, bottom left, bottom right; four channels each."""

    bits: memoryview[int]
    """The 32 bits of each lane and channel: a buffer of format ``I`` and shape ``(4, 4)``."""
    floats: memoryview[float]
    """The same memory as floats: a buffer of format ``f`` and shape ``(4, 4)``."""
    written: tuple[tuple[bool, ...], ...]
    """Whether each channel of each lane was written; what was not has bits 0."""

    def __init__(self, lanes: list[list[Optional[str]]]) -> None:
        words = [int(word, 16) if word else 0 for lane in lanes for word in lane]
        flat = memoryview(array("I", words)).cast("B")
        shape = (len(lanes), 4)
        self.bits = flat.cast("I", shape)
        self.floats = flat.cast("f", shape)
        self.written = tuple(tuple(word is not None for word in lane) for lane in lanes)

    def tolist(self) -> list[list[Optional[float]]]:
        """A list of floats for each lane, ``None`` for what was not written."""
        channels = range(4)
        lanes = enumerate(self.written)
        return [[self.floats[n, c] if lane[c] else None for c in channels] for n, lane in lanes]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        """The floats as an array of numpy, which shares their memory unless ``dtype`` or ``copy`` forbid it."""
        import numpy

        floats = numpy.asarray(self.floats)
        return numpy.array(floats, dtype) if copy or dtype not in (None, floats.dtype) else floats

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lanes):
            return NotImplemented
        return self.bits == other.bits and self.written == other.written

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Lanes({self.tolist()})"


@dataclass(frozen=True)
class Result:
    """What a run on a quad leaves."""

    outputs: dict[str, Lanes]
    """Outputs by name: ``OUT[0]`` of a shader, ``PIXEL[0]``, ``POSITION[0]`` or ``PARAMETER[0]`` of a program."""
    killed: tuple[bool, ...]
    """Which lanes were discarded."""
    counters: Mapping[str, int]
    """What the simulator counted, such as ``groups``; empty after a run of the interpreter."""
    json: Mapping[str, Any]
    """Everything that the run left, as ``tgsi run`` and ``tgsi sim`` print it: memory and vertices, too."""

    @classmethod
    def _from_json(cls, text: str) -> Result:
        told = json.loads(text)
        mask = int(told["kill_mask"], 16)
        return cls(
            outputs={name: Lanes(lanes) for name, lanes in told["outputs"].items()},
            killed=tuple(bool(mask >> lane & 1) for lane in range(4)),
            counters=told.get("counters", {}),
            json=told,
        )
