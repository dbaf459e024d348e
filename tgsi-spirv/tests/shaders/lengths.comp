#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { uint a, b, c; uint rest[]; };
layout(binding = 1, std430) buffer Lengths { uint lengths[]; };
void main() {
    lengths[0] = uint(rest.length());
    lengths[1] = uint(lengths.length());
}
