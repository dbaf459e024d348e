#version 450
// Of an array with one element, any subscript means that.
layout(location = 0) flat in int place;
layout(location = 0) out vec4 colour;

void main() {
    colour = vec4(gl_SampleMaskIn[place]);
}
