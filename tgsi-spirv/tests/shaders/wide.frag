#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int zero; int one; float half_; float two; } p;
int failed = 0;
void check(int number, bool ok) { if (!ok && failed == 0) failed = number; }
bool near(double a, double b) { return abs(a - b) <= 1e-12LF * max(1.0LF, abs(b)); }
bool near(dvec2 a, dvec2 b) { return near(a.x, b.x) && near(a.y, b.y); }
bool near(dvec3 a, dvec3 b) { return near(a.xy, b.xy) && near(a.z, b.z); }
void finish() { colour = vec4(float(failed), 0.0, 0.0, 1.0); }
// Vectors and matrices of doubles, and integers of 64 bits.
void main() {
    double d = double(p.zero); int64_t z = int64_t(p.zero);
    dvec3 a = dvec3(d + 1.1LF, 2.2LF, 3.3LF), b = dvec3(4.0LF, d - 5.0LF, 6.0LF);
    check(1, near(a * (d + 1.3LF), dvec3(1.43LF, 2.86LF, 4.29LF)) && near((d + 0.1LF) * b, dvec3(0.4LF, -0.5LF, 0.6LF)));
    check(2, mix(a, b, equal(dvec3(d, 1.0LF, d), dvec3(0.0LF))) == dvec3(4.0LF, 2.2LF, 6.0LF));
    check(3, near(smoothstep(d, 2.0LF, 0.5LF), 0.15625LF) && smoothstep(d, 1.0LF, 3.0LF) == 1.0LF && smoothstep(d, 1.0LF, -3.0LF) == 0.0LF);
    check(4, faceforward(a, b, dvec3(1.0LF, d, d)) == -a && faceforward(a, b, dvec3(-1.0LF, d, d)) == a);
    dvec2 bent = refract(normalize(dvec2(d + 1.0LF, -1.0LF)), dvec2(0.0LF, 1.0LF), 0.5LF);
    check(5, near(bent, dvec2(0.353553390593274LF, -0.935414346693485LF)));
    check(6, refract(normalize(dvec2(d + 1.0LF, -0.1LF)), dvec2(0.0LF, 1.0LF), 2.0LF) == dvec2(0.0LF));
    dmat2 m = dmat2(d + 1.0LF, 2.0LF, 3.0LF, 5.0LF);
    check(7, near(m * dvec2(d + 1.0LF, 10.0LF), dvec2(31.0LF, 52.0LF)) && near(dvec2(d + 1.0LF, 10.0LF) * m, dvec2(21.0LF, 53.0LF)));
    check(8, m * m == dmat2(7.0LF, 12.0LF, 18.0LF, 31.0LF) && transpose(m) == dmat2(1.0LF, 3.0LF, 2.0LF, 5.0LF));
    check(9, m * (d + 2.0LF) == dmat2(2.0LF, 4.0LF, 6.0LF, 10.0LF) && determinant(m) == -1.0LF);
    dmat2 i = inverse(m);
    check(10, near(i[0], dvec2(-5.0LF, 2.0LF)) && near(i[1], dvec2(3.0LF, -1.0LF)));
    dmat3x2 o = outerProduct(dvec2(d + 2.0LF, 3.0LF), b);
    check(11, o[0] == dvec2(8.0LF, 12.0LF) && o[1] == dvec2(-10.0LF, -15.0LF) && near(o * a, o[0] * 1.1LF + o[1] * 2.2LF + o[2] * 3.3LF));
    dmat4 n = dmat4(2.0LF); n[1][0] = d + 3.0LF; n[3][2] = d - 1.0LF; n[0][3] = d + 4.0LF;
    dmat4 one = n * inverse(n);
    check(12, near(determinant(n), 16.0LF) && near(one[0].xyz, dvec3(1.0LF, d, d)) && near(one[2].yzw, dvec3(d, 1.0LF, d)) && near(one[3].w, 1.0LF));
    check(13, near(determinant(dmat3(a, b, dvec3(d, 1.0LF, 0.0LF))), 6.6LF));
    check(14, (z - 7L) % 3L == 2L && (z + 7L) % -3L == -2L && (z - 6L) % 3L == 0L && (z + 8L) % 3L == 2L);
    i64vec2 v = (i64vec2(z) - i64vec2(30000000001L, 7L)) % i64vec2(10000000000L, -4L);
    check(15, v == i64vec2(9999999999L, -3L));
    double inf = 1.0LF / d; double nan = inf - inf;
    check(16, isinf(inf) && !isinf(d) && isnan(nan) && !isnan(inf) && nan != nan);
    finish();
}
