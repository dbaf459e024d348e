#version 450
#extension GL_EXT_shader_image_load_formatted : enable
// Structures of images and textures: each kind has registers of its own. Numbers among them have none.
struct Both { sampler2D first; image2D written; samplerCube last; };
struct Some { float unused; sampler2D first; };
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 colour;
layout(location = 3) uniform Both both[2];
layout(location = 9) uniform Some some;
layout(binding = 1) writeonly uniform image2D one;
layout(binding = 2) writeonly uniform image2D two;
layout(location = 11) uniform int which;

void main() {
    colour = texture(both[which].first, place.xy) + texture(both[1].last, place) + texture(some.first, place.xy);
    imageStore(both[1].written, ivec2(0), colour);
    imageStore(one, ivec2(1), colour);
    imageStore(two, ivec2(2), colour);
}
