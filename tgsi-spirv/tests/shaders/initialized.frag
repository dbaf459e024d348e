#version 450
// Initializers of uniforms.
struct Light { vec3 place; float power; };
layout(location = 0) uniform float scale = 2.0;
layout(location = 1) uniform vec4 unset;
layout(location = 2) uniform mat2 turn[2] = mat2[](mat2(1.0, 2.0, 3.0, 4.0), mat2(5.0, 6.0, 7.0, 8.0));
layout(location = 4) uniform Light light = Light(vec3(1.0, 2.0, 3.0), 4.0);
layout(location = 6) uniform ivec3 whole = ivec3(1, 2, 3);
layout(location = 7) uniform bvec2 flags = bvec2(false, true);
layout(location = 0) out vec4 color;
void main() {
    color = vec4(turn[1][1] * scale, light.power, float(whole.z)) + unset + (flags.y ? vec4(light.place, 0.0) : vec4(0.0));
}
