#version 450
// The number of the first instance, which a driver sets, behind push constants.
layout(push_constant) uniform Push { vec4 first; float second; };
layout(location = 0) out flat int number;
void main() {
    gl_Position = first + second;
    number = gl_InstanceIndex;
}
