#version 450
// Two blocks of one binding: what one stores, the other loads; and the longer of two arrays comes last.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Words { int v[]; } a;
layout(std430, set = 0, binding = 0) buffer Vectors { ivec4 w[]; } b;
layout(std430, set = 0, binding = 1) buffer One { int v[]; } one;
layout(std430, set = 0, binding = 1) buffer Two { int v[]; } two[2];
layout(std430, set = 0, binding = 2) buffer Results { int r[]; } c;
void main() {
    int x = a.v[0];
    b.w[0] = ivec4(x + 7);
    c.r[0] = x;
    c.r[1] = a.v[0];
    one.v[0] = 5;
    two[1].v[0] = two[0].v[0] + 1;
}
