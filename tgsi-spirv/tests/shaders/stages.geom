#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 colour[];
layout(location = 0) out vec3 result;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        result = colour[2 - i];
        EmitVertex();
    }
    EndPrimitive();
}
