#version 450
// Offsets from constants and inputs, which become temporaries: texture instructions have no second subscript for them.
layout(location = 0) in vec2 uv;
layout(location = 1) in flat ivec2 moved;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform Block { vec4 first; ivec2 offset; };
void main() {
    colour = textureGatherOffset(image, uv, offset) + textureGatherOffset(image, uv, moved);
}
