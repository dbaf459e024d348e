"""Shaders and programs through every call."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from array import array
from pathlib import Path

import numpy
import pytest

import tgsi

ROOT = Path(__file__).parents[2]
PIXEL = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nMUL OUT[0], CONST[0], CONST[0]\nEND\n"
VERTEX = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n"
INPUTS = {"consts": [[1, 0.5, 0.25, 1]]}
SQUARES = [1.0, 0.25, 0.0625, 1.0]


def test_text_and_words_come_back() -> None:
    shader = tgsi.Shader.read(PIXEL)
    assert tgsi.Shader.read(shader.text).text == shader.text
    for tokens in (shader.tokens, list(shader.tokens), numpy.array(shader.tokens)):
        assert tgsi.Shader.from_tokens(tokens).text == shader.text
    assert tgsi.Shader.read(shader.tokens.tobytes()).text == shader.text
    assert shader.warnings == ()


def test_interpreter_and_simulator_agree() -> None:
    shader = tgsi.Shader.read(PIXEL.encode())
    program = shader.compile("latte")
    ran, simulated = shader.run(INPUTS), program.simulate(INPUTS)
    assert ran.outputs["OUT[0]"] == simulated.outputs["PIXEL[0]"]
    assert ran.outputs["OUT[0]"].tolist() == [SQUARES] * 4
    assert ran.killed == (False,) * 4
    assert simulated.counters["groups"] > 0 and ran.counters == {}
    again = tgsi.simulate(program.words, "latte", "pixel", INPUTS)
    assert again.outputs == simulated.outputs


def test_options_count() -> None:
    shader = tgsi.Shader.read(PIXEL)
    assert shader.compile("rv770", level=0, precise=True).info["chip"] == "rv770"
    with pytest.raises(tgsi.Problems, match="there is no level 9: levels are 0 to 3"):
        shader.compile("rv770", level=9)
    with pytest.raises(OverflowError):
        shader.compile("rv770", level=-1)


def test_listings_come_back() -> None:
    program = tgsi.Shader.read(PIXEL).compile("cedar")
    assert tgsi.assemble(program.listing, "cedar") == program.words
    assert tgsi.disassemble(program.words, "cedar") == program.listing
    assert tgsi.disassemble(numpy.array(program.words), "cedar") == program.listing


def test_words_and_lanes_are_arrays_of_numpy() -> None:
    program = tgsi.Shader.read(PIXEL).compile("latte")
    words = numpy.frombuffer(program.words, dtype=numpy.uint32)
    assert words.tolist() == program.words.tolist()
    lanes = program.simulate(INPUTS).outputs["PIXEL[0]"]
    for floats in (numpy.asarray(lanes), numpy.asarray(lanes.floats)):
        assert floats.shape == (4, 4) and floats.dtype == numpy.float32
        assert numpy.shares_memory(floats, numpy.asarray(lanes.floats))
    assert numpy.asarray(lanes, dtype=numpy.float64).dtype == numpy.float64
    assert numpy.asarray(lanes.bits)[2, 0] == 0x3F800000


@pytest.mark.parametrize(
    "vector",
    [
        numpy.array([1, 0.5, 0.25, 1], dtype=numpy.float32),
        numpy.array([0x3F800000, 0x3F000000, 0x3E800000, 0x3F800000], dtype=numpy.uint32),
        array("i", [0x3F800000, 0x3F000000, 0x3E800000, 0x3F800000]),
        ["0x3f800000", 0.5, 0.25, 1],
    ],
)
def test_inputs_are_floats_or_bits(vector: object) -> None:
    shader = tgsi.Shader.read(PIXEL)
    assert shader.run({"consts": [vector]}).outputs["OUT[0]"].tolist()[3] == SQUARES


def test_inputs_may_be_no_numbers() -> None:
    ran = tgsi.Shader.read(PIXEL).run({"consts": [[math.inf, -math.inf, math.nan, 0]]})
    inf, other, nan, zero = ran.outputs["OUT[0]"].tolist()[0]
    assert (inf, other, zero) == (math.inf, math.inf, 0) and nan is not None and math.isnan(nan)


def test_what_is_not_written_is_none() -> None:
    text = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nKILL\nMOV OUT[0], CONST[0]\nEND\n"
    result = tgsi.Shader.read(text).compile("latte").simulate(INPUTS)
    assert result.killed == (True,) * 4
    for lanes in result.outputs.values():
        for row, written in zip(lanes.tolist(), lanes.written):
            assert [one is not None for one in row] == list(written)


def test_a_problem_has_its_place() -> None:
    with pytest.raises(tgsi.Problems) as caught:
        tgsi.Shader.read(PIXEL.replace("MUL", "MULL"))
    first = caught.value.problems[0]
    assert (first.severity, first.line, first.column) == ("error", 4, 1)
    assert first.span == (PIXEL.index("MUL"), PIXEL.index("MUL") + 4)
    assert first.help and "MUL" in first.help
    assert str(caught.value).startswith("4:1: ") and isinstance(caught.value, ValueError)


def test_a_chip_that_is_not_there_is_named() -> None:
    with pytest.raises(tgsi.Problems, match="no chip called `voodoo`"):
        tgsi.Shader.read(PIXEL).compile("voodoo")


def test_linked_shaders_are_a_file() -> None:
    vertex, pixel = tgsi.Shader.read(VERTEX), tgsi.Shader.read(PIXEL)
    assert tgsi.link([vertex, pixel]).startswith(b"Gfx2")
    assert tgsi.link(iter([vertex, pixel]), uniform_registers=True).startswith(b"Gfx2")
    with pytest.raises(tgsi.Problems, match="shader 1: is of the same stage as shader 0"):
        tgsi.link([pixel, pixel])
    with pytest.raises(tgsi.Problems, match="no shader to link"):
        tgsi.link([])


def test_other_threads_run_meanwhile() -> None:
    text = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL TEMP[0]\nMOV TEMP[0], CONST[0]\n"
    text += "MAD TEMP[0], TEMP[0].yzwx, TEMP[0], CONST[0]\n" * 600 + "MOV OUT[0], TEMP[0]\nEND\n"
    shader = tgsi.Shader.read(text)
    worker = threading.Thread(target=shader.compile, args=["latte"])
    steps = 0
    worker.start()
    while worker.is_alive():
        steps += 1
    assert steps > 1000


@pytest.mark.parametrize("name", ["phong.frag.tgsi", "quad.frag"])
def test_the_example_works(name: str) -> None:
    command = [sys.executable, ROOT / "tgsi-python/examples/compile.py", ROOT / "examples" / name]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if "glslangValidator" in ran.stderr:
        pytest.skip("there is no compiler of GLSL here")
    assert ran.returncode == 0, ran.stderr
    assert "PIXEL[0] [[" in ran.stdout
