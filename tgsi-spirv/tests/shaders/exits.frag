#version 450
// Lanes that leave a loop keep what they held.
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int zero; int one; float half_; float two; };

int failed = 0;
void check(int number, bool good) { if (!good && failed == 0) failed = number; }

float stopped(int limit) {
    float kept = 0.0;
    for (int i = zero;; i++) {
        float next = float(i) * two;
        if (i >= limit) break;
        kept = next;
    }
    return kept;
}

float skipped(int number) {
    float kept = 0.0;
    for (int i = zero; i < 5; i++) {
        float next = float(i) * two;
        if (i >= number) continue;
        kept = next;
    }
    return kept;
}

float chosen(int number) {
    float kept = 0.5;
    switch (number) {
    case 1:
        float next = float(number) * two;
        if (zero == 0) break;
        kept = next;
    }
    return kept;
}

void main() {
    check(1, stopped(3) == 4.0);
    check(2, skipped(2) == 2.0);
    check(3, chosen(one) == 0.5);
    colour = vec4(float(failed), 0.0, 0.0, 1.0);
}
