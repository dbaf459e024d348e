#version 450
struct Some { sampler2D first; float number; };
layout(location = 0) out vec4 colour;
layout(location = 9) uniform Some some;

void main() {
    colour = texture(some.first, vec2(0.0)) * some.number;
}
