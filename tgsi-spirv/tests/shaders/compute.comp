#version 450
layout(local_size_x = 4) in;
layout(constant_id = 3) const int factor = 5;
layout(set = 0, binding = 1, std430) buffer Data { uint count; float values[4]; vec3 v; uvec2 rest[]; } data;
shared uint total;
shared float parts[4];
void main() {
    uint n = gl_LocalInvocationIndex;
    if (n == 0u) total = 0u;
    barrier();
    parts[n] = data.values[n] * float(factor);
    atomicAdd(total, n + 1u);
    barrier();
    uint old = atomicAdd(data.count, 2u);
    data.values[n] = parts[3u - n];
    data.rest[n] = uvec2(total, uint(data.rest.length()));
    if (n == 1u) data.v = vec3(gl_GlobalInvocationID);
}
