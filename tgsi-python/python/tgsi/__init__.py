"""Shaders for AMD's R600 family: read, check, run, compile, simulate, link.

>>> import tgsi
>>> shader = tgsi.Shader.read("FRAG\\nDCL OUT[0], COLOR\\nDCL CONST[0]\\nMOV OUT[0], CONST[0]\\nEND\\n")
>>> program = shader.compile("latte")
>>> result = program.simulate({"consts": [[1, 0.5, 0.25, 1]]})
>>> result.outputs["PIXEL[0]"].tolist()[0]
[1.0, 0.5, 0.25, 1.0]

Words are ``array.array("I")``; a register of four lanes is a :class:`Lanes`. Both are buffers, so ``numpy.asarray`` takes
them as they are. What is wrong with an input raises :class:`Problems`.
"""

from ._lanes import Lanes, Result
from ._problems import Problem, Problems
from ._program import Program, assemble, disassemble, simulate
from ._shader import Shader, link

__all__ = [
    "Lanes",
    "Problem",
    "Problems",
    "Program",
    "Result",
    "Shader",
    "assemble",
    "disassemble",
    "link",
    "simulate",
]
