"""Words and inputs on their way to the library."""

from __future__ import annotations

import json
import math
import struct
import sys
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from typing_extensions import Buffer

Words = Union[list[int], tuple[int, ...], "Buffer"]
"""Words: numbers, an array of 32-bit integers (also of numpy), or little-endian bytes."""

Inputs = Union[str, Mapping[str, Any], None]
"""What a run is given: the JSON of ``tgsi run`` and ``tgsi sim``, or an object that says the same."""


def from_native(data: bytes) -> array[int]:
    """Words that the library gives."""
    return array("I", data)


def to_native(words: Words) -> bytes:
    """Words as the library takes them: in the order of this machine."""
    if isinstance(words, (list, tuple)):
        return array("I", words).tobytes()
    view = memoryview(words)
    kind, order = view.format[-1:], view.format[:-1]
    if kind in "iIlL" and view.itemsize == 4 and order in ("", "@", "=", _ORDER):
        return view.tobytes()
    if kind not in "bBc" or view.itemsize != 1:
        raise TypeError(f"words are 32-bit integers or bytes, not items of format {view.format!r}")
    if view.nbytes % 4:
        raise ValueError(f"{view.nbytes} bytes are not whole words")
    read = array("I", view.tobytes())
    if sys.byteorder == "big":
        read.byteswap()
    return read.tobytes()


_ORDER = "<" if sys.byteorder == "little" else ">"


def inputs_to_json(inputs: Inputs) -> str:
    """The JSON that the library reads."""
    if isinstance(inputs, str):
        return inputs
    return json.dumps(_plain({} if inputs is None else inputs))


def _plain(value: Any) -> Any:
    """``value`` of what JSON has. Integers in buffers are bits, other numbers are floats."""
    if isinstance(value, float):
        return value if math.isfinite(value) else _bits(value)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    view = memoryview(value)
    numbers = value.tolist() if hasattr(value, "tolist") else view.tolist()
    return _plain(numbers) if view.format[-1:] in "efd" else _quoted(numbers)


def _quoted(numbers: Any) -> Any:
    return [_quoted(one) for one in numbers] if isinstance(numbers, list) else str(numbers)


def _bits(value: float) -> str:
    return f"{struct.unpack('<I', struct.pack('<f', value))[0]:#010x}"
