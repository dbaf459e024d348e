#version 450
// Levels, elements and components by a subscript that is known at run time: nothing else is written.
layout(vertices = 3) out;
layout(location = 0) out vec2 pairs[][2];
layout(location = 2) patch out vec3 shared_;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; } gl_out[];
void main() {
    for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = float(i);
    pairs[gl_InvocationID][gl_InvocationID & 1] = vec2(1.0);
    gl_out[gl_InvocationID].gl_ClipDistance[gl_InvocationID & 1] = 2.0;
    shared_[gl_InvocationID] = 3.0;
}
