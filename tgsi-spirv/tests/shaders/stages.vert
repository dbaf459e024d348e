#version 450
layout(location = 0) in vec4 position;
layout(location = 2) in mat2 turn;
layout(location = 0) out vec3 colour;
layout(location = 1, component = 0) out float left;
layout(location = 1, component = 2) out vec2 right;
layout(location = 4) flat out int number;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
void main() {
    gl_Position = position + vec4(gl_VertexIndex, 0, 0, 0);
    gl_ClipDistance[1] = 2.0;
    gl_ClipDistance[0] = position.x;
    colour = vec3(turn * position.xy, 1.0);
    left = 0.5;
    right = position.zw;
    number = gl_InstanceIndex;
}
