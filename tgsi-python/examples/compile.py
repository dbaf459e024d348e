"""Takes a shader (TGSI or GLSL) to words for Latte and simulates them: compile.py FILE"""

import subprocess
import sys
from pathlib import Path

import tgsi

path = Path(sys.argv[1])
source = path.read_bytes()
if path.suffix in (".vert", ".geom", ".frag"):  # GLSL, which becomes a module of SPIR-V
    command = ["glslangValidator", "-V", "-o", "/dev/stdout", "--quiet", str(path)]
    source = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
vectors = [[1, 0.5, 0.25, 1]] * 32
inputs: dict[str, object] = {"consts": vectors, "const_buffers": {number: vectors for number in range(1, 16)}}
try:
    program = tgsi.Shader.read(source).compile("latte")
    inputs["inputs"] = [vectors[:4]] * len(program.info["inputs"])
    result = program.simulate(inputs)
except tgsi.Problems as problems:
    sys.exit("\n".join(f"{path}:{problem}" for problem in problems.problems))
print(f"{len(program.words)} words, {result.counters['groups']} groups")
for name, lanes in result.outputs.items():
    print(name, lanes.tolist())
