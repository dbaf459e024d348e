#version 450
// A lane that was discarded goes on with whatever `k` happens to be.
layout(location = 0) flat in ivec4 x;
layout(location = 0) out ivec4 o;
void main() {
    ivec4 arr[4] = ivec4[4](ivec4(1), ivec4(2), x, ivec4(x.w));
    int r = arr[x.z & 3].x;
    int k;
    int q = x.w ^ 3;
    r += q ^ (q << 1);
    if (x.y == 0) discard; else if (x.y == 1) k = x.w & 3; else k = (x.x + x.y) & 3;
    for (int i = 0; i < 100; i++) {
        arr[k] = ivec4(0);
        r += x.z ^ i;
    }
    o = arr[x.x & 3] + r;
}
