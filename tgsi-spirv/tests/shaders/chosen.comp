#version 450
// Images that the subscript of each lane chooses.
layout(local_size_x = 4) in;
layout(binding = 0, r32ui) uniform uimage2D images[2];

void main() {
    uint lane = gl_LocalInvocationIndex;
    ivec2 place = ivec2(lane, 0);
    uint before = imageAtomicAdd(images[lane & 1u], place, 7u);
    memoryBarrierImage();
    imageStore(images[(lane + 1u) & 1u], place, uvec4(before + lane));
}
