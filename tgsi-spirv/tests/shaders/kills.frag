#version 450
// Discarded lanes leave all loops, also those around a call: the one that `which` names ends no other way.
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int zero; int which; float half_; float two; };

void nested(int limit) {
    bool done = false;
    while (!done) {
        for (int i = zero; i < limit; i++) {
            if (which == 1) discard;
            done = i == 2;
        }
    }
}

int step_of_loop() {
    if (which == 2) discard;
    return which == 2 ? 0 : 1;
}

void called(int limit) {
    for (int i = zero; i < limit; i += step_of_loop()) {}
}

void switched(int limit) {
    for (int i = zero; i < limit;) {
        switch (which) {
        case 3:
            discard;
        default:
            i++;
        }
    }
}

void twice(int limit) {
    for (int i = zero; i < limit;) {
        for (int j = zero; j < limit; j++) {
            for (int k = zero; k < limit; k++) {
                if (which == 4) discard;
                if (k == 1) i++;
            }
        }
    }
}

void main() {
    colour = vec4(0.0, 0.0, 0.0, 1.0);
    nested(3);
    called(3);
    switched(3);
    twice(3);
}
