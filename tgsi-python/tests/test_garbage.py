"""Every call with garbage: a value or an exception that the documentation names. `FUZZ_SECONDS` makes it a campaign."""

from __future__ import annotations

import os
import random
import time
from typing import Any, Callable

import pytest

import tgsi

SHADER = b"""FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..3]
DCL TEMP[0]
MAD TEMP[0], IN[0], CONST[1], CONST[2]
IF CONST[0].xxxx
  ADD TEMP[0], TEMP[0], CONST[3]
ENDIF
MOV OUT[0], TEMP[0]
END
"""
INPUTS = '{"inputs": [[[1,2,3,4],[0,0,0,1],[0,0,0,1],[0,0,0,1]]], "consts": [[1,1,1,1]]}'
CHIPS = ["latte", "rv610", "cedar", "cayman", "voodoo"]


def mutated(dice: random.Random, data: bytes) -> bytes:
    made = bytearray(data)
    for _ in range(dice.randrange(6)):
        at = dice.randrange(len(made) + 1)
        kind = dice.randrange(3)
        if kind == 0 and at < len(made):
            made[at] = dice.randrange(256)
        elif kind == 1:
            del made[at : at + dice.randrange(30)]
        else:
            made[at:at] = made[at : at + 9]
    return bytes(made)


def attempt(work: Callable[[], Any]) -> Any:
    """What `work` gives; `None` where it raises what it may raise."""
    try:
        return work()
    except tgsi.Problems as problems:
        assert problems.problems
        for problem in problems.problems:
            assert problem.message and "internal error" not in problem.message, problem
            assert (problem.line is None) == (problem.column is None)
            assert problem.span is None or problem.span[0] <= problem.span[1]
        return None


def one_round(dice: random.Random) -> None:
    chip, inputs = dice.choice(CHIPS), mutated(dice, INPUTS.encode()).decode(errors="replace")
    words = [dice.getrandbits(32) for _ in range(dice.randrange(40))]
    attempt(lambda: tgsi.disassemble(words, chip))
    attempt(lambda: tgsi.simulate(words, chip, dice.choice(["vertex", "pixel", "nose"]), inputs))
    attempt(lambda: tgsi.Shader.from_tokens(words))
    attempt(lambda: tgsi.Shader.from_spirv(words_after_magic(words), "main"))
    shader = attempt(lambda: tgsi.Shader.read(mutated(dice, SHADER)))
    if shader is None:
        return
    assert isinstance(shader.warnings, tuple)
    tokens = attempt(lambda: shader.tokens)
    assert tokens is None or attempt(lambda: tgsi.Shader.from_tokens(tokens))
    attempt(lambda: tgsi.Shader.read(mutated(dice, bytes(tokens or b""))))
    attempt(lambda: shader.run(inputs))
    attempt(lambda: tgsi.link([shader] * dice.randrange(3)))
    program = attempt(lambda: shader.compile(chip, level=dice.randrange(5)))
    if program is not None:
        assert program.info["words"]
        attempt(lambda: program.simulate(inputs))
        listing = mutated(dice, program.listing.encode()).decode(errors="replace")
        attempt(lambda: tgsi.assemble(listing, chip))


def words_after_magic(words: list[int]) -> bytes:
    return b"\x03\x02\x23\x07" + b"".join(word.to_bytes(4, "little") for word in words)


def test_garbage_is_an_error_or_a_value() -> None:
    seconds = float(os.environ.get("FUZZ_SECONDS", "2"))
    dice, end, rounds = random.Random(26), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        one_round(dice)
        rounds += 1
    print(f"garbage: {rounds} rounds")


@pytest.mark.parametrize("garbage", [None, 3, 1.5, object(), ["x"], {}])
def test_other_types_are_type_errors(garbage: Any) -> None:
    shader = tgsi.Shader.read(SHADER)
    calls: list[Callable[[], Any]] = [
        lambda: tgsi.Shader.read(garbage),
        lambda: tgsi.Shader.from_tokens(garbage),
        lambda: tgsi.disassemble(garbage, "latte"),
        lambda: tgsi.simulate([], garbage),
        lambda: tgsi.assemble(garbage, "latte"),
        lambda: shader.compile(garbage),
        lambda: shader.run({"consts": [[object()]]}),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_words_are_whole_and_of_32_bits() -> None:
    with pytest.raises(ValueError, match="3 bytes are not whole words"):
        tgsi.disassemble(b"abc", "latte")
    with pytest.raises(OverflowError):
        tgsi.disassemble([1 << 32], "latte")
    with pytest.raises(TypeError, match="32-bit integers or bytes"):
        tgsi.disassemble(memoryview(b"12345678").cast("d"), "latte")
