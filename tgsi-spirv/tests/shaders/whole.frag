#version 450
// Rows counted from below, and pixels whose centres have whole numbers.
layout(pixel_center_integer) in vec4 gl_FragCoord;
layout(location = 0) out vec4 colour;
void main() { colour = gl_FragCoord; }
