"""Programs: words of a chip."""

from __future__ import annotations

import json
from array import array
from typing import Any

from . import _native
from ._lanes import Result
from ._words import Inputs, Words, from_native, inputs_to_json, to_native


class Program:
    """A compiled shader; :meth:`Shader.compile` makes it."""

    def __init__(self, native: _native.Program) -> None:
        self._native = native

    @property
    def words(self) -> array[int]:
        """The words."""
        return from_native(self._native.words())

    @property
    def listing(self) -> str:
        """The listing, which :func:`assemble` takes."""
        return self._native.listing()

    @property
    def info(self) -> dict[str, Any]:
        """Costs, inputs, outputs and state registers, as ``tgsi compile --emit json`` prints them."""
        told: dict[str, Any] = json.loads(self._native.json())
        return told

    def simulate(self, inputs: Inputs = None) -> Result:
        """Runs the program on a quad, with the registers and the stack that it declares.

        :raises Problems: what is wrong with the inputs, and faults of the program
        """
        return Result._from_json(self._native.simulate(inputs_to_json(inputs)))


def assemble(listing: str, chip: str) -> array[int]:
    """The words of a listing for the chip of this name.

    :raises Problems: every mistake of the listing, or a name that no chip has
    """
    return from_native(_native.assemble(listing, chip))


def disassemble(words: Words, chip: str) -> str:
    """The listing of words for the chip of this name. Every word is listed, whatever it holds.

    :raises Problems: a name that no chip has
    """
    return _native.disassemble(to_native(words), chip)


def simulate(words: Words, chip: str, stage: str = "pixel", inputs: Inputs = None) -> Result:
    """Runs words on a quad, as stage ``vertex``, ``pixel`` or ``other`` of the chip of this name.

    :raises Problems: names that mean nothing, what is wrong with the inputs, and faults of the program
    """
    return Result._from_json(_native.simulate(to_native(words), chip, stage, inputs_to_json(inputs)))
