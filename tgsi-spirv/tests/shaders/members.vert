#version 450
// Members of blocks by their locations: in order, with other shapes, and in no order.
layout(location = 0) in vec4 value;
layout(location = 0) out Ordered { vec4 a; vec2 b; flat int c; float d; vec4 e[2]; vec4 f; } one;
layout(location = 8) out Placed {
    layout(location = 10) vec4 a;
    layout(location = 13) vec4 b;
    layout(location = 9) vec4 c;
} other;

void main() {
    gl_Position = value;
    one.a = value;
    one.b = value.xy;
    one.c = 3;
    one.d = value.z;
    one.e[0] = value;
    one.e[1] = value.wzyx;
    one.f = value;
    other.a = value;
    other.b = value;
    other.c = value;
}
