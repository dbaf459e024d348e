#version 450
// Locations that nothing writes have no register; the others keep theirs.
layout(location = 3) out vec4 rows[4];
void main() {
    gl_Position = vec4(1.0);
    rows[1] = vec4(2.0);
    rows[3] = vec4(3.0);
}
