#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(constant_id = 0) const bool truth = false;
layout(constant_id = 1) const int number = 1;
layout(constant_id = 2) const uint count = 2u;
layout(constant_id = 3) const float real = 3.0;
layout(constant_id = 4) const double wide_real = 4.0;
layout(constant_id = 5) const int64_t wide_number = 5l;
layout(constant_id = 6) const uint64_t wide_count = 6ul;
layout(location = 0) out uvec4 narrow;
layout(location = 1) out uvec4 wide;
layout(location = 2) out uvec2 widest;
void main() {
    narrow = uvec4(truth ? 1u : 0u, uint(number), count, floatBitsToUint(real));
    wide = uvec4(unpackDouble2x32(wide_real), unpackUint2x32(uint64_t(wide_number)));
    widest = unpackUint2x32(wide_count);
}
