#version 450
layout(location = 0) in vec2 texCoord;
layout(location = 0) out vec4 color;
layout(binding = 1) uniform sampler2D picture;
layout(binding = 2) uniform Tint {
    vec4 tint;
    float strength;
};

void main() {
    vec4 texel = texture(picture, texCoord);
    color = mix(texel, texel * tint, strength);
}
