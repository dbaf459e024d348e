#version 450
layout(location=0) in vec3 position;
layout(location=0) out vec3 c;
layout(binding=0, std140) uniform Camera { mat4 mvp; mat3x2 odd; };
void main() { gl_Position = mvp * vec4(position, 1.0); c = position * 0.5 + 0.5 + vec3(odd * position, 0.0); }
