#version 450
// Discarded lanes leave all loops, also those around a call, and enter none: the one that `which` names ends no other way.
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

void before(int limit) {
    int by = which == 5 ? 0 : 1;
    if (by == 0) discard;
    for (int i = zero; i < limit; i += by) {}
}

void before_in_loop(int limit) {
    for (int i = zero; i < limit; i++) {
        int by = which == 6 ? 0 : 1;
        if (by == 0) discard;
        for (int j = zero; j < limit; j += by) {}
    }
}

void behind_loop(int limit) {
    int by = which == 7 ? 0 : 1;
    for (int i = zero; i < limit; i++) {
        switch (by) {
        case 0: discard;
        }
    }
    switch (limit) {
    case 3:
        for (int i = zero; i < limit; i += by) {}
    }
}

int step_or_none() {
    if (which == 8) discard;
    for (int i = zero; i < 2; i += which == 8 ? 0 : 1) {}
    return which == 8 ? 0 : 1;
}

void behind_call(int limit) {
    int by = step_or_none();
    for (int i = zero; i < 2; i++) {
        for (int j = zero; j < limit; j += by) {}
    }
}

// Discarded lanes enter loops that count, for what their neighbours sample; these go on from there.
void stepped(int limit) {
    int by = which == 9 ? 0 : 1;
    if (by == 0) discard;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < limit; j += by) {}
        int k = zero;
        while (k < 5) { k++; if (by == 0) k = zero; }
    }
}

// The counter moves, or starts, in a loop that discarded lanes are kept out of.
void inner_counter(int limit) {
    int by = which == 10 ? 0 : 1;
    if (by == 0) discard;
    int i = 0;
    do {
        int j = zero;
        do { i++; j += by; } while (j < limit);
    } while (i < 9);
}

// Where the counter begins the second time, nothing says: only live lanes leave before.
void kept_counter(int limit) {
    int by = which == 11 ? 0 : 1;
    if (by == 0) discard;
    int i = 0;
    for (int k = 0; k < 3; k++) {
        do {
            i++;
            if (by * limit == i) break;
            if (by != 0 && k > 0) break;
        } while (i != 5);
    }
}

// The counter has moved once before it is asked the first time.
void asked_late(int limit) {
    int by = which == 12 ? 0 : 1;
    if (by == 0) discard;
    int i = 9;
    do {
        i = (i + 1) & 7;
        if (by != 0 && i == limit) break;
    } while (i != 9);
}

// Nothing follows the inner loop.
void without_end(int limit) {
    if (which == 13) discard;
    for (int i = 0; i < limit; i++) {
        if (which == 13) {
            while (true) { if (two > 1.0) return; }
        } else continue;
    }
    for (int i = 0; i < 3; i++) {
        if (which == 13) {
            while (true) { if (two > 1.0) return; }
        } else continue;
    }
}

void main() {
    colour = vec4(0.0, 0.0, 0.0, 1.0);
    nested(3);
    called(3);
    switched(3);
    twice(3);
    before(3);
    before_in_loop(3);
    behind_loop(3);
    behind_call(3);
    stepped(3);
    inner_counter(3);
    kept_counter(3);
    asked_late(3);
    without_end(3);
}
