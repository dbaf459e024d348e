#version 450
#extension GL_EXT_null_initializer : enable

layout(local_size_x = 2, local_size_y = 3) in;

shared uint unset[2];
shared uint some[17] = {};
shared vec3 other = {};

layout(set = 0, binding = 0) buffer Result {
    uint words[20];
} result;

void main() {
    uint index = gl_LocalInvocationIndex;
    if (index == 0u) {
        some[1] = 5u;
        unset[1] = 7u;
    }
    barrier();
    for (uint n = index; n < 17u; n += 6u)
        result.words[n] = some[n];
    if (index < 3u)
        result.words[17u + index] = floatBitsToUint(other[index]) + unset[1];
}
