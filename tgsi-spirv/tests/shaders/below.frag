#version 450
// Rows counted from below, as OpenGL has them.
layout(location = 0) in vec4 input_;
layout(location = 0) out vec4 colour;
void main() {
    colour = interpolateAtOffset(input_, vec2(0.25, 0.125)) + gl_SamplePosition.xyxy + dFdy(input_);
}
