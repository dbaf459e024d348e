#version 450
layout(vertices = 3) out;
layout(location = 0) in vec3 colour[];
layout(location = 0) out vec3 result[];
layout(location = 1) patch out float weight;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    result[gl_InvocationID] = colour[gl_InvocationID] * 2.0;
    barrier();
    weight = result[0].x;
    gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 2.0; gl_TessLevelOuter[2] = 3.0;
    gl_TessLevelInner[0] = 4.0;
}
