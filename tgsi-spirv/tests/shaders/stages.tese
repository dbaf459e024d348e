#version 450
layout(triangles, equal_spacing, cw) in;
layout(location = 0) in vec3 colour[];
layout(location = 1) patch in float weight;
layout(location = 0) out vec3 result;
void main() {
    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
    result = colour[1] * weight;
}
