#version 450
// Blocks in two dimensions: the language lets them be, the translation names what to write instead.
layout(binding = 0) uniform Block { vec4 color; } blocks[2][3];
layout(location = 0) out vec4 result;
void main() {
    result = blocks[1][2].color;
}
