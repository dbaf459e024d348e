#version 450
// Cull distances alone, after clip distances that the block declares and nothing writes.
layout(location = 0) in vec4 place;
layout(location = 0) out flat int number;
void main() {
    gl_Position = place;
    gl_CullDistance[0] = place.x;
    gl_CullDistance[1] = place.y;
    number = gl_InstanceIndex;
}
