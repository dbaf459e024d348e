#version 450
// Under OpenGL, each of these takes as many locations as it has columns.
layout(location = 0) in dvec4 a;
layout(location = 1) in vec4 b;
layout(location = 2) in dmat2x3 c;
layout(location = 4) in vec4 d;

void main() {
    gl_Position = vec4(float(a.x + a.z), float(a.w), float(c[0].z), float(c[1].z)) + b * d;
}
