#version 450
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int zero; int one; float half_; float two; } p;
int failed = 0;
void check(int number, bool ok) { if (!ok && failed == 0) failed = number; }
bool near(float a, float b) { return abs(a - b) <= 2e-4 * max(1.0, abs(b)); }
void finish() { colour = vec4(float(failed), 0.0, 0.0, 1.0); }
// Arrays, structs, matrices, swizzles, blocks.
struct Inner { vec3 v; float w[3]; };
struct Outer { int n; Inner inner[2]; mat2 m; };
layout(set = 0, binding = 0, std140) uniform Block { float a[3]; mat3 m; layout(row_major) mat2x3 r; vec3 v; float s; Inner inner[2]; } b;
const float table[5] = float[5](1.0, 2.0, 4.0, 8.0, 16.0);
Outer make(int n) { Outer o; o.n = n; o.inner[0].v = vec3(n); o.inner[0].w = float[3](1.0, 2.0, 3.0); o.inner[1] = o.inner[0]; o.inner[1].w[n] = 9.0; o.m = mat2(1.0, 2.0, 3.0, 4.0); return o; }
void bump(inout vec4 v, int i) { v[i] += 1.0; }
void main() {
    int z = p.zero; float f = float(z);
    Outer o = make(z + 1);
    check(1, o.inner[1].w[1] == 9.0 && o.inner[0].w[1] == 2.0 && o.inner[z + 1].w[z + 2] == 3.0);
    Outer c = o; c.inner[z].v.y = 7.0;
    check(2, c.inner[0].v == vec3(1.0, 7.0, 1.0) && o.inner[0].v == vec3(1.0));
    float sum = 0.0;
    for (int i = 0; i < 5; i++) sum += table[i] * float(i);
    check(3, sum == 98.0 && table[z + 3] == 8.0);
    float t[4]; for (int i = 0; i < 4; i++) t[(i + 1) % 4] = float(i * i);
    check(4, t[z] == 9.0 && t[1] == 0.0 && t[z + 3] == 4.0);
    vec4 v = vec4(f + 1.0, 2.0, 3.0, 4.0);
    bump(v, z + 2); v.zx = v.xz; v[z + 1] *= 10.0;
    check(5, v == vec4(4.0, 20.0, 1.0, 4.0));
    check(6, v[z + 3] == 4.0 && v.wzyx.yx == vec2(1.0, 4.0));
    mat3 m = mat3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0 + f);
    check(7, m * vec3(1.0, 0.0, 2.0) == vec3(15.0, 18.0, 23.0) && vec3(1.0, 0.0, 2.0) * m == vec3(7.0, 16.0, 27.0));
    check(8, near(determinant(m), -3.0) && transpose(m)[0] == vec3(1.0, 4.0, 7.0));
    mat3 i = inverse(m) * m;
    check(9, near(i[0].x, 1.0) && abs(i[1].x) < 1e-3 && near(i[2].z, 1.0));
    mat4 d = mat4(2.0 + f); d[3].xyz = vec3(1.0, 2.0, 3.0); mat4 e = inverse(d);
    check(10, near(e[0].x, 0.5) && near(e[3].y, -0.5) && near(determinant(d), 16.0) && near(e[3].w, 0.5));
    mat2 q = mat2(1.0, 2.0, 3.0, 4.0 + f) * mat2(0.0, 1.0, 1.0, 0.0);
    check(11, q[0] == vec2(3.0, 4.0) && q[1] == vec2(1.0, 2.0) && near(inverse(q)[0].x, 1.0));
    check(12, outerProduct(vec2(1.0, 2.0), vec2(3.0, 4.0 + f)) == mat2(3.0, 6.0, 4.0, 8.0) && (2.0 * q)[1].y == 4.0 && matrixCompMult(q, q)[0].y == 16.0);
    check(13, b.a[0] == -8.0 && b.a[z + 2] == 0.0 && b.m[1] == vec3(8.0, 9.0, 10.0) && b.m[z + 2].y == 13.0);
    check(14, b.r[0] == vec3(16.0, 20.0, 24.0) && b.r[z + 1].z == 25.0 && b.r * vec2(1.0, 1.0) == vec3(33.0, 41.0, 49.0));
    check(15, b.v == vec3(28.0, 29.0, 30.0) && b.s == 31.0 && b.inner[1].w[2] == 60.0 && b.inner[z + 1].w[z + 1] == 56.0 && b.inner[z].v.z == 34.0);
    mat3x2 w = mat3x2(m); 
    check(16, w[2] == vec2(7.0, 8.0) && mat2(m)[1] == vec2(4.0, 5.0));
    float g[2][3]; for (int x = 0; x < 2; x++) for (int y = 0; y < 3; y++) g[x][y] = float(x * 10 + y);
    check(17, g[z + 1][z + 2] == 12.0 && g[1][0] == 10.0);
    finish();
}
