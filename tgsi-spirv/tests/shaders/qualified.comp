#version 450
#extension GL_KHR_memory_scope_semantics : enable

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) volatile buffer Flags {
    uint flag;
    uint again;
} flags;

layout(set = 0, binding = 1) buffer Mixed {
    coherent uint seen;
    uint own;
    restrict vec4 alone[];
} mixed;

layout(set = 0, binding = 2, r32ui) uniform coherent uimage2D picture;

void main() {
    uint sum = flags.flag + flags.flag;
    flags.again = 1u;
    flags.again = sum;
    mixed.own = mixed.seen + mixed.own;
    mixed.alone[sum] = vec4(1.0);
    imageStore(picture, ivec2(0), imageLoad(picture, ivec2(1)));
    uint first = atomicLoad(mixed.own, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    atomicStore(mixed.own, first, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
