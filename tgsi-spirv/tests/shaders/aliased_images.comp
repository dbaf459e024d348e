#version 450
// Three images of one binding, of which two have one type.
layout(local_size_x = 1) in;
layout(set = 1, binding = 0, r32ui) uniform uimage2D whole;
layout(set = 1, binding = 0, r32ui) uniform uimage2D again;
layout(set = 1, binding = 0, r32f) uniform image2D others;
void main() {
    imageStore(whole, ivec2(0), uvec4(1));
    imageStore(others, ivec2(1), vec4(imageLoad(again, ivec2(0))));
}
