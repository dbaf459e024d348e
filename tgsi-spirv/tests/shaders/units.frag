#version 450
// An image and a sampler, each with a subscript of its own; then both with one.
layout(location = 0) in vec2 uv;
layout(location = 1) in flat int image;
layout(location = 2) in flat int sampler_;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform texture2D images[2];
layout(binding = 1) uniform sampler samplers[3];
void main() {
    colour = texture(sampler2D(images[image], samplers[sampler_]), uv);
    colour += texture(sampler2D(images[image], samplers[image]), uv);
}
