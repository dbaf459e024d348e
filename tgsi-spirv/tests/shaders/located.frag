#version 450
// Locations of uniforms: members and elements take one after the other.
struct Light { float far; vec3 colours[2]; };
layout(location = 0) out vec4 colour;
layout(location = 2) uniform mat2 turn;
layout(location = 12) uniform Light lights[2];
layout(location = 20) uniform vec2 grid[2][3];
layout(location = 30) uniform float last;

void main() {
    colour = vec4(turn[0], grid[1][2]) * lights[1].far * last + vec4(lights[0].colours[1], 1.0);
}
