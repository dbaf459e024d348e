#version 450
// One location holds variables of two streams, whichever is declared first.
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) in vec4 given[];
layout(stream = 0, location = 4) out vec2 drawn;
layout(stream = 1, location = 4, component = 2) out vec2 kept;
layout(stream = 1, location = 5) out float first;
layout(stream = 0, location = 5, component = 1) out vec3 second;
void main() {
    drawn = given[0].zw;
    kept = given[0].xy;
    first = given[0].x;
    second = given[0].yzw;
    EmitStreamVertex(0);
}
