#version 450
// Loops after a discard. `tests/it/counted.rs` has for each, in order, whether it counts.
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int step; int limit; };
layout(constant_id = 0) const int AMOUNT = 6;

void work() { colour.x += place.x; }

void upwards() {
    for (int i = 0; i < 4; i++) work();
    for (uint i = 8u; i > 0u; i >>= 1) work();
    for (int i = AMOUNT; i >= 0; i -= 2) work();
    for (int i = 0; i != 10; i = i * 3 + 2 & 31) work();
    for (float f = 0.0; f < 1.0; f += 0.1) work();
    for (float f = 1.0; f <= 64.0; f *= 2.0) work();
    int i = 0;
    do work(); while (++i < 4);
    for (bool once = true; once; once = false) work();
    do { if (place.y > 0.5) break; work(); } while (false);
}

// The step is 0, or goes past; the numbers wrap around, or are undefined; the step is known at run time only.
void endless() {
    for (int i = 0; i < 4; i += AMOUNT - 6) work();
    for (int i = 0; i != 9; i += 2) work();
    for (uint i = 3u; i >= 0u; i--) work();
    for (int i = 1; i < 4; i = i << 32) work();
    for (int i = 0; i < 4; i += step) work();
    for (int i = 0; i < limit; i++) work();
    for (int i = step; i < 4; i++) work();
    for (float f = 1.0; f > 0.0; f *= 0.5) work();
    for (float f = 0.0; f != 9.0; f = f / 3.0 + 6.0) work();
    for (int i = 0; i < 2000; i++) work();
}

// Too many iterations, once they are multiplied.
void nested() {
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            for (int k = 0; k < 64; k++) work();
    for (int i = 0; i < 64; i++) work();
}

// The counter changes in some iterations only, or somewhere else as well.
void changed() {
    for (int i = 0; i < 4;) { work(); if (place.y > 0.5) i++; }
    for (int i = 0; i < 4; i++) if (place.y > 0.5) i = 0;
    for (int i = 0; i < 4;) { for (int j = 0; j < limit; j++) i++; work(); }
    int i = 0;
    do { do { i++; work(); } while (place.y > colour.x); } while (i < 4);
}

// The start comes from one side of a selection, from within a loop, or from before the loop around.
void started() {
    int i, j, k = 0, l, m;
    if (place.y > 0.5) i = 0;
    for (; i < 4; i++) work();
    do { j = 0; work(); } while (j < limit);
    for (; j < 4; j++) work();
    for (int n = 0; n < 2; n++)
        for (; k != 4; k++) if (place.y > colour.x) break;
    l = 0;
    m = 0;
    if (place.y > 0.5) work();
    for (int n = 0; n < limit; n++) work();
    for (; l < 4; l++) work();
    switch (limit) {
    case 1: work(); break;
    default: for (; m < 4; m++) work();
    }
}

// What the first test sees is not the start.
void asked() {
    int i = 9, j = 0;
    do { i = i + 1 & 7; if (place.y > colour.x) break; } while (i != 9);
    do { j = j + 1 & 7; work(); } while (j != 0);
}

void main() {
    colour = vec4(0.0);
    if (place.z < 0.5) discard;
    upwards();
    endless();
    nested();
    changed();
    started();
    asked();
}
