#version 450
// Distances from the stage before, and two streams.
layout(points) in;
layout(points, max_vertices = 2) out;
in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; float gl_CullDistance[2]; } gl_in[];
layout(location = 0, stream = 0) out vec2 near;
layout(location = 1, stream = 1) out float clip;
void main() {
    near = vec2(gl_in[0].gl_CullDistance[0], gl_in[0].gl_CullDistance[1]);
    EmitStreamVertex(0);
    clip = gl_in[0].gl_ClipDistance[2];
    gl_ClipDistance[0] = clip;
    EmitStreamVertex(1);
}
