#version 450
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int zero; int one; float half_; float two; } p;
int failed = 0;
void check(int number, bool ok) { if (!ok && failed == 0) failed = number; }
bool near(float a, float b) { return abs(a - b) <= 1e-5 * max(1.0, abs(b)); }

// Early returns, breaks and continues of every form; each check has a number, which is the colour's red.
float early(float a) { if (a < 0.0) return -1.0; if (a > 1.0) { if (a > 10.0) return 3.0; a = 0.5; } return a * 2.0; }
int in_loop(int n) { for (int i = 0; i < 10; i++) { if (i == n) return i * 10; if (i > 7) break; } return -1; }
int nested(int n) {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            if (j == 3) break;
            if ((i + j) % 2 == n) continue;
            if (i == 3 && j == 1) return sum;
            sum += i * 10 + j;
        }
        sum += 100;
    }
    return sum + 1000;
}
int fall(int a) { int r = 0; switch (a) { case 0: r += 1; case 1: r += 10; break; case 2: r += 100; default: r += 1000; case 7: r += 5; break; case 3: return -3; } return r; }
int switch_in_loop(int n) { int s = 0; for (int i = 0; i < 8; i++) { switch (i) { case 2: continue; case 5: s += 50; break; case 6: return s; default: s += n; } s += 1; } return -s; }
int do_while(int n) { int i = 0; int s = 0; do { i++; if (i == 2) continue; s += i; } while (i < n); return s; }
int while_true(int n) { int i = 0; while (true) { i += 2; if (i > n) { if (i > 100) return 7; break; } } return i; }
vec2 out_param(out int n, inout float f) { n = int(f) + p.one; f += 1.0; if (f > 5.0) return vec2(f); return vec2(1.0, f); }
int loop_of_calls() { int s = 0; for (int i = 0; i < 4; i++) { s = s * 10 + in_loop(i); if (early(float(i)) == 1.0) s += 1; } return s; }
bool side(inout int n) { n++; return true; }
void finish() { colour = vec4(float(failed), 0.0, 0.0, 1.0); }
void main() {
    int z = p.zero;
    check(1, early(float(z) - 1.0) == -1.0);
    check(2, early(float(z) + 0.25) == 0.5);
    check(3, early(float(z) + 5.0) == 1.0);
    check(4, early(float(z) + 50.0) == 3.0);
    check(5, in_loop(z + 4) == 40);
    check(6, in_loop(z + 9) == -1);
    check(7, fall(z) == 11);
    check(8, fall(z + 1) == 10);
    check(9, fall(z + 2) == 1105);
    check(10, fall(z + 3) == -3);
    check(11, fall(z + 7) == 5);
    check(12, fall(z + 9) == 1005);
    check(13, switch_in_loop(z + 2) == 63);
    check(14, do_while(z + 4) == 8);
    check(15, while_true(z + 9) == 10);
    check(16, while_true(z + 1000) == 7);
    int n; float f = 3.0 + float(z);
    check(17, out_param(n, f) == vec2(1.0, 4.0) && n == 4 && f == 4.0);
    f = 9.0;
    check(18, out_param(n, f) == vec2(10.0) && n == 10);
    check(19, loop_of_calls() == 1241);
    int count = z;
    if (z == 1 && side(count)) check(20, false);
    if (z == 0 || side(count)) check(21, count == 0);
    bool both = z == 0 && side(count);
    check(22, both && count == 1);
    int a = nested(z), b = nested(z + 1);
    check(23, a == 1647 && b == 355);
    int s = 0;
    for (int i = 0, j = 10; i < j; i++, j--) { if (i == 2) continue; s += j; if (s > 26) break; }
    check(24, s == 32);
    while (s > 0) { s -= 10; if (s < 0) { s = -5; break; } }
    check(25, s == -5);
    finish();
}
