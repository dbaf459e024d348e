#version 450
#extension GL_KHR_shader_subgroup_basic : enable

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) buffer Result {
    uint words[];
} result;

void main() {
    if (gl_LocalInvocationID.x < 4u) {
        result.words[0] = 1u;
        subgroupBarrier();
        result.words[1] = result.words[0];
    }
    barrier();
    result.words[2] = 3u;
}
