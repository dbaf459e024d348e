"""Shaders: read, checked, run, compiled, linked."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from . import _native
from ._lanes import Result
from ._problems import Problem, problems_from_json
from ._program import Program
from ._words import Inputs, Words, from_native, inputs_to_json, to_native

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Shader:
    """A shader that was read and found good."""

    def __init__(self, native: _native.Shader) -> None:
        self._native = native

    @classmethod
    def read(cls, source: Union[str, Buffer]) -> Shader:
        """Reads TGSI text, a stream of little-endian words, or a SPIR-V module with one entry point; which, it tells itself.

        :raises Problems: everything that is wrong with it
        """
        data = source.encode() if isinstance(source, str) else memoryview(source).tobytes()
        return cls(_native.Shader.read(data))

    @classmethod
    def from_spirv(cls, module: Buffer, entry: str) -> Shader:
        """Translates an entry point of a SPIR-V module.

        :raises Problems: what is wrong with the module, or has no counterpart
        """
        return cls(_native.Shader.from_spirv(memoryview(module).tobytes(), entry))

    @classmethod
    def from_tokens(cls, words: Words) -> Shader:
        """Decodes words, as :attr:`tokens` gives them.

        :raises Problems: where the words break off, or every rule that the shader breaks
        """
        return cls(_native.Shader.from_tokens(to_native(words)))

    @property
    def text(self) -> str:
        """The shader as text."""
        return self._native.text()

    @property
    def tokens(self) -> array[int]:
        """The shader as words, as drivers pass it on.

        :raises Problems: what words have no field for
        """
        return from_native(self._native.tokens())

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is probably wrong with it."""
        return problems_from_json(self._native.warnings())

    def run(self, inputs: Inputs = None) -> Result:
        """Runs the shader on a quad in the reference interpreter.

        :raises Problems: what is wrong with the inputs, or stops the run
        """
        return Result._from_json(self._native.run(inputs_to_json(inputs)))

    def compile(self, chip: str, *, level: int = 2, precise: bool = False) -> Program:
        """Compiles it for the chip of this name, such as ``latte`` or ``rv770``.

        :param level: how much is optimised, 0 to 3
        :param precise: forbids rewrites that could change a float result
        :raises Problems: a name that no chip has, or what the chip or the compiler cannot do
        """
        return Program(self._native.compile(chip, level, precise))


def link(
    shaders: Iterable[Shader],
    *,
    level: int = 2,
    precise: bool = False,
    uniform_registers: bool = False,
) -> bytes:
    """A file of the Wii U (``.gsh``) of the shaders of a draw: vertex, geometry and pixel shader, in any order.

    :param uniform_registers: uniforms are in registers; else they are in blocks, those outside blocks in block 0
    :raises Problems: a shader that does not compile or that the console has no place for, and shaders that do not fit
    """
    natives = [shader._native for shader in shaders]
    return _native.link(natives, level, precise, uniform_registers)
