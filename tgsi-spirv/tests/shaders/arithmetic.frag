#version 450
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int zero; int one; float half_; float two; } p;
int failed = 0;
void check(int number, bool ok) { if (!ok && failed == 0) failed = number; }
bool near(float a, float b) { return abs(a - b) <= 2e-4 * max(1.0, abs(b)); }
void finish() { colour = vec4(float(failed), 0.0, 0.0, 1.0); }
// Operations on numbers and the functions of GLSL.
void main() {
    int z = p.zero; float f = float(z); uint u = uint(z);
    check(1, (z - 7) / 2 == -3 && (z + 7) / (z - 2) == -3);
    check(2, (z + 7) % 3 == 1);
    check(3, mod(f - 7.0, 3.0) == 2.0 && near(mod(f + 7.5, 2.0), 1.5));
    check(4, (z - 16) >> 2 == -4 && (u + 0xfffffff0u) >> 28 == 15u);
    check(5, bitfieldExtract(z + 0xf5, 4, 4) == -1 && bitfieldExtract(u + 0xf5u, 4, 4) == 15u);
    check(6, bitfieldInsert(z, 0xab, 8, 8) == 0xab00 && bitfieldReverse(u + 1u) == 0x80000000u);
    check(7, bitCount(z + 0xff) == 8 && findLSB(z + 8) == 3 && findMSB(z + 8) == 3 && findMSB(z - 1) == -1);
    uint carry, msb, lsb; 
    check(8, uaddCarry(u + 0xffffffffu, 2u, carry) == 1u && carry == 1u);
    check(9, usubBorrow(u + 1u, 2u, carry) == 0xffffffffu && carry == 1u);
    umulExtended(u + 0x80000000u, 6u, msb, lsb);
    check(10, msb == 3u && lsb == 0u);
    int hi, lo; imulExtended(z - 2, 3, hi, lo);
    check(11, hi == -1 && lo == -6);
    check(12, floatBitsToInt(f + 1.0) == 0x3f800000 && uintBitsToFloat(u + 0x40000000u) == 2.0);
    check(13, int(f - 2.7) == -2 && uint(f + 2.7) == 2u && float(z - 3) == -3.0 && float(u + 0xffffffffu) > 4e9);
    check(14, round(f + 2.4) == 2.0 && roundEven(f + 2.5) == 2.0 && trunc(f - 1.5) == -1.0 && ceil(f + 0.1) == 1.0 && fract(f - 0.25) == 0.75);
    float whole; float part = modf(f - 3.25, whole);
    check(15, part == -0.25 && whole == -3.0);
    int e; float m = frexp(f + 12.0, e);
    check(16, m == 0.75 && e == 4 && ldexp(m, e) == 12.0);
    m = frexp(f, e);
    check(17, m == 0.0 && e == 0);
    check(18, near(sin(f + 0.5), 0.479425) && near(cos(f + 0.5), 0.877583) && near(tan(f + 0.5), 0.546302));
    check(19, abs(asin(f + 0.5) - 0.523599) < 1e-3 && abs(acos(f - 0.5) - 2.094395) < 1e-3);
    check(20, near(atan(f + 3.0), 1.249046) && near(atan(f - 0.3), -0.291457));
    check(21, near(atan(f + 1.0, -1.0), 2.356194) && near(atan(f - 2.0, 0.0), -1.570796) && near(atan(f - 1.0, -3.0), -2.819842) && near(atan(f + 1.0, 4.0), 0.244979));
    check(22, near(sinh(f + 1.0), 1.175201) && near(cosh(f + 1.0), 1.543081) && near(tanh(f - 0.5), -0.462117));
    check(23, near(asinh(f - 2.0), -1.443635) && near(acosh(f + 2.0), 1.316958) && near(atanh(f + 0.5), 0.549306));
    check(24, near(pow(f + 2.0, 0.5), 1.414214) && near(exp(f + 1.0), 2.718282) && near(log(f + 10.0), 2.302585) && near(exp2(f + 3.0), 8.0) && near(log2(f + 8.0), 3.0));
    check(25, near(inversesqrt(f + 4.0), 0.5) && near(sqrt(f + 9.0), 3.0) && sign(f - 2.0) == -1.0 && sign(z - 5) == -1);
    check(26, mix(f + 2.0, 6.0, 0.25) == 3.0 && step(f + 0.5, 0.4) == 0.0 && step(f + 0.5, 0.5) == 1.0 && near(smoothstep(f, 2.0, 0.5), 0.15625));
    check(27, clamp(f + 5.0, 0.0, 1.0) == 1.0 && clamp(z - 5, -3, 3) == -3 && clamp(u + 9u, 1u, 4u) == 4u);
    vec3 a = vec3(f + 1.0, 2.0, 3.0), b = vec3(4.0, f - 5.0, 6.0);
    check(28, cross(a, b) == vec3(27.0, 6.0, -13.0) && dot(a, b) == 12.0);
    check(29, near(length(a), 3.741657) && near(distance(a, b), 8.185353) && near(normalize(a).z, 0.801784));
    check(30, reflect(vec2(f + 1.0, -1.0), vec2(0.0, 1.0)) == vec2(1.0, 1.0));
    vec2 bent = refract(normalize(vec2(f + 1.0, -1.0)), vec2(0.0, 1.0), 0.5);
    check(31, near(bent.x, 0.353553) && near(bent.y, -0.935414));
    check(32, refract(normalize(vec2(f + 1.0, -0.1)), vec2(0.0, 1.0), 2.0) == vec2(0.0));
    check(33, faceforward(a, b, vec3(1.0, 0.0, 0.0)) == -a && faceforward(a, b, vec3(-1.0, 0.0, 0.0)) == a);
    check(34, packUnorm4x8(vec4(f, 1.0, 0.5, 2.0)) == 0xff80ff00u && packSnorm2x16(vec2(f - 1.0, 1.0)) == 0x7fff8001u);
    check(35, unpackSnorm4x8(u + 0x7f8100c0u).y == 0.0 && unpackSnorm4x8(u + 0x7f8100c0u).w == 1.0 && unpackSnorm4x8(u + 0x7f8100c0u).z == -1.0);
    check(36, near(unpackUnorm2x16(u + 0x8000ffffu).y, 0.500008) && unpackUnorm2x16(u + 0x8000ffffu).x == 1.0);
    check(37, packHalf2x16(vec2(f + 1.0, -2.0)) == 0xc0003c00u && unpackHalf2x16(u + 0xc0003c00u) == vec2(1.0, -2.0));
    float inf = 1.0 / f; float nan = inf - inf;
    check(38, isinf(inf) && !isinf(f) && isnan(nan) && !isnan(f));
    check(39, !(nan == nan) && nan != nan && !(nan < 1.0) && !(nan >= 1.0));
    check(40, any(lessThan(ivec3(z, 1, 2), ivec3(-1, 5, -1))) && all(equal(vec2(f), vec2(0.0))) && !all(not(bvec2(z == 0, z == 1))));
    ivec4 i4 = ivec4(z + 1, 2, 3, 4) * 3 - ivec4(1);
    check(41, i4 == ivec4(2, 5, 8, 11) && (i4 & 3) == ivec4(2, 1, 0, 3) && (i4 ^ i4.wzyx).x == 9 && ~z == -1 && -i4.x == -2);
    check(42, fma(f + 2.0, 3.0, 4.0) == 10.0 && min(u + 3u, 0xfffffff0u) == 3u && max(z - 3, -9) == -3 && abs(z - 4) == 4);
    check(43, near(radians(f + 180.0), 3.141593) && near(degrees(f + 3.141593), 180.0));
    finish();
}
