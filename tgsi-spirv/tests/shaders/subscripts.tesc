#version 450
// A component that is known at run time: what lies after the vector in its register is not written.
layout(vertices = 3) out;
layout(location = 0) out vec2 pair[];
layout(location = 0, component = 2) out vec2 other[];
layout(push_constant) uniform Push { int which; };

void main() {
    pair[gl_InvocationID][which] = 1.0;
    other[gl_InvocationID][which] = 2.0;
}
