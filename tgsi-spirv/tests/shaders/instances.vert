#version 460
// Both numbers come from one uniform.
void main() { gl_Position = vec4(gl_InstanceIndex, gl_BaseInstance, 0, 1); }
