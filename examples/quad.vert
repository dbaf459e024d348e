#version 450
layout(location = 0) in vec4 aPosition;
layout(location = 1) in vec2 aTexCoord;
layout(location = 0) out vec2 texCoord;
layout(binding = 0) uniform Transform {
    mat4 mvp;
};

void main() {
    texCoord = aTexCoord;
    gl_Position = mvp * aPosition;
}
